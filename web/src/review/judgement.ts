// What a review says about the decisions of a seat: how its chances went, and where a better choice existed.
import type { AdvisedView, Review, ReviewedChoice } from '../wire';

/** A choice counts as worse from this much of the chance to win on; from the other on it counts as a blunder. */
const WORSE = 0.03;
const BLUNDER = 0.12;

export interface Point {
  step: number;
  win: number;
  low: number;
  high: number;
}

export interface Mistake {
  step: number;
  chosen: AdvisedView;
  better: AdvisedView;
  lost: number;
  isBlunder: boolean;
}

export function advised(decision: ReviewedChoice): AdvisedView | undefined {
  return decision.choices.find((each) => each.choice.number === decision.chosen.number);
}

export function best(choices: readonly AdvisedView[]): AdvisedView {
  return choices.reduce((one, other) => (other.win > one.win ? other : one));
}

/** What the seat could expect at every decision, from what it knew then. */
export function course(decisions: readonly ReviewedChoice[]): Point[] {
  return decisions.map(({ step, choices }) => {
    const { win, low, high } = best(choices);
    return { step, win, low, high };
  });
}

/** The end as a point: who shares a win has their share of it. */
export function ending(winners: readonly number[], seat: number, steps: number): Point {
  const win = winners.includes(seat) ? 1 / winners.length : 0;
  return { step: steps, win, low: win, high: win };
}

/** Decisions in which another choice was better beyond doubt, in the order of the game. */
export function mistakes(decisions: readonly ReviewedChoice[]): Mistake[] {
  return decisions.flatMap((decision) => {
    const chosen = advised(decision);
    if (!chosen) return [];
    const better = best(decision.choices);
    const lost = better.win - chosen.win;
    if (lost < WORSE || better.low <= chosen.high) return [];
    return [{ step: decision.step, chosen, better, lost, isBlunder: lost >= BLUNDER }];
  });
}

/** A review of which more parts came. */
export function joined(so: Review | null, part: Review): Review {
  return so ? { ...part, choices: [...so.choices, ...part.choices] } : part;
}
