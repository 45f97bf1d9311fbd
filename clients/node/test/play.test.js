import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, beforeEach, test } from 'node:test';

import grpc from '@grpc/grpc-js';

import { PlayError, Player } from '../lib/play.js';
import { FakeService } from './fake_service.js';

/** @import { Choose } from '../lib/play.js' */

/** @type {FakeService} */
let service;
/** @type {{ player: Player, running: Promise<void> }[]} */
let started = [];

beforeEach(async () => {
  service = await FakeService.start();
});

afterEach(async () => {
  started.forEach(({ player }) => player.stop());
  service.kill();
  await Promise.allSettled(started.map(({ running }) => running));
  started = [];
});

/**
 * @param {Choose} choose
 * @param {object} [more] options
 */
function start(choose = (turn) => turn.codes[0] ?? -1, more = {}) {
  const player = new Player({
    server: service.address,
    name: 'nina',
    key: 'secret',
    games: ['ominoes'],
    choose,
    ...more,
  });
  const running = player.run();
  running.catch(() => {}); // a test that expects it to fail awaits it
  started.push({ player, running });
  return { player, running };
}

/** A stream after hello and welcome. */
async function opened() {
  const stream = await service.streams.take();
  const { hello, attach } = await stream.request();
  stream.welcome();
  return { stream, hello, attach };
}

test('says hello with its name, key and games, and asks for views and typed actions', async () => {
  const { player } = start();
  const { hello, attach } = await opened();
  assert.deepEqual(
    [hello.player, hello.player_key, hello.games, hello.views, hello.typed_actions],
    ['nina', 'secret', ['games/ominoes'], true, true],
  );
  assert.deepEqual(attach, []);
  await once(player, 'ready');
});

test('sends the api token as a bearer', async () => {
  start(undefined, { apiToken: 'abc' });
  const { stream } = await opened();
  assert.deepEqual(stream.call.metadata.get('authorization'), ['Bearer abc']);
});

test('answers the turns of many matches in one message', async () => {
  start((turn) => /** @type {number} */ (turn.codes.at(-1)));
  const { stream } = await opened();
  stream.invite(2 ** 31, 'matches/a');
  stream.invite(2 ** 31 + 1, 'matches/b');
  stream.send({
    turns: [
      { channel: 2 ** 31, seq: 3, codes: [7, 8] },
      { channel: 2 ** 31 + 1, seq: 5, codes: [9] },
    ],
  });
  const { moves } = await stream.request();
  assert.deepEqual(
    moves.map(({ channel, seq, code }) => ({ channel, seq, code })),
    [
      { channel: 2 ** 31, seq: 3, code: 8 },
      { channel: 2 ** 31 + 1, seq: 5, code: 9 },
    ],
  );
});

test('attaches its seats again after a lost stream and sends the same move for the same decision', async () => {
  let decisions = 0;
  const { player } = start(() => {
    decisions += 1;
    return 10 + decisions;
  });
  const first = (await opened()).stream;
  first.invite(2 ** 31, 'matches/a', 1);
  first.send({ updates: [{ channel: 2 ** 31, seq: 4, events: [] }] });
  first.send({ turns: [{ channel: 2 ** 31, seq: 4, codes: [11, 12, 13] }] });
  assert.equal((await first.request()).moves[0]?.code, 11);
  first.close(grpc.status.UNAVAILABLE, 'shutting down');
  await once(player, 'lost');

  const { stream: second, attach } = await opened();
  assert.deepEqual(
    attach.map(({ match, token, after_seq }) => ({ match, token, after_seq })),
    [{ match: 'matches/a', token: 'token of matches/a', after_seq: 4 }],
  );
  const channel = attach[0]?.channel ?? -1;
  assert.ok(channel > 0 && channel < 2 ** 31, 'numbers from 2^31 on are the service’s own');
  second.send({ attached: [{ channel, seat: 1 }], turns: [{ channel, seq: 4, codes: [11, 12, 13] }] });
  assert.equal((await second.request()).moves[0]?.code, 11);
  second.send({ turns: [{ channel, seq: 6, codes: [11, 12, 13] }] });
  assert.equal((await second.request()).moves[0]?.code, 12);
  assert.equal(decisions, 2);
});

test('reconnects when the service was killed and restarted', async () => {
  start();
  const first = (await opened()).stream;
  first.invite(2 ** 31, 'matches/a');
  first.send({ turns: [{ channel: 2 ** 31, seq: 2, codes: [1] }] });
  await first.request();
  const { port } = service;
  service.kill();
  service = await FakeService.start(port);
  const { attach } = await opened();
  assert.equal(attach[0]?.match, 'matches/a');
});

