/**
 * Plays a seat of a match to its end: `node play_elsewhere.js URL MATCH`. tests/web/test_elsewhere.py runs it at a service
 * that does not have the match itself.
 */

import assert from 'node:assert/strict';
import process from 'node:process';

import { Client } from '../dist/index.js';

const [url, match] = process.argv.slice(2);
const client = new Client(url);
const player = await client.join(match, 'web');
const watching = (await client.spectator(match)).follow();
const feed = player.follow();
let acted = -1n;
for (;;) {
  const state = await feed.until((it) => it.connection === 'ended' || (it.legal.length > 0 && it.legalSeq > acted));
  if (state.connection === 'ended') {
    break;
  }
  acted = state.legalSeq;
  await player.submit(state.legal[0].code, acted);
}
const spectator = await watching.until((state) => state.connection === 'ended');
assert.ok(spectator.match.result);
assert.equal(spectator.seq, feed.state.seq);
