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

// What is wrong with where things are: a page that scrolls sideways, controls that are cut off, covered, too small to be
// hit, or that lie over one another. Cards of one hand or zone may overlap as long as enough of each can be hit.
const SMALLEST = 24;
const AROUND = 8; // what is hit may be larger than what is seen

function isScrolled(element) {
  if (document.scrollingElement.scrollHeight > innerHeight && !element.closest('dialog')) return true;
  for (let outer = element.parentElement; outer; outer = outer.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(outer);
    if (/auto|scroll/.test(overflowX) && outer.scrollWidth > outer.clientWidth + 1) return true;
    if (/auto|scroll/.test(overflowY) && outer.scrollHeight > outer.clientHeight + 1) return true;
  }
  return false;
}

// The part of an element that a finger hits, looked at every few pixels.
function hitBox(element) {
  const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
  const box = { left: left - AROUND, right: right + AROUND, top: top - AROUND, bottom: bottom + AROUND };
  const step = Math.max(3, Math.min(width, height) / 12);
  const found = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (let x = box.left + 1; x < box.right; x += step) {
    for (let y = box.top + 1; y < box.bottom; y += step) {
      const hit = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? document.elementFromPoint(x, y) : null;
      if (hit?.closest('button, a, input, select') !== element && !element.contains(hit)) continue;
      found.left = Math.min(found.left, x);
      found.right = Math.max(found.right, x + step);
      found.top = Math.min(found.top, y);
      found.bottom = Math.max(found.bottom, y + step);
    }
  }
  return found;
}

function misplaced() {
  const wrong = [];
  const page = document.scrollingElement;
  if (page.scrollWidth > innerWidth) wrong.push(`the page is ${page.scrollWidth} wide`);
  for (const place of document.querySelectorAll('[data-stage="playing"] :is(.table, .felt)')) {
    const [across, down] = [place.scrollWidth - place.clientWidth, place.scrollHeight - place.clientHeight];
    if (down > 2 || across > 8) wrong.push(`the ${place.classList[0]} must be scrolled by ${across}, ${down}`);
  }
  const within = document.querySelector('dialog[open]') ?? document;
  const controls = [...within.querySelectorAll('button:not(:disabled), a[href], input, select, summary')].filter(
    (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !each.closest('[aria-hidden="true"]'),
  );
  const boxes = controls.map((each) => each.getBoundingClientRect());
  const label = (each) => `${nameOf(each)} (${each.className.replace(/svelte-\w+/, '').trim()})`;
  controls.forEach((each, i) => {
    const box = boxes[i];
    const isOut = box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
    if (isOut && !isScrolled(each)) wrong.push(`${label(each)} is cut off: ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
    const isInside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
    if (isInside && !isScrolled(each) && !(each.matches('a') && getComputedStyle(each).display === 'inline')) {
      const hit = hitBox(each);
      const [width, height] = [hit.right - hit.left, hit.bottom - hit.top];
      if (!(width > 0)) wrong.push(`${label(each)} is covered`);
      else if (Math.min(width, height) < SMALLEST) wrong.push(`${label(each)} can be hit in ${Math.round(width)} × ${Math.round(height)} only`);
    }
    for (let k = 0; k < i; k++) {
      const [other, there] = [controls[k], boxes[k]];
      const across = Math.min(box.right, there.right) - Math.max(box.left, there.left);
      const down = Math.min(box.bottom, there.bottom) - Math.max(box.top, there.top);
      const zone = each.closest('[data-zone]');
      if (across <= 3 || down <= 3 || (zone && zone === other.closest('[data-zone]')) || isScrolled(each) || isScrolled(other)) continue;
      wrong.push(`${label(each)} lies over ${label(other)} by ${Math.round(across)} × ${Math.round(down)}`);
    }
  });
  return wrong;
}

// What this page has sent over its sockets, overheard.
const sent = [];
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (data) {
  sent.push(JSON.parse(data));
  return send.call(this, data);
};
const made = () => sent.filter((message) => message.do === 'choose').length;

globalThis.eyes = { isMyTurn, isOver, isLive, glowing, lifted, hitPoint, isCovered, misplaced, seen, sent, made };
