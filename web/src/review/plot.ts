// Where things lie in a plot: scales, ticks, lines, and the step that somebody means.

export type Scale = (value: number) => number;

export function scale(from: readonly [number, number], to: readonly [number, number]): Scale {
  const span = from[1] - from[0] || 1;
  return (value) => to[0] + ((value - from[0]) / span) * (to[1] - to[0]);
}

/** Round numbers from `low` to `high` or a little beyond, so that about `wanted` lie in between. */
export function ticks(low: number, high: number, wanted: number): number[] {
  const rough = Math.max(1, (high - low) / Math.max(1, wanted));
  const power = 10 ** Math.floor(Math.log10(rough));
  const unit = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough)!;
  const first = Math.floor(low / unit);
  const last = Math.max(Math.ceil(high / unit), first + 1);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * unit);
}

const round = (n: number) => Math.round(n * 10) / 10;

/** A line through points. */
export function line(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], i) => `${i ? 'L' : 'M'}${round(x)} ${round(y)}`).join('');
}

/** A line that keeps each value until the next. */
export function stairs(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], i) => (i ? `H${round(x)}V${round(y)}` : `M${round(x)} ${round(y)}`)).join('');
}

/** The area between two lines over the same places. */
export function band(low: readonly (readonly [number, number])[], high: readonly (readonly [number, number])[]): string {
  return low.length ? `${line(high)}${line([...low].reverse()).replace('M', 'L')}Z` : '';
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** The step at `x`: a mark within reach is meant rather than the place beside it. */
export function stepAt(x: number, steps: number, width: number, marks: readonly number[], reach = 22): number {
  const place = scale([0, steps], [0, width]);
  const near = [...marks].sort((a, b) => Math.abs(place(a) - x) - Math.abs(place(b) - x))[0];
  if (near !== undefined && Math.abs(place(near) - x) <= reach) return near;
  return clamp(Math.round((x / (width || 1)) * steps), 0, steps);
}

/** The next of some steps after (or before) one, if there is one. */
export function nextOf(steps: readonly number[], from: number, forward: boolean): number | undefined {
  const others = steps.filter((step) => (forward ? step > from : step < from));
  if (!others.length) return undefined;
  return forward ? Math.min(...others) : Math.max(...others);
}

/** Steps at which some of several rows of numbers change, with the first and the last. */
export function changes(rows: readonly (readonly number[])[]): number[] {
  return rows.flatMap((row, i) =>
    i === 0 || i === rows.length - 1 || row.some((value, place) => value !== rows[i - 1]![place]) ? [i] : [],
  );
}

/** How lines are told apart without colour. */
export const DASHES = ['', '7 4', '2 4', '11 4 2 4', '5 3 1 3', '1 3'];

export const percent = (share: number): string => `${Math.round(share * 100)} %`;
