'use strict';

// boardgame.io's own server with our game: `node server.cjs PORT memory` or `node server.cjs PORT flatfile DIR`.
// It listens on loopback only; port 0 is any free one. What it writes when it can be used: `ready PORT`.
//
// FlatFile needs node-persist. This is the first release that boardgame.io's own package.json allows: later ones queue
// what is written, and while few play a write may wait for the next tick of a clock, up to a second.
//
// package.json also keeps koa-compose at 4.1: since 4.2 it no longer sees what is added after the server was made, and
// the whole lobby is "Not Found".

const { FlatFile, Origins, Server } = require('boardgame.io/server');

const game = require('./game.cjs');

const [port, storage, dir] = process.argv.slice(2);
const stores = { memory: () => undefined, flatfile: () => new FlatFile({ dir }) };

async function main() {
  if (!(storage in stores) || (storage === 'flatfile') !== (dir !== undefined)) {
    throw new Error('usage: node server.cjs PORT memory | node server.cjs PORT flatfile DIR');
  }
  const server = Server({ games: [game], db: stores[storage](), origins: [Origins.LOCALHOST] });
  const { appServer } = await server.run({ port: { host: '127.0.0.1', port: Number(port) } });
  console.log(`ready ${appServer.address().port}`);
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
