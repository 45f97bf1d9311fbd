import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import grpc from '@grpc/grpc-js';

import { FakeService } from './fake_service.js';

const BOT = fileURLToPath(new URL('../bot.js', import.meta.url));

/** @type {FakeService} */
let service;

beforeEach(async () => {
  service = await FakeService.start();
});

afterEach(() => service.kill());

/** @param {string[]} flags */
function run(...flags) {
  const bot = spawn(process.execPath, [BOT, ...flags]);
  const output = { stdout: '', stderr: '' };
  bot.stdout.setEncoding('utf8').on('data', (text) => (output.stdout += text));
  bot.stderr.setEncoding('utf8').on('data', (text) => (output.stderr += text));
  const ended = once(bot, 'close').then(([code]) => code);
  return { bot, output, ended };
}

/** A bot whose stream is open, as it has printed. */
async function ready(/** @type {string[]} */ ...flags) {
  const running = run('--server', service.address, '--name', 'nina', '--key', 'secret', ...flags);
  const stream = await service.streams.take();
  const { hello } = await stream.request();
  stream.welcome();
  await once(running.bot.stdout, 'data');
  assert.equal(running.output.stdout, 'ready\n');
  return { ...running, stream, hello };
}

test('sends hello, plays Ominoes by the typed view and logs the result', async () => {
  const { bot, stream, hello, output, ended } = await ready('--game', 'ominoes');
  assert.deepEqual([hello.player, hello.player_key, hello.games], ['nina', 'secret', ['games/ominoes']]);
  stream.invite(2 ** 31, 'matches/a');
  const any = (/** @type {object} */ fields, /** @type {string} */ type) => ({
    '@type': `type.googleapis.com/gamepacks.ominoes.v1.${type}`,
    ...fields,
  });
  const board = Array(36).fill('FACE_UNSPECIFIED').fill('FACE_RA', 0, 3);
  const players = [{ god: 'GOD_RA', collects: ['GOD_RA'] }, { god: 'GOD_APEP', collects: ['GOD_APEP'] }];
  const adds = [0, 3, 5].map((column) => any({ add: { cell: { row: column === 3 ? 0 : 4, column } } }, 'Action'));
  stream.send({
    turns: [
      {
        channel: 2 ** 31,
        seq: 2,
        codes: [20, 21, 22],
        view: any({ board_size: 6, board, rolled: 'FACE_RA', players }, 'View'),
        actions: adds.map((action, index) => ({ code: 20 + index, action })),
      },
    ],
  });
  assert.equal((await stream.request()).moves[0]?.code, 21);
  stream.send({ ended: [{ channel: 2 ** 31, match: { name: 'matches/a', result: { places: [2, 1] } } }] });
  await once(bot.stderr, 'data');
  bot.kill('SIGTERM');
  assert.equal(await stream.requests.take(), null);
  stream.close(grpc.status.OK);
  assert.equal(await ended, 0);
  assert.equal(output.stderr, 'matches/a: place 2\n');
});

test('exits when standard input closes with --until-eof', async () => {
  const { bot, stream, ended } = await ready('--until-eof');
  bot.stdin.end();
  assert.equal(await stream.requests.take(), null);
  stream.close(grpc.status.OK);
  assert.equal(await ended, 0);
});

test('exits with 1 and the reason when its name is taken', async () => {
  const { output, ended } = run('--server', service.address);
  (await service.streams.take()).close(grpc.status.ALREADY_EXISTS, 'the name node is held by another');
  assert.equal(await ended, 1);
  assert.equal(output.stderr, 'ALREADY_EXISTS: the name node is held by another\n');
  assert.equal(output.stdout, '');
});

test('exits with 2 and the usage for an invalid command line', async () => {
  for (const flags of [['--nonsense'], ['--seed', 'x'], ['--ca', '/nowhere.pem'], ['stray']]) {
    const { output, ended } = run(...flags);
    assert.equal(await ended, 2, flags.join(' '));
    assert.match(output.stderr, /usage: node bot\.js/);
  }
});

test('shows its usage', async () => {
  const { output, ended } = run('--help');
  assert.equal(await ended, 0);
  assert.match(output.stdout, /--until-eof/);
});
