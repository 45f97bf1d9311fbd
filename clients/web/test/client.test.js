import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { toJson } from '@bufbuild/protobuf';
import * as node from '@connectrpc/connect-node';
import * as web from '@connectrpc/connect-web';

import { Client, refusalOf } from '../dist/index.js';
import { Service } from './service.js';

let service;
/** Options of transports that speak JSON: the messages of the game, which an Any holds, must be known. */
let jsonOptions;
before(async () => {
  service = await Service.start();
  jsonOptions = { registry: (await new Client(service.url).describe('games/ominoes')).registry };
});
after(() => service.stop());

/** Plays a seat to the end of its match, by the first legal action, and returns the last state. Resigns after `turns`. */
async function play(player, onTurn = () => {}, turns = Infinity) {
  const feed = player.follow();
  let acted = -1n;
  for (;;) {
    const state = await feed.until((it) => it.connection === 'ended' || (it.legal.length > 0 && it.legalSeq > acted));
    if (state.connection === 'ended') {
      return state;
    }
    acted = state.legalSeq;
    await onTurn(state);
    turns -= 1;
    await (turns > 0 ? player.submit(state.legal[0].code, state.legalSeq) : player.resign());
  }
}

async function newMatch(client, seats = ['open', 'open']) {
  const { match } = await client.create('games/ominoes', { seats });
  const players = [];
  for (const seat of seats.keys()) {
    if (seats[seat] === 'open') {
      players.push(await client.join(match.name, `player ${seat}`, seat));
    }
  }
  return players;
}

const transports = {
  'connect-web, Connect, binary': (baseUrl) => web.createConnectTransport({ baseUrl, useBinaryFormat: true }),
  'connect-web, Connect, JSON': (baseUrl) => web.createConnectTransport({ baseUrl, jsonOptions }),
  'connect-web, gRPC-Web': (baseUrl) => web.createGrpcWebTransport({ baseUrl }),
  'connect-node, Connect, binary': (baseUrl) =>
    node.createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: true }),
  'connect-node, Connect, JSON': (baseUrl) =>
    node.createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false, jsonOptions }),
  'connect-node, gRPC-Web': (baseUrl) => node.createGrpcWebTransport({ baseUrl, httpVersion: '1.1' }),
};

for (const [name, make] of Object.entries(transports)) {
  test(`a match against a bot: ${name}`, async () => {
    const client = new Client(service.url, { transport: make(service.url) });
    assert.deepEqual((await client.games()).map((game) => game.name), ['games/ominoes']);
    const [player] = await newMatch(client, ['open', 'random']);
    const state = await play(player, undefined, 8);
    assert.equal(state.match.result.places.length, 2);
    const refusal = await player.submit(1).then(assert.fail, refusalOf);
    assert.equal(refusal.reason, 'MATCH_ENDED');
    assert.match(refusal.message, /ended/);
    const unknown = await client.matches.getMatch({ name: 'matches/none' }).then(assert.fail, refusalOf);
    assert.equal(unknown.reason, 'UNKNOWN_MATCH');
  });
}

test('two players and a spectator receive the same events, views and result', async () => {
  const client = new Client(service.url);
  const [first, second] = await newMatch(client);
  const watching = (await client.spectator(first.match)).follow();
  let views = 0;
  const ended = await Promise.all([
    play(first, (state) => {
      views += state.view.$typeName === 'gamepacks.ominoes.v1.View' ? 1 : 0;
      assert.ok(state.legal.every((move) => move.label && move.action));
    }),
    play(second),
  ]);
  const spectator = await watching.until((state) => state.connection === 'ended');
  assert.ok(views > 0);
  for (const state of [...ended, spectator]) {
    assert.deepEqual(state.events.map((event) => event.label), ended[0].events.map((event) => event.label));
    assert.deepEqual(state.match.result.places, ended[0].match.result.places);
  }
});

test('a typed action is accepted like its code, and whyNot returns why another is refused', async () => {
  const client = new Client(service.url);
  const players = await newMatch(client);
  const feeds = players.map((player) => player.follow());
  const acting = await Promise.race(feeds.map((feed, seat) => feed.until((it) => it.legal.length > 0).then(() => seat)));
  const [player, state] = [players[acting], feeds[acting].state];
  const refusal = await player.whyNot(2 ** 30);
  assert.equal(refusal.reason, 'ILLEGAL_ACTION');
  assert.ok(refusal.metadata.pack_reason);
  assert.equal(await player.whyNot(state.legal[0].code), undefined);
  const { game, registry } = await client.describe(player.game);
  const json = toJson(registry.getMessage(game.messageTypes.action), state.legal[0].action);
  const done = await player.submit(json, state.legalSeq);
  assert.equal(done.code, state.legal[0].code);
  const stale = await player.submit(state.legal[1].code, state.legalSeq).then(assert.fail, refusalOf);
  assert.ok(['STALE_SEQUENCE', 'NOT_YOUR_TURN'].includes(stale.reason));
  feeds.forEach((feed) => feed.close());
});

test('an action is taken back when the other agrees, and its events leave the state', async () => {
  const client = new Client(service.url);
  const players = await newMatch(client);
  const feeds = players.map((player) => player.follow());
  const acting = await Promise.race(feeds.map((feed, seat) => feed.until((it) => it.legal.length > 0).then(() => seat)));
  const before = feeds[acting].state;
  const { actionSeq } = await players[acting].submit(before.legal[0].code, before.legalSeq);
  await feeds[acting].until((it) => it.events.some((event) => event.seq === actionSeq));
  const { seq } = await players[acting].requestUndo(actionSeq - 1n);
  await players[1 - acting].answerUndo(seq, true);
  const state = await feeds[acting].until((it) => it.legalSeq > seq && it.legal.length > 0);
  assert.ok(!state.events.some((event) => event.seq === actionSeq));
  assert.deepEqual(state.legal.map((move) => move.code), before.legal.map((move) => move.code));
  await players[acting].resign();
  await feeds[acting].until((it) => it.connection === 'ended');
  feeds.forEach((feed) => feed.close());
});

test('a feed survives kill -9 of the service and loses nothing', async () => {
  const client = new Client(service.url);
  const players = await newMatch(client);
  let kills = 0;
  const [first] = await Promise.all([
    play(players[0], async (state) => {
      if (kills === 0 && state.events.length > 10) {
        kills += 1;
        await service.kill();
        setTimeout(() => service.run(), 100);
      }
    }),
    play(players[1]),
  ]);
  assert.equal(kills, 1);
  const again = players[0].follow();
  const whole = await again.until((state) => state.connection === 'ended');
  assert.deepEqual(first.events.map((event) => event.seq), whole.events.map((event) => event.seq));
});

test('a feed of a match that does not exist, or with a wrong token, fails with the reason', async () => {
  const client = new Client(service.url);
  await assert.rejects(client.spectator('matches/none'), (error) => refusalOf(error).reason === 'UNKNOWN_MATCH');
  const [player] = await newMatch(client);
  const feed = (await client.player(player.match, 'wrong', 0)).follow();
  await assert.rejects(feed.until(() => false), (error) => refusalOf(error).reason === 'TOKEN_INVALID');
  assert.equal(feed.state.connection, 'failed');
});
