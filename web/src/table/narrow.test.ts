import { describe, expect, it } from 'vitest';
import { board, card, choice, zone } from './examples';
import { complete, drop, equalCards, glowing, hits, keep, touch } from './narrow';

const placing = [choice(0, 'G1', 'G.left'), choice(1, 'G1', 'G.right'), choice(2, 'R2', 'R.left'), choice(3, 'deck')];

describe('what glows', () => {
  it('is every first step before anything is touched', () => {
    expect([...glowing(placing, [])]).toEqual(['G1', 'R2', 'deck']);
  });
  it('is what a touched thing leads to', () => {
    expect([...glowing(placing, ['G1'])]).toEqual(['G.left', 'G.right']);
  });
  it('is nothing where no choice begins so', () => {
    expect(glowing(placing, ['B7']).size).toBe(0);
  });
});

describe('a touch', () => {
  it('lifts a lone thing first and plays it the second time', () => {
    const first = touch(placing, [], ['deck']);
    expect(first).toEqual({ is: 'step', touched: ['deck'], ready: placing[3] });
    expect(touch(placing, ['deck'], ['deck'])).toEqual({ is: 'chosen', choice: placing[3] });
  });
  it('narrows, and the last thing of a longer path plays at once', () => {
    expect(touch(placing, [], ['G1', 'hand0'])).toEqual({ is: 'step', touched: ['G1'], ready: null });
    expect(touch(placing, ['G1'], ['G.left', 'rows'])).toEqual({ is: 'chosen', choice: placing[0] });
  });
  it('on what was touched last goes one step back while nothing is ready', () => {
    expect(touch(placing, ['G1'], ['G1', 'hand0'])).toEqual({ is: 'back', touched: [] });
  });
  it('on another first step begins anew', () => {
    expect(touch(placing, ['G1'], ['R2', 'hand0'])).toEqual({ is: 'step', touched: ['R2'], ready: null });
  });
  it('on an earlier step goes back before it', () => {
    const deep = [choice(0, 'a', 'b', 'c')];
    expect(touch(deep, ['a', 'b'], ['a'])).toEqual({ is: 'back', touched: [] });
  });
  it('on nothing that leads anywhere is dead', () => {
    expect(touch(placing, [], ['B7', 'hand0'])).toEqual({ is: 'dead' });
    expect(touch(placing, ['G1'], ['B7', 'hand0'])).toEqual({ is: 'dead' });
  });
  it('on a button plays at once', () => {
    const say = [choice(0, 'say.stop'), choice(1, 'deck')];
    expect(touch(say, [], ['say.stop'], new Map(), new Set(['say.stop']))).toEqual({ is: 'chosen', choice: say[0] });
  });
  it('can mean the same thing twice in one path', () => {
    const twice = [choice(0, 'a', 'a'), choice(1, 'a', 'b')];
    expect(touch(twice, ['a'], ['a'])).toEqual({ is: 'chosen', choice: twice[0] });
  });
  it('keeps a choice ready that another path goes on from', () => {
    const both = [choice(0, 'a'), choice(1, 'a', 'b')];
    expect(touch(both, [], ['a'])).toEqual({ is: 'step', touched: ['a'], ready: both[0] });
    expect(touch(both, ['a'], ['a'])).toEqual({ is: 'chosen', choice: both[0] });
    expect(touch(both, ['a'], ['b'])).toEqual({ is: 'chosen', choice: both[1] });
  });
  it('on a thing in a zone means the zone where that is to be touched', () => {
    const hands = [choice(0, 'hand1', 'hand2')];
    expect(touch(hands, [], ['hand1.3', 'hand1'])).toEqual({ is: 'step', touched: ['hand1'], ready: null });
  });
  it('on an equal card means the one that the path names', () => {
    const equals = equalCards([zone('hand0', 'fan', [card('3#1', '3'), card('3#2', '3'), card('4#1', '4')])]);
    const play = [choice(0, '3#1', 'top'), choice(1, '3#1', '3#2')];
    expect(touch(play, [], ['3#2', 'hand0'], equals)).toEqual({ is: 'step', touched: ['3#1'], ready: null });
    expect(touch(play, ['3#1'], ['3#2', 'hand0'], equals)).toEqual({ is: 'chosen', choice: play[1] });
    expect(touch(play, ['3#1'], ['3#1', 'hand0'], equals)).toEqual({ is: 'back', touched: [] });
  });
});

describe('a drop', () => {
  it('on a target chooses it', () => {
    expect(drop(placing, ['G1', 'hand0'], ['G.right', 'rows'], true)).toBe(placing[1]);
  });
  it('of a lone thing anywhere on the table plays it', () => {
    expect(drop(placing, ['deck'], [], true)).toBe(placing[3]);
    expect(drop(placing, ['deck'], [], false)).toBeNull();
  });
  it('that fits nothing does nothing', () => {
    expect(drop(placing, ['G1', 'hand0'], ['R.left', 'rows'], true)).toBeNull();
    expect(drop(placing, ['B7'], ['G.left'], true)).toBeNull();
  });
});

it('what was touched is forgotten when it leads nowhere any more', () => {
  expect(keep(placing, ['G1'])).toEqual(['G1']);
  expect(keep([placing[3]!], ['G1'])).toEqual([]);
});

it('a path is complete only when all of it was touched', () => {
  expect(complete(placing, ['G1'])).toBeNull();
  expect(complete(placing, ['G1', 'G.left'])).toBe(placing[0]);
  expect(complete(placing, [])).toBeNull();
});

it('a touch on a thing hits its cell and its zone too', () => {
  const cells = [{ id: 'area1', title: { is: 'text' as const, key: 'k', args: {} }, look: null }];
  const table = board([zone('town', 'board', [card('x', 'x', { at: 0 })], { cells, columns: 1 })]);
  expect(hits(table, 'x')).toEqual(['x', 'area1', 'town']);
  expect(hits(table, 'area1')).toEqual(['area1', 'town']);
  expect(hits(table, 'town')).toEqual(['town']);
  expect(hits(table, 'say.stop')).toEqual(['say.stop']);
});
