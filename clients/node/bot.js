#!/usr/bin/env node
/**
 * A bot for the Omnilude service in Node.js: accepts every invitation and plays all its matches on one stream.
 *
 *     node bot.js --server 127.0.0.1:7878 --name nina --key secret --game ominoes
 *
 * Prints `ready` on standard output when it is connected; everything else goes to standard error. Exit codes: 0 after
 * SIGTERM or SIGINT, 1 after an error for which it does not reconnect, 2 for an invalid command line.
 */

/** @import { HeldSeat } from './lib/play.js' */
/** @import { Match } from './lib/wire.js' */

import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';

import grpc from '@grpc/grpc-js';

import { PlayError, Player } from './lib/play.js';
import { seeded } from './lib/random.js';
import { strategy } from './lib/strategies.js';

const USAGE = `usage: node bot.js [options]
  --server ADDRESS   host:port, or unix:/path/of/socket (default 127.0.0.1:7878) [OMNILUDE_TARGET]
  --name NAME        player name under which the bot is invited (default node) [OMNILUDE_PLAYER]
  --key KEY          secret with which a restarted bot reclaims its name and seats (default: a random one)
                     [OMNILUDE_PLAYER_KEY]
  --game ID          game to accept invitations for; repeatable (default: all) [OMNILUDE_GAME]
  --seed NUMBER      seed of its random choices (default: a random one)
  --ca FILE          certificate authority of the service, PEM (default: no TLS)
  --api-token TOKEN  API token of the service, if it requires one [OMNILUDE_API_TOKEN]
  --until-eof        exit when standard input closes
  --help             show this help

The environment variables in brackets set the same options.`;

function options() {
  const { values } = parseArgs({
    options: {
      server: { type: 'string', default: process.env.OMNILUDE_TARGET ?? '127.0.0.1:7878' },
      name: { type: 'string', default: process.env.OMNILUDE_PLAYER ?? 'node' },
      key: { type: 'string', default: process.env.OMNILUDE_PLAYER_KEY ?? randomBytes(16).toString('hex') },
      game: { type: 'string', multiple: true, default: process.env.OMNILUDE_GAME?.split(' ') ?? [] },
      seed: { type: 'string', default: String(randomInt(2 ** 32)) },
      ca: { type: 'string' },
      'api-token': { type: 'string' },
      'until-eof': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(seed)) {
    throw new TypeError(`--seed must be a whole number, not ${values.seed}`);
  }
  const ca = values.ca === undefined ? undefined : readFileSync(values.ca);
  return { ...values, seed, ca, apiToken: values['api-token'] ?? process.env.OMNILUDE_API_TOKEN };
}

/** @param {string} text */
function log(text) {
  process.stderr.write(`${text}\n`);
}

/** @param {Player} player */
function report(player) {
  let ready = false;
  player.on('ready', () => {
    if (!ready) {
      process.stdout.write('ready\n');
      ready = true;
    }
  });
  player.on('lost', (status, delay) => {
    log(`connection lost (${grpc.status[status.code]}: ${status.details}); reconnecting in ${Math.round(delay)} ms`);
  });
  player.on('refused', ({ match }, result) => log(`${match.name}: refused: ${result.error}: ${result.message}`));
  player.on('dropped', ({ match }, message) => log(`${match.name}: seat lost: ${message}`));
  player.on('failed', ({ match }, error) => log(`${match.name}: ${error.stack}`));
  player.on('ended', (/** @type {HeldSeat} */ { seat }, /** @type {Match} */ { name, state, result }) => {
    log(`${name}: ${result === null ? state : `place ${result.places[seat]}`}`);
  });
}

/** @returns {Promise<number>} the exit code */
async function main() {
  let given;
  try {
    given = options();
  } catch (error) {
    log(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    return 2;
  }
  if (given.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const player = new Player({
    server: given.server,
    name: given.name,
    key: given.key,
    games: given.game,
    choose: strategy(seeded(given.seed)),
    ...(given.ca && { ca: given.ca }),
    ...(given.apiToken && { apiToken: given.apiToken }),
  });
  report(player);
  const stop = () => player.stop();
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (given['until-eof']) {
    process.stdin.on('end', stop).resume();
  }
  try {
    await player.run();
    return 0;
  } catch (error) {
    if (!(error instanceof PlayError)) {
      throw error;
    }
    log(error.message);
    return 1;
  }
}

process.exit(await main());
