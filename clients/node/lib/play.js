/**
 * PlayService from a player's side: one stream, many matches, reconnecting by itself.
 *
 * The rules of the stream stand in protos/omnilude/v1/play_service.proto. In short: invitations bring seats, turns ask
 * for moves, each turn and move carries the sequence number of its decision. After a lost connection every seat is
 * attached again and a decision still owed comes anew; a move already chosen for it is sent again as it was, so
 * nothing is lost and nothing counts twice.
 */

/** @import { Match, Move, PlayRequest, PlayResponse, Turn } from './wire.js' */

import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import grpc from '@grpc/grpc-js';

import { loadContract } from './protos.js';

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5000;
// A stream on which nothing came for so many heartbeats is dead, whatever TCP says.
const HEARTBEATS_MISSED = 3;
// How long the service may take to close its side of the stream after ours.
const CLOSING_MS = 2000;

// How long to leave a service alone that refused a move for a reason that passes.
const MOVE_RETRY_MS = 500;

// Names of omnilude.v1.ErrorReason: no error, and the refusals after which the same entry can succeed later.
const ACCEPTED = 'ERROR_REASON_UNSPECIFIED';
const PASSING = new Set([
  'ERROR_REASON_STORE_UNAVAILABLE',
  'ERROR_REASON_LIMIT_REACHED',
  'ERROR_REASON_SHUTTING_DOWN',
]);

/** Connecting again cannot help: the name is held by another, the token is wrong, the service speaks otherwise. */
const FATAL = new Set([
  grpc.status.INVALID_ARGUMENT,
  grpc.status.ALREADY_EXISTS,
  grpc.status.PERMISSION_DENIED,
  grpc.status.UNAUTHENTICATED,
  grpc.status.UNIMPLEMENTED,
]);

/** @typedef {grpc.ClientDuplexStream<PlayRequest, PlayResponse>} PlayStream */

/**
 * A seat that this player holds.
 *
 * @typedef {object} HeldSeat
 * @property {Match} match as of the invitation
 * @property {number} seat index, from 0
 * @property {string} token proves the seat, on a new stream as well
 * @property {number} channel stands for the seat on the present stream
 * @property {number} afterSeq everything up to here has been received
 * @property {{ seq: number, code: number } | null} answer the newest decision made
 * @property {number} refusals how often in a row it could not be attached for a reason that passes
 */

/**
 * Decides: the legal codes are turn.codes. May be slow (a promise), may not block.
 *
 * @typedef {(turn: Turn, seat: HeldSeat) => number | Promise<number>} Choose
 */

/**
 * @typedef {object} PlayerOptions
 * @property {string} server host:port, or unix:/path/of/socket
 * @property {string} name under which the player is invited
 * @property {string} key a secret of its own, which lets it take its name over after a lost connection
 * @property {string[]} games ids of the games it wants to be invited to; empty: all
 * @property {Choose} choose
 * @property {Buffer} [ca] PEM of the authority that signed the service's certificate; absent: no TLS
 * @property {string} [apiToken] where the service asks for one
 */

/** The stream ended in a way that connecting again cannot mend. */
export class PlayError extends Error {
  /** @param {grpc.StatusObject} status */
  constructor(status) {
    super(`${grpc.status[status.code]}: ${status.details}`);
    this.name = 'PlayError';
    this.code = status.code;
  }
}

/**
 * A player. Events: 'ready' (welcomed, each time), 'invited' (seat), 'refused' (seat, result), 'dropped' (seat, message),
 * 'failed' (seat, error of choose; a random legal action is sent), 'ended' (seat, match), 'lost' (status, delay in ms).
 */
export class Player extends EventEmitter {
  /** @type {Map<string, HeldSeat>} by match and index: what is attached again */
  #seats = new Map();
  /** @type {Map<number, HeldSeat>} by channel of the present stream */
  #channels = new Map();
  #lastChannel = 0;
  /** @type {PlayStream | null} */
  #call = null;
  #stopping = new AbortController();

  /** @param {PlayerOptions} options */
  constructor(options) {
    super();
    this.options = options;
  }

  /** How many seats it holds in matches that have not ended. */
  get seats() {
    return this.#seats.size;
  }

