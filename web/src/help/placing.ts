// Where a bubble stands: beside what it points at, and always within the screen.

interface Size {
  width: number;
  height: number;
}

export interface Place {
  x: number;
  y: number;
  side: 'above' | 'below' | 'none';
  /** How far from the bubble's left edge its tip is. */
  arrow: number;
}

const MARGIN = 8;
const GAP = 12;
const CORNER = 20;

const within = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high));

export function placed(target: (Size & { left: number; top: number }) | null, bubble: Size, screen: Size): Place {
  const lowest = Math.max(MARGIN, screen.height - bubble.height - MARGIN);
  const rightmost = Math.max(MARGIN, screen.width - bubble.width - MARGIN);
  if (!target) return { x: within((screen.width - bubble.width) / 2, MARGIN, rightmost), y: lowest, side: 'none', arrow: bubble.width / 2 };
  const middle = target.left + target.width / 2;
  const x = within(middle - bubble.width / 2, MARGIN, rightmost);
  const arrow = within(middle - x, CORNER, bubble.width - CORNER);
  const above = target.top - GAP - bubble.height;
  const below = target.top + target.height + GAP;
  if (above >= MARGIN && above <= lowest) return { x, y: above, side: 'above', arrow };
  if (below >= MARGIN && below <= lowest) return { x, y: below, side: 'below', arrow };
  return { x, y: lowest, side: 'none', arrow };
}
