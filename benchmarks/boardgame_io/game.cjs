'use strict';

// Two players put down one card each in turn, and get new hands when both have none. It ends after as many choices as
// a match of ours has on average, when both always make the first one.

const { INVALID_MOVE, PlayerView } = require('boardgame.io/core');

const CARDS = 28;
const HAND = 6;
const LENGTH = 79;

function deal(random) {
  const deck = random.Shuffle([...Array(CARDS).keys()]);
  const hands = [0, 1].map(() => deck.splice(0, HAND));
  return { secret: { deck }, players: { 0: { hand: hands[0] }, 1: { hand: hands[1] } } };
}

function play({ G, playerID, random }, cardIndex) {
  const { hand } = G.players[playerID];
  if (!(cardIndex in hand)) return INVALID_MOVE;
  [G.down[playerID]] = hand.splice(cardIndex, 1);
  if (Object.values(G.players).every((player) => player.hand.length === 0)) Object.assign(G, deal(random));
}

module.exports = {
  name: 'thirteen',
  minPlayers: 2,
  maxPlayers: 2,
  setup: ({ random }) => ({ ...deal(random), down: { 0: null, 1: null } }),
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { play },
  endIf: ({ ctx }) => ctx.turn > LENGTH,
};
