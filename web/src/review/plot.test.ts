import { describe, expect, it } from 'vitest';
import { band, changes, line, nextOf, scale, stairs, stepAt, ticks } from './plot';

describe('scales', () => {
  it('lead from values to places', () => {
    const y = scale([0, 10], [100, 0]);
    expect([y(0), y(5), y(10)]).toEqual([100, 50, 0]);
    expect(scale([3, 3], [0, 100])(3)).toBe(0);
  });
  it('have round ticks that hold all values', () => {
    expect(ticks(0, 17, 4)).toEqual([0, 5, 10, 15, 20]);
    expect(ticks(-3, 4, 4)).toEqual([-4, -2, 0, 2, 4]);
    expect(ticks(0, 1, 4)).toEqual([0, 1]);
    expect(ticks(0, 0, 4)).toEqual([0, 1]);
    expect(ticks(0, 240, 4)).toEqual([0, 100, 200, 300]);
  });
});

describe('lines', () => {
  it('go straight, in stairs, or enclose a band', () => {
    expect(line([[0, 1], [2, 3]])).toBe('M0 1L2 3');
    expect(stairs([[0, 1], [2, 3]])).toBe('M0 1H2V3');
    expect(band([[0, 1], [2, 1]], [[0, 5], [2, 6]])).toBe('M0 5L2 6L2 1L0 1Z');
    expect(band([], [])).toBe('');
  });
});

describe('steps', () => {
  it('are found by where somebody touches', () => {
    expect(stepAt(50, 100, 1000, [])).toBe(5);
    expect(stepAt(-20, 100, 1000, [])).toBe(0);
    expect(stepAt(2000, 100, 1000, [])).toBe(100);
  });
  it('with a mark are meant when they are near', () => {
    expect(stepAt(60, 100, 1000, [8, 30])).toBe(8);
    expect(stepAt(110, 100, 1000, [8, 30])).toBe(11);
  });
  it('follow each other', () => {
    expect(nextOf([4, 9, 20], 9, true)).toBe(20);
    expect(nextOf([4, 9, 20], 9, false)).toBe(4);
    expect(nextOf([4, 9, 20], 20, true)).toBeUndefined();
    expect(nextOf([], 0, true)).toBeUndefined();
  });
  it('at which scores change are told', () => {
    expect(changes([[0, 0], [0, 0], [0, 2], [0, 2], [1, 2], [1, 2]])).toEqual([0, 2, 4, 5]);
  });
});
