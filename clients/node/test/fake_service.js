/**
 * A fake PlayService: the test receives each Play stream, awaits the client's messages one by one, and sends responses.
 */

/** @import { PlayRequest, PlayResponse } from '../lib/wire.js' */

import grpc from '@grpc/grpc-js';

import { loadContract } from '../lib/protos.js';

/**
 * An asynchronous first-in, first-out queue.
 *
 * @template T
 */
class Queue {
  /** @type {T[]} */
  #values = [];
  /** @type {((value: T) => void)[]} */
  #takers = [];

  /** @param {T} value */
  put(value) {
    const taker = this.#takers.shift();
    if (taker === undefined) {
      this.#values.push(value);
    } else {
      taker(value);
    }
  }

  /** @returns {Promise<T>} */
  take() {
    if (this.#values.length > 0) {
      return Promise.resolve(/** @type {T} */ (this.#values.shift()));
    }
    return new Promise((resolve) => this.#takers.push(resolve));
  }
}

/** The service's side of one stream. */
export class FakeStream {
  /** @type {Queue<PlayRequest | null>} null: the client closed its side */
  requests = new Queue();

  /** @param {grpc.ServerDuplexStream<PlayRequest, any>} call */
  constructor(call) {
    this.call = call;
    call.on('data', (request) => this.requests.put(request));
    call.on('end', () => this.requests.put(null));
    call.on('error', () => {});
  }

  /**
   * The next request, which must be there.
   *
   * @returns {Promise<Required<PlayRequest>>}
   */
  async request() {
    return /** @type {Required<PlayRequest>} */ (await this.requests.take());
  }

  /** @param {object} response fields of a PlayResponse, enums by name */
  send(response) {
    this.call.write(response);
  }

  /** @param {number} [heartbeat] ms */
  welcome(heartbeat = 15000) {
    this.send({ welcome: { engine_version: '0', heartbeat_ms: heartbeat } });
  }

  /**
   * @param {number} channel
   * @param {string} match
   * @param {number} [seat]
   */
  invite(channel, match, seat = 0) {
    this.send({
      invitations: [{ channel, seat, token: `token of ${match}`, match: { name: match, game: 'games/ominoes' } }],
    });
  }

  /**
   * @param {number} code of grpc.status; OK closes it in peace
   * @param {string} [details]
   */
  close(code, details = '') {
    if (code === grpc.status.OK) {
      this.call.end();
    } else {
      this.call.emit('error', { code, details });
    }
  }
}

export class FakeService {
  /** @type {Queue<FakeStream>} */
  streams = new Queue();
  #server = new grpc.Server();
  port = 0;

  /** The address of a client. */
  get address() {
    return `127.0.0.1:${this.port}`;
  }

  /**
   * @param {number} [port] 0: any free one
   * @returns {Promise<FakeService>} listening
   */
  static async start(port = 0) {
    const fake = new FakeService();
    const contract = /** @type {any} */ (loadContract());
    fake.#server.addService(contract.omnilude.v1.PlayService.service, {
      Play: (/** @type {grpc.ServerDuplexStream<any, any>} */ call) => fake.streams.put(new FakeStream(call)),
    });
    fake.port = await new Promise((resolve, reject) => {
      fake.#server.bindAsync(`127.0.0.1:${port}`, grpc.ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    return fake;
  }

  /** Closes all connections at once, as when the process is killed. */
  kill() {
    this.#server.forceShutdown();
  }
}
