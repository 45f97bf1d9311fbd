/**
 * Client of PlayService: one stream for many matches, which reconnects automatically.
 *
 * protos/omnilude/v1/play_service.proto defines the protocol. The service sends invitations, each with a seat, and turns;
 * the client answers each turn with a move that carries the same sequence number. After a lost connection the client
 * attaches every seat again, the service sends pending turns again, and the client resends the moves that it has already
 * chosen for them. So no move is lost, and none counts twice.
 *
 * Of several services that share a database, only one has a match that is not stored. Such matches are played on
 * additional streams, which are opened to the addresses that the services give.
 */

/** @import { Match, Move, PlayRequest, PlayResponse, Turn } from './wire.js' */

import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import grpc from '@grpc/grpc-js';

import { loadContract } from './protos.js';

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5000;
// The stream is cancelled after this number of heartbeat intervals without a message.
const HEARTBEATS_MISSED = 3;
// Time for the service to close its side of the stream after the client has closed its own.
const CLOSING_MS = 2000;

// Delay before a move is resent that was refused for a temporary reason.
const MOVE_RETRY_MS = 500;

// Time without a connection after which an additional stream is given up.
const ADDITIONAL_RECONNECT_TIMEOUT_MS = 3000;
// Number of times in a row that a seat follows a redirect to another service before it is dropped.
const MAX_REDIRECTS = 3;

// Names of omnilude.v1.ErrorReason: no error, and the reasons after which the same entry can succeed later.
const ACCEPTED = 'ERROR_REASON_UNSPECIFIED';
const ELSEWHERE = 'ERROR_REASON_MATCH_ELSEWHERE';
const TEMPORARY = new Set([
  'ERROR_REASON_STORE_UNAVAILABLE',
  'ERROR_REASON_LIMIT_REACHED',
  'ERROR_REASON_SHUTTING_DOWN',
]);

/** Status codes after which the client does not reconnect: the name is taken, the token is wrong, the call unknown. */
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
 * @property {Player} player the player, or its additional stream, that plays it
 * @property {Match} match as of the invitation
 * @property {number} seat index, from 0
 * @property {string} token secret with which the seat is attached to a new stream
 * @property {number} channel number of the seat on the current stream
 * @property {number} afterSeq sequence number up to which all events have been received
 * @property {{ seq: number, code: number } | null} answer the newest move
 * @property {number} refusals number of consecutive attempts to attach it that were refused for a temporary reason
 * @property {number} redirects number of consecutive redirects to another service
 */

/**
 * Returns one of turn.codes, or a promise of it. It must not block the event loop.
 *
 * @typedef {(turn: Turn, seat: HeldSeat) => number | Promise<number>} Choose
 */

/**
 * @typedef {object} PlayerOptions
 * @property {string} server host:port, or unix:/path/of/socket
 * @property {string} name under which the player is invited
 * @property {string} key secret with which the player gets its name and its seats back after a lost connection
 * @property {string[]} games ids of the games to which it is invited; empty for all games
 * @property {Choose} choose
 * @property {Buffer} [ca] certificate authority of the service (PEM); without it TLS is not used
 * @property {string} [apiToken] API token of the service, if it requires one
 */

/** Error for a stream that ended with a status after which the client does not reconnect. */
export class PlayError extends Error {
  /** @param {grpc.StatusObject} status */
  constructor(status) {
    super(`${grpc.status[status.code]}: ${status.details}`);
    this.name = 'PlayError';
    this.code = status.code;
  }
}

/**
 * Plays all seats to which it is invited. Events: 'ready' (each time that a stream is open), 'invited' (seat), 'refused'
 * (seat, result), 'dropped' (seat, message), 'failed' (seat, error of choose; a random legal action is sent), 'ended'
 * (seat, match), 'lost' (status, delay in ms).
 */
export class Player extends EventEmitter {
  /** @type {Map<string, HeldSeat>} seats of matches that have not ended, by match and index, with those of #additional */
  #seats = new Map();
  /** @type {Map<string, Player>} additional streams by address */
  #additional = new Map();
  /** @type {Player} the player whose additional stream this is, or this player itself */
  #main = this;
  /** @type {Map<number, HeldSeat>} seats by channel of the current stream */
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

