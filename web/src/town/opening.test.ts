import { describe, expect, it } from 'vitest';
import type { GameInfo } from '../wire';
import { againstBots, soloParty, told, usualParty } from './opening';

const game = (parties: GameInfo['parties']) => ({ id: 'a', parties }) as GameInfo;

describe('a table against bots', () => {
  it('has company even where one can play alone', () => {
    const either = game([
      { players: 1, seats: 1, options: {} },
      { players: 2, seats: 2, options: {} },
    ]);
    expect(usualParty(either).players).toBe(2);
    expect(soloParty(either)?.players).toBe(1);
  });

  it('is played as usual where fewer people would need an option', () => {
    const usually4 = game([
      { players: 2, seats: 4, options: { players: 2 } },
      { players: 4, seats: 4, options: {} },
    ]);
    expect(againstBots(usually4, usualParty(usually4), 'easy')).toEqual({
      game: 'a',
      seats: ['me', 'easy', 'easy', 'easy'],
      options: {},
    });
    expect(soloParty(usually4)).toBeUndefined();
  });
});

it('numbers of people are told shortly', () => expect([told([2]), told([3, 4, 5])]).toEqual(['2', '3–5']));
