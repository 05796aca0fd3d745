// The keyboard on the table: arrows go to the nearest thing in their direction.

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The nearest box in a direction: along it counts plainly, aside from it more. */
export function nearest<T extends Box>(from: Box, boxes: readonly T[], direction: Direction): T | null {
  const centre = (box: Box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  const here = centre(from);
  const isAcross = direction === 'ArrowLeft' || direction === 'ArrowRight';
  const sign = direction === 'ArrowRight' || direction === 'ArrowDown' ? 1 : -1;
  let best: T | null = null;
  let least = Infinity;
  for (const box of boxes) {
    const there = centre(box);
    const along = sign * (isAcross ? there.x - here.x : there.y - here.y);
    const aside = Math.abs(isAcross ? there.y - here.y : there.x - here.x);
    const away = along + 2.5 * aside;
    if (along > 2 && away < least) [best, least] = [box, away];
  }
  return best;
}

/** Moves the focus among what can be touched; from nowhere it goes to the first of it. */
export function move(root: HTMLElement, direction: Direction): void {
  const all = [...root.querySelectorAll<HTMLElement>('[data-stop]')].filter((element) => element.getClientRects().length);
  const now = document.activeElement as HTMLElement | null;
  if (!now || !all.includes(now)) return void (all.find((element) => element.classList.contains('glow')) ?? all[0])?.focus();
  const boxes = all.filter((element) => element !== now).map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { element, x, y, width, height };
  });
  nearest(now.getBoundingClientRect(), boxes, direction)?.element.focus();
}
