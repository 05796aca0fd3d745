import { describe, expect, it } from 'vitest';
import type { AdvisedView, ReviewedChoice } from '../wire';
import { course, ending, joined, mistakes } from './judgement';

const choice = (number: number) => ({ number, path: [], label: { is: 'text' as const, key: 'x', args: {} }, move: `m${number}` });
const view = (number: number, win: number, spread = 0.01): AdvisedView => ({
  choice: choice(number), win, low: win - spread, high: win + spread, points: 0,
});
const decision = (step: number, chosen: number, ...choices: AdvisedView[]): ReviewedChoice => ({
  step, chosen: choice(chosen), choices, lost: 0,
});

describe('mistakes', () => {
  it('are choices to which a better one existed', () => {
    const found = mistakes([
      decision(3, 1, view(0, 0.7), view(1, 0.5)),
      decision(5, 0, view(0, 0.7), view(1, 0.5)),
      decision(9, 1, view(0, 0.55), view(1, 0.5)),
    ]);
    expect(found.map((mistake) => [mistake.step, mistake.better.choice.number, mistake.isBlunder])).toEqual([
      [3, 0, true],
      [9, 0, false],
    ]);
    expect(found[0]!.lost).toBeCloseTo(0.2);
  });
  it('are none where it is little, or the range leaves it open', () => {
    expect(mistakes([decision(3, 1, view(0, 0.52), view(1, 0.5))])).toEqual([]);
    expect(mistakes([decision(3, 1, view(0, 0.6, 0.2), view(1, 0.5))])).toEqual([]);
  });
  it('are none where the choice was not judged', () => {
    expect(mistakes([decision(3, 7, view(0, 0.6), view(1, 0.5))])).toEqual([]);
  });
});

describe('the course of the chances', () => {
  it('tells what could be expected at each decision', () => {
    expect(course([decision(3, 1, view(0, 0.7, 0), view(1, 0.5))])).toEqual([{ step: 3, win: 0.7, low: 0.7, high: 0.7 }]);
  });
  it('ends with the share of the win', () => {
    expect(ending([1], 1, 80)).toEqual({ step: 80, win: 1, low: 1, high: 1 });
    expect(ending([0, 1], 1, 80).win).toBe(0.5);
    expect(ending([0], 1, 80).win).toBe(0);
  });
});

describe('a review', () => {
  it('is put together from its parts', () => {
    const part = (...steps: number[]) => ({ table: 't', seat: 0, of: 3, choices: steps.map((step) => decision(step, 0, view(0, 1))) });
    const whole = joined(joined(null, part(1, 4)), part(8));
    expect(whole.choices.map((each) => each.step)).toEqual([1, 4, 8]);
  });
});