  /** Plays until stop() is called. Rejects with PlayError when connecting again cannot help. */
  async run() {
    const { server, ca } = this.options;
    // A package definition is typed by name only when code is generated from it.
    const contract = /** @type {any} */ (loadContract());
    const client = new contract.omnilude.v1.PlayService(
      server,
      ca === undefined ? grpc.credentials.createInsecure() : grpc.credentials.createSsl(ca),
      {
        'grpc.initial_reconnect_backoff_ms': FIRST_DELAY_MS,
        'grpc.max_reconnect_backoff_ms': LONGEST_DELAY_MS,
        'grpc.max_receive_message_length': -1,
      },
    );
    let delay = FIRST_DELAY_MS;
    try {
      while (!this.#stopping.signal.aborted) {
        const { status, welcomed } = await this.#stream(client);
        if (this.#stopping.signal.aborted) {
          break;
        }
        if (FATAL.has(status.code)) {
          throw new PlayError(status);
        }
        delay = welcomed ? FIRST_DELAY_MS : Math.min(2 * delay, LONGEST_DELAY_MS);
        // Many bots that lost one service shall not all come back in the same instant.
        const wait = delay * (0.5 + Math.random());
        this.emit('lost', status, wait);
        await sleep(wait, undefined, { signal: this.#stopping.signal }).catch(() => {});
      }
    } finally {
      client.close();
    }
  }

  /** Ends the stream and run(). The seats stay taken. */
  stop() {
    this.#stopping.abort();
    const call = this.#call;
    if (call !== null) {
      call.end();
      setTimeout(() => call.cancel(), CLOSING_MS).unref();
    }
  }

  /**
   * One stream from hello to its end.
   *
   * @param {any} client
   * @returns {Promise<{ status: grpc.StatusObject, welcomed: boolean }>}
   */
  #stream(client) {
    const metadata = new grpc.Metadata();
    if (this.options.apiToken !== undefined) {
      metadata.set('authorization', `Bearer ${this.options.apiToken}`);
    }
    /** @type {PlayStream} */
    const call = client.Play(metadata);
    this.#call = call;
    call.write(this.#opening());
    return new Promise((resolve) => {
      let welcomed = false;
      let patience = 0;
      /** @type {NodeJS.Timeout | undefined} */
      let watchdog;
      call.on('data', (/** @type {PlayResponse} */ response) => {
        if (response.welcome) {
          welcomed = true;
          patience = HEARTBEATS_MISSED * response.welcome.heartbeat_ms;
          this.emit('ready');
        }
        clearTimeout(watchdog);
        if (patience > 0) {
          watchdog = setTimeout(() => call.cancel(), patience);
        }
        this.#take(call, response);
      });
      call.on('error', () => {}); // 'status' tells the same, and comes at every end
      call.on('status', (/** @type {grpc.StatusObject} */ status) => {
        clearTimeout(watchdog);
        this.#call = null;
        resolve({ status, welcomed });
      });
    });
  }

  /** @returns {PlayRequest} the first message: hello, and every seat held before */
  #opening() {
    const { name, key, games } = this.options;
    this.#channels.clear();
    const attach = [...this.#seats.values()].map((seat) => this.#attach(seat));
    const hello = {
      player: name,
      player_key: key,
      games: games.map((game) => `games/${game}`),
      views: true,
      typed_actions: true,
    };
    return { hello, attach };
  }

  /**
   * @param {HeldSeat} seat gets a channel of its own on the present stream
   * @returns {NonNullable<PlayRequest['attach']>[number]}
   */
  #attach(seat) {
    this.#lastChannel += 1;
    seat.channel = this.#lastChannel;
    this.#channels.set(seat.channel, seat);
    return { channel: seat.channel, match: seat.match.name, token: seat.token, after_seq: seat.afterSeq };
  }

  /**
   * Takes what came, in the order that the contract gives its fields.
   *
   * @param {PlayStream} call
   * @param {PlayResponse} response
   */
  #take(call, response) {
    for (const { channel, match, seat: index, token } of response.invitations) {
      const seat = { match, seat: index, token, channel, afterSeq: 0, answer: null, refusals: 0 };
      this.#seats.set(keyOf(match.name, index), seat);
      this.#channels.set(channel, seat);
      this.emit('invited', seat);
    }
    for (const { channel, error, message } of response.attached) {
      const seat = this.#channels.get(channel);
      if (PASSING.has(error)) {
        this.#attachLater(call, channel);
      } else if (error !== ACCEPTED) {
        this.#drop(channel, message);
      } else if (seat !== undefined) {
        seat.refusals = 0;
      }
    }
    for (const result of response.results) {
      this.#takeResult(call, result);
    }
    this.#answerUndo(call, response.updates);
    if (response.turns.length > 0) {
      void this.#answerTurns(call, response.turns);
    }
    for (const { channel, match } of response.ended) {
      const seat = this.#forget(channel);
      if (seat !== undefined) {
        this.emit('ended', seat, match);
      }
    }
  }

