// What somebody who looks at a page can tell: whose turn it is, what glows, and where a finger would hit it.
// The tests put this into every page; it only looks.

const isMyTurn = () => document.querySelector('[data-stage="playing"] .prompt.mine') !== null;
const isOver = () => document.querySelector('[data-stage="over"], [data-stage="closed"]') !== null;
const isLive = (element) => element.matches('[data-stop].glow, [data-stop].touched, .touched > [data-stop], [data-button], .acts [data-choice]');

function nameOf(element) {
  return (element.getAttribute('aria-label') || element.innerText || element.title || element.tagName).trim().replace(/\s+/g, ' ').slice(0, 60);
}

// Where a finger would hit an element: as near to its middle as can be. A cell or zone is hit through what lies on it.
function hitPoint(element) {
  const box = element.getBoundingClientRect();
  const place = element.closest('[data-thing], [data-cell], [data-zone]') ?? element;
  const hits = (x, y) => {
    const hit = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? document.elementFromPoint(x, y) : null;
    const stop = hit?.closest('button, a, input, select');
    return hit && (element.contains(hit) || (place.contains(hit) && (!stop || stop === element)));
  };
  for (const across of [0.5, 0.25, 0.75, 0.1, 0.9, 0.03, 0.97]) {
    for (const down of [0.5, 0.25, 0.75, 0.1, 0.9, 0.03, 0.97]) {
      const [x, y] = [box.left + box.width * across, box.top + box.height * down];
      if (hits(x, y)) return [x, y];
    }
  }
  return null;
}

function spots(elements) {
  const found = [];
  for (const element of elements) {
    const point = hitPoint(element);
    if (point) found.push([element.dataset.thing ?? element.dataset.button ?? nameOf(element), ...point]);
  }
  return found;
}

const live = () => [...document.querySelectorAll('[data-stop].glow, [data-button]')];
const glowing = () => spots(live().filter((element) => !element.classList.contains('touched')));

// What was lifted and can be done by one more touch: the last thing touched, or the words of the choice.
function lifted() {
  const words = [...document.querySelectorAll('.acts [data-choice]')];
  if (!words.length) return [];
  const touched = [...document.querySelectorAll('button[data-stop].touched, .touched > button[data-stop]')];
  return spots(words.length === 1 && touched.length === 1 ? [...words, ...touched] : words);
}

const isCovered = () => document.querySelector('dialog[open], .bubble') !== null || (isMyTurn() && glowing().length === 0);

function seen() {
  const text = (selector) => document.querySelector(selector)?.innerText ?? null;
  return {
    stage: document.querySelector('[data-stage]')?.dataset.stage ?? null,
    prompt: text('[data-prompt]'),
    mine: isMyTurn(),
    glowing: live().map(nameOf),
    reachable: glowing().map(([what]) => what),
    dialog: text('dialog[open] h2'),
    banner: text('.banner'),
    why: text('.why'),
    tour: text('.bubble p'),
    focus: document.activeElement ? nameOf(document.activeElement) : null,
    page: document.querySelector('[data-stage]') ? null : text('main'),
  };
}

globalThis.eyes = { isMyTurn, isOver, isLive, glowing, lifted, isCovered, seen };