test('replaces a stream without heartbeats', async () => {
  const { player } = start();
  const stream = await service.streams.take();
  stream.welcome(20);
  const [status] = await once(player, 'lost');
  assert.equal(status.code, grpc.status.CANCELLED);
  await opened();
});

test('reconnects when the service closes the stream', async () => {
  start();
  (await opened()).stream.close(grpc.status.OK);
  await opened();
});

test('does not reconnect after a permanent error', async () => {
  const { running } = start();
  const stream = await service.streams.take();
  stream.close(grpc.status.ALREADY_EXISTS, 'the name nina is held by another');
  await assert.rejects(running, (error) => {
    assert.ok(error instanceof PlayError);
    assert.equal(error.message, 'ALREADY_EXISTS: the name nina is held by another');
    return true;
  });
});

test('sends the same move again when the store could not be written', async () => {
  const { player } = start((turn) => turn.codes[0] ?? -1);
  const { stream } = await opened();
  stream.invite(2 ** 31, 'matches/a');
  stream.send({ turns: [{ channel: 2 ** 31, seq: 2, codes: [5, 6] }] });
  await stream.request();
  stream.send({ results: [{ channel: 2 ** 31, seq: 2, error: 'ERROR_REASON_STORE_UNAVAILABLE' }] });
  const [, result] = await once(player, 'refused');
  assert.equal(result.error, 'ERROR_REASON_STORE_UNAVAILABLE');
  const { moves } = await stream.request();
  assert.deepEqual([moves[0]?.seq, moves[0]?.code], [2, 5]);
});

test('chooses again when its move was refused and the turn is sent again', async () => {
  let next = 5;
  const { player } = start(() => next++);
  const { stream } = await opened();
  stream.invite(2 ** 31, 'matches/a');
  const turn = { channel: 2 ** 31, seq: 2, codes: [5, 6] };
  stream.send({ turns: [turn] });
  assert.equal((await stream.request()).moves[0]?.code, 5);
  stream.send({ results: [{ channel: 2 ** 31, seq: 2, error: 'ERROR_REASON_STALE_SEQUENCE' }] });
  await once(player, 'refused');
  stream.send({ turns: [turn] });
  assert.equal((await stream.request()).moves[0]?.code, 6);
});

test('plays a random legal action when the strategy fails', async () => {
  const { player } = start((turn) => {
    if (turn.seq === 2) {
      throw new Error('no idea');
    }
    return 99;
  });
  /** @type {Error[]} */
  const failures = [];
  player.on('failed', (_seat, error) => failures.push(error));
  const { stream } = await opened();
  stream.invite(2 ** 31, 'matches/a');
  stream.send({ turns: [{ channel: 2 ** 31, seq: 2, codes: [5, 6] }] });
  assert.ok([5, 6].includes((await stream.request()).moves[0]?.code ?? -1));
  stream.send({ turns: [{ channel: 2 ** 31, seq: 4, codes: [7] }] });
  assert.equal((await stream.request()).moves[0]?.code, 7);
  assert.deepEqual(
    failures.map(({ message }) => message),
    ['no idea', 'choose() returned 99, which is not one of the legal codes'],
  );
});

test('accepts the undo request of another seat and does not answer its own', async () => {
  start();
  const { stream } = await opened();
  stream.invite(2 ** 31, 'matches/a', 1);
  const asked = (/** @type {number} */ seat, /** @type {number} */ seq) => ({
    updates: [{ channel: 2 ** 31, seq, events: [{ seq, seat, kind: 'RECORD_KIND_UNDO_REQUESTED' }] }],
  });
  stream.send(asked(1, 8));
  stream.send(asked(0, 9));
  const { undo_answers: answers } = await stream.request();
  assert.deepEqual(
    answers.map(({ channel, request_seq, accept }) => ({ channel, request_seq: Number(request_seq), accept })),
    [{ channel: 2 ** 31, request_seq: 9, accept: true }],
  );
  stream.send({ turns: [{ channel: 2 ** 31, seq: 10, codes: [1] }] });
  assert.equal((await stream.request()).moves.length, 1, 'exactly one answer was sent');
});