  /**
   * @param {PlayStream} call
   * @param {PlayResponse['results'][number]} result
   */
  #takeResult(call, result) {
    const seat = this.#channels.get(result.channel);
    if (seat === undefined || result.error === ACCEPTED) {
      return;
    }
    this.emit('refused', seat, result);
    const { answer, channel } = seat;
    if (answer?.seq !== result.seq) {
      return; // the refusal of an undo answer, or of a decision that is past
    }
    if (!PASSING.has(result.error)) {
      seat.answer = null;
      return;
    }
    setTimeout(() => {
      if (call === this.#call && seat.answer === answer) {
        call.write({ moves: [{ channel, ...answer }] });
      }
    }, MOVE_RETRY_MS).unref();
  }

  /**
   * A bot has no reason to hold anybody to a slip: it agrees to every undo.
   *
   * @param {PlayStream} call
   * @param {PlayResponse['updates']} updates
   */
  #answerUndo(call, updates) {
    const answers = [];
    for (const { channel, events, seq } of updates) {
      const seat = this.#channels.get(channel);
      if (seat === undefined) {
        continue;
      }
      seat.afterSeq = seq;
      for (const event of events) {
        if (event.kind === 'RECORD_KIND_UNDO_REQUESTED' && event.seat !== seat.seat) {
          answers.push({ channel, request_seq: event.seq, accept: true });
        }
      }
    }
    if (answers.length > 0) {
      call.write({ undo_answers: answers });
    }
  }

  /**
   * Decides all turns of one message and answers them in one.
   *
   * @param {PlayStream} call
   * @param {Turn[]} turns
   */
  async #answerTurns(call, turns) {
    const moves = await Promise.all(turns.map((turn) => this.#decide(turn)));
    // A stream that was lost while we thought: the turns come again on the next, and find their answers.
    if (call === this.#call && !this.#stopping.signal.aborted) {
      call.write({ moves: moves.filter((move) => move !== null) });
    }
  }

  /**
   * @param {Turn} turn
   * @returns {Promise<Move | null>}
   */
  async #decide(turn) {
    const seat = this.#channels.get(turn.channel);
    if (seat === undefined) {
      return null;
    }
    if (seat.answer?.seq !== turn.seq) {
      seat.answer = { seq: turn.seq, code: await this.#choose(turn, seat) };
    }
    return { channel: turn.channel, ...seat.answer };
  }

  /**
   * One that fails must not hold up its match, nor the others on the stream.
   *
   * @param {Turn} turn
   * @param {HeldSeat} seat
   * @returns {Promise<number>} a legal code
   */
  async #choose(turn, seat) {
    try {
      const code = await this.options.choose(turn, seat);
      if (turn.sampled || turn.codes.includes(code)) {
        return code;
      }
      throw new RangeError(`choose() returned ${code}, which is not one of the legal codes`);
    } catch (error) {
      this.emit('failed', seat, error);
      return /** @type {number} */ (turn.codes[Math.floor(Math.random() * turn.codes.length)]);
    }
  }

  /**
   * A seat could not be attached for a reason that passes: it is tried again, with growing pauses.
   *
   * @param {PlayStream} call
   * @param {number} channel
   */
  #attachLater(call, channel) {
    const seat = this.#channels.get(channel);
    this.#channels.delete(channel);
    if (seat === undefined) {
      return;
    }
    const wait = Math.min(FIRST_DELAY_MS * 2 ** seat.refusals, LONGEST_DELAY_MS) * (0.5 + Math.random());
    seat.refusals += 1;
    setTimeout(() => {
      // Not where the stream was lost, or an invitation has brought the seat meanwhile.
      if (call === this.#call && this.#seats.get(keyOf(seat.match.name, seat.seat)) === seat) {
        call.write({ attach: [this.#attach(seat)] });
      }
    }, wait).unref();
  }

  /**
   * @param {number} channel
   * @param {string} message
   */
  #drop(channel, message) {
    const seat = this.#forget(channel);
    if (seat !== undefined) {
      this.emit('dropped', seat, message);
    }
  }

  /**
   * @param {number} channel
   * @returns {HeldSeat | undefined}
   */
  #forget(channel) {
    const seat = this.#channels.get(channel);
    if (seat !== undefined) {
      this.#channels.delete(channel);
      this.#seats.delete(keyOf(seat.match.name, seat.seat));
    }
    return seat;
  }
}

/**
 * @param {string} match
 * @param {number} seat
 */
function keyOf(match, seat) {
  return `${match}#${seat}`;
}