  /** Number of seats that it holds in matches that have not ended. */
  get seats() {
    return this.#seats.size;
  }

  /**
   * Plays until stop() is called; an additional stream also until its service is gone. Rejects with PlayError after a
   * status of FATAL.
   */
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
    let connectedAt = Date.now();
    try {
      while (!this.#stopping.signal.aborted) {
        const { status, welcomed } = await this.#stream(client);
        if (this.#stopping.signal.aborted) {
          break;
        }
        if (FATAL.has(status.code)) {
          throw new PlayError(status);
        }
        if (welcomed) {
          connectedAt = Date.now();
        } else if (this.#main !== this && Date.now() - connectedAt > ADDITIONAL_RECONNECT_TIMEOUT_MS) {
          break;
        }
        delay = welcomed ? FIRST_DELAY_MS : Math.min(2 * delay, LONGEST_DELAY_MS);
        // Jitter, so that the clients of a restarted service do not all reconnect at once.
        const wait = delay * (0.5 + Math.random());
        this.emit('lost', status, wait);
        await sleep(wait, undefined, { signal: this.#stopping.signal }).catch(() => {});
      }
    } finally {
      client.close();
      this.#additional.forEach((stream) => stream.stop());
    }
  }

  /** Ends the stream and run(). The player keeps its seats. */
  stop() {
    this.#stopping.abort();
    this.#additional.forEach((stream) => stream.stop());
    const call = this.#call;
    if (call !== null) {
      call.end();
      setTimeout(() => call.cancel(), CLOSING_MS).unref();
    }
  }

  /**
   * Runs one stream from hello to its end.
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
    call.write(this.#firstRequest());
    return new Promise((resolve) => {
      let welcomed = false;
      let silenceLimit = 0;
      /** @type {NodeJS.Timeout | undefined} */
      let watchdog;
      call.on('data', (/** @type {PlayResponse} */ response) => {
        if (response.welcome) {
          welcomed = true;
          silenceLimit = HEARTBEATS_MISSED * response.welcome.heartbeat_ms;
          this.emit('ready');
        }
        clearTimeout(watchdog);
        if (silenceLimit > 0) {
          watchdog = setTimeout(() => call.cancel(), silenceLimit);
        }
        this.#receive(call, response);
      });
      call.on('error', () => {}); // the event 'status' follows each error
      call.on('status', (/** @type {grpc.StatusObject} */ status) => {
        clearTimeout(watchdog);
        this.#call = null;
        resolve({ status, welcomed });
      });
    });
  }

  /** @returns {PlayRequest} the first message of a stream: hello, and the seats to attach again */
  #firstRequest() {
    const { name, key, games } = this.options;
    this.#channels.clear();
    const attach = this.#ownSeats().map((seat) => this.#attach(seat));
    const hello = {
      player: name,
      player_key: key,
      games: games.map((game) => `games/${game}`),
      views: true,
      typed_actions: true,
      additional: this.#main !== this,
    };
    return { hello, attach };
  }

  #ownSeats() {
    return [...this.#seats.values()].filter((seat) => seat.player === this);
  }

  /**
   * Returns the additional stream to an address; it is opened if there is none.
   *
   * @param {string} address
   * @returns {Player}
   */
  #additionalTo(address) {
    let stream = this.#additional.get(address);
    if (stream === undefined) {
      const opened = new Player({ ...this.options, server: address });
      opened.#seats = this.#seats;
      opened.#main = this;
      this.#additional.set(address, opened);
      const ended = () => {
        // The service of the main stream knows what has become of the matches.
        this.#additional.delete(address);
        if (this.#stopping.signal.aborted) {
          return;
        }
        opened.#ownSeats().forEach((seat) => this.#adopt(seat));
      };
      opened.run().then(ended, ended);
      stream = opened;
    }
    return stream;
  }

  /**
   * Plays a seat that was played on another stream of the player.
   *
   * @param {HeldSeat} seat
   */
  #adopt(seat) {
    seat.player.#channels.delete(seat.channel);
    seat.player = this;
    // Without a stream, the seat is attached when there is one.
    this.#call?.write({ attach: [this.#attach(seat)] });
  }

  /**
   * Assigns a channel of the current stream to a seat.
   *
   * @param {HeldSeat} seat
   * @returns {NonNullable<PlayRequest['attach']>[number]}
   */
  #attach(seat) {
    this.#lastChannel += 1;
    seat.channel = this.#lastChannel;
    this.#channels.set(seat.channel, seat);
    return { channel: seat.channel, match: seat.match.name, token: seat.token, after_seq: seat.afterSeq };
  }

  /**
   * Handles a message, in the order of the fields in the .proto file.
   *
   * @param {PlayStream} call
   * @param {PlayResponse} response
   */
  #receive(call, response) {
    for (const { channel, match, seat: index, token } of response.invitations) {
      const key = keyOf(match.name, index);
      const known = this.#seats.get(key);
      if (known !== undefined && known.player !== this) {
        known.player.#channels.delete(known.channel);
        Object.assign(known, { player: this, channel });
        this.#channels.set(channel, known);
        continue;
      }
      const counts = { afterSeq: 0, answer: null, refusals: 0, redirects: 0 };
      const seat = { player: this, match, seat: index, token, channel, ...counts };
      this.#seats.set(key, seat);
      this.#channels.set(channel, seat);
      this.#main.emit('invited', seat);
    }
    for (const { channel, error, message, address } of response.attached) {
      const seat = this.#channels.get(channel);
      if (TEMPORARY.has(error)) {
        this.#attachLater(call, channel);
      } else if (error === ELSEWHERE && address !== '' && seat !== undefined && seat.redirects < MAX_REDIRECTS) {
        seat.redirects += 1;
        this.#main.#additionalTo(address).#adopt(seat);
      } else if (error !== ACCEPTED) {
        this.#drop(channel, message);
      } else if (seat !== undefined) {
        seat.refusals = seat.redirects = 0;
      }
    }
    for (const result of response.results) {
      this.#handleResult(call, result);
    }
    this.#answerUndo(call, response.updates);
    if (response.turns.length > 0) {
      void this.#answerTurns(call, response.turns);
    }
    for (const { address } of response.referrals) {
      this.#main.#additionalTo(address);
    }
    for (const { channel, match } of response.ended) {
      const seat = this.#forget(channel);
      if (seat !== undefined) {
        this.#main.emit('ended', seat, match);
      }
    }
  }

  /**
   * @param {PlayStream} call
   * @param {PlayResponse['results'][number]} result
   */
  #handleResult(call, result) {
    const seat = this.#channels.get(result.channel);
    if (seat === undefined || result.error === ACCEPTED) {
      return;
    }
    this.#main.emit('refused', seat, result);
    const { answer, channel } = seat;
    if (answer?.seq !== result.seq) {
      return; // the result of an undo answer, or of an earlier decision
    }
    if (!TEMPORARY.has(result.error)) {
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
   * Accepts every undo request.
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
   * Chooses an action for all turns of one message, and sends the moves in one message.
   *
   * @param {PlayStream} call
   * @param {Turn[]} turns
   */
  async #answerTurns(call, turns) {
    const moves = await Promise.all(turns.map((turn) => this.#decide(turn)));
    // If the stream was lost meanwhile, the turns come again on the next one, and #decide finds their moves.
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
   * Calls options.choose; if it fails or returns an illegal code, chooses a random legal action instead.
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
      this.#main.emit('failed', seat, error);
      return /** @type {number} */ (turn.codes[Math.floor(Math.random() * turn.codes.length)]);
    }
  }

  /**
   * Retries, with exponential backoff, to attach a seat that was refused for a temporary reason.
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
      // Unless the stream was lost, or an invitation has attached the seat meanwhile.
      const held = this.#seats.get(keyOf(seat.match.name, seat.seat)) === seat && seat.player === this;
      if (call === this.#call && held) {
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
      this.#main.emit('dropped', seat, message);
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