test('forgets matches that ended and seats that are no longer its own', async () => {
  const { player } = start();
  const first = (await opened()).stream;
  first.invite(2 ** 31, 'matches/a');
  first.invite(2 ** 31 + 1, 'matches/b');
  const ending = once(player, 'ended');
  first.send({ ended: [{ channel: 2 ** 31, match: { name: 'matches/a', result: { places: [1, 2] } } }] });
  const [seat, match] = await ending;
  assert.equal(seat.match.name, 'matches/a');
  assert.deepEqual(match.result.places, [1, 2]);
  first.close(grpc.status.UNAVAILABLE);

  const { stream: second, attach } = await opened();
  assert.deepEqual(
    attach.map((entry) => entry.match),
    ['matches/b'],
  );
  const dropping = once(player, 'dropped');
  second.send({
    attached: [{ channel: attach[0]?.channel, error: 'ERROR_REASON_TOKEN_INVALID', message: 'not a token of it' }],
  });
  assert.equal((await dropping)[1], 'not a token of it');
  assert.equal(player.seats, 0);
});

test('attaches a seat again that was refused for a temporary reason', async () => {
  const { player } = start();
  const first = (await opened()).stream;
  first.invite(2 ** 31, 'matches/a');
  await once(player, 'invited');
  first.close(grpc.status.UNAVAILABLE);
  const { stream, attach } = await opened();
  let channel = attach[0]?.channel;
  for (const error of ['ERROR_REASON_LIMIT_REACHED', 'ERROR_REASON_STORE_UNAVAILABLE']) {
    stream.send({ attached: [{ channel, error, message: 'later' }] });
    const { attach: again } = await stream.request();
    assert.deepEqual(
      again.map((entry) => entry.match),
      ['matches/a'],
    );
    assert.notEqual(again[0]?.channel, channel);
    channel = again[0]?.channel;
  }
  stream.send({
    attached: [{ channel, match: { name: 'matches/a' } }],
    turns: [{ channel, seq: 2, codes: [5] }],
  });
  assert.equal((await stream.request()).moves[0]?.code, 5);
  assert.equal(player.seats, 1);
});

test('stop() closes the stream and ends run()', async () => {
  const { player, running } = start();
  const { stream } = await opened();
  await once(player, 'ready');
  player.stop();
  assert.equal(await stream.requests.take(), null);
  stream.close(grpc.status.OK);
  await running;
});

test('stop() ends run() while it waits to reconnect', async () => {
  service.kill();
  const { player, running } = start();
  await once(player, 'lost');
  player.stop();
  await running;
});

test('plays the seat of a match that another service has on an additional stream there', async () => {
  const other = await FakeService.start();
  /** @type {string[]} */
  const ended = [];
  try {
    const { player } = start((turn) => turn.codes[1] ?? -1);
    player.on('ended', ({ match }) => ended.push(match.name));
    const first = (await opened()).stream;
    first.invite(2 ** 31, 'matches/a-7');
    first.close(grpc.status.UNAVAILABLE, 'shutting down');
    const second = await opened();
    assert.equal(second.hello?.additional, false);
    const channel = second.attach[0]?.channel;
    second.stream.send({
      attached: [{ channel, error: 'ERROR_REASON_MATCH_ELSEWHERE', address: other.address }],
    });
    const stream = await other.streams.take();
    const { hello } = await stream.request();
    assert.deepEqual([hello?.player, hello?.player_key, hello?.additional], ['nina', 'secret', true]);
    stream.welcome();
    const [attach] = (await stream.request()).attach;
    assert.deepEqual([attach?.match, attach?.token], ['matches/a-7', 'token of matches/a-7']);
    stream.send({ turns: [{ channel: attach?.channel, seq: 2, codes: [7, 8] }] });
    assert.equal((await stream.request()).moves[0]?.code, 8);
    stream.send({ ended: [{ channel: attach?.channel, match: { name: 'matches/a-7' } }] });
    await once(player, 'ended');
    assert.deepEqual([ended, player.seats], [['matches/a-7'], 0]);
  } finally {
    other.kill();
  }
});

test('is invited at a service that another one refers it to, and returns its seats when that is gone', async () => {
  const other = await FakeService.start();
  start();
  const { stream } = await opened();
  stream.send({ referrals: [{ address: other.address }, { address: other.address }] });
  const additional = await other.streams.take();
  await additional.request();
  additional.welcome();
  additional.invite(2 ** 31, 'matches/b-7');
  additional.send({ turns: [{ channel: 2 ** 31, seq: 2, codes: [7] }] });
  assert.equal((await additional.request()).moves[0]?.code, 7);
  other.kill();
  const [attach] = (await stream.request()).attach;
  assert.equal(attach?.match, 'matches/b-7');
});
