import type { FileRegistry, Message } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';

import { isTransient, MAX_REDIRECTS, pause, refusalOf } from './errors.js';
import { RecordKind, type Match, type MatchEvent, type Observation } from './gen/omnilude/v1/match_pb.js';
import type { ListLegalActionsResponse, WatchMatchResponse } from './gen/omnilude/v1/match_service_pb.js';
import type { Player } from './player.js';

/** A message comes every 15 seconds at least: a stream that is silent for so long is dead. */
const SILENCE_MS = 40_000;

/**
 * State of the stream: "connecting" at first, "open", "lost" while it reconnects, "ended" after the match's last record
 * or `close`, "failed" where the service refuses it (see `error`).
 */
export type Connection = 'connecting' | 'open' | 'lost' | 'ended' | 'failed';

/** A legal action with its text and the pack's message. */
export interface LegalMove {
  code: number;
  label: string;
  action: Message | undefined;
  /** Ids of the parts of the scene that a person clicks to choose it, in order; empty unless scenes are followed. */
  targets: string[];
}

export interface FollowOptions {
  /** Go on after this record; 0 from the beginning. */
  afterSeq?: bigint;
  /** Whether to receive the scene with each observation, and the targets of legal actions in it. */
  scenes?: boolean;
}

/** A match as its player may know it. A new object with every change; parts that did not change stay the same. */
export interface FollowedMatch {
  connection: Connection;
  /** Why the stream failed, or was lost last. */
  error: unknown;
  match: Match | undefined;
  observation: Observation | undefined;
  /** The pack's view message. */
  view: Message | undefined;
  /** Legal actions of the own seat; empty where it is not to act. */
  legal: LegalMove[];
  /** Sequence number to submit an action of `legal` with. */
  legalSeq: bigint;
  /** Whether `legal` is a sample of a finer grid. */
  sampled: boolean;
  /** Events in force, oldest first; those that were undone are taken out. */
  events: MatchEvent[];
  /** Time left for each seat, in milliseconds, at `clocksAt` of `performance.now()`. */
  clocksMs: bigint[];
  clocksAt: number;
  seq: bigint;
}

/**
 * Follows a match. It is a store of `FollowedMatch` with the contract of Svelte: `subscribe` calls at once and with every
 * change, and returns a function that unsubscribes. It reconnects by itself and goes on after the last event that came.
 */
export class MatchFeed {
  state: FollowedMatch;
  private readonly listeners = new Set<(state: FollowedMatch) => void>();
  private readonly closing = new AbortController();

  constructor(
    private readonly player: Player,
    private readonly options: FollowOptions,
  ) {
    this.state = {
      connection: 'connecting',
      error: undefined,
      match: undefined,
      observation: undefined,
      view: undefined,
      legal: [],
      legalSeq: 0n,
      sampled: false,
      events: [],
      clocksMs: [],
      clocksAt: 0,
      seq: options.afterSeq ?? 0n,
    };
    void this.run();
  }

  /** Calls the listener with the state, now and with every change. Returns a function that unsubscribes it. */
  subscribe(listener: (state: FollowedMatch) => void): () => void {
    this.listeners.add(listener);
    listener(this.state);
    return () => this.listeners.delete(listener);
  }

  /** Waits until the state meets a condition, and returns it. Rejects with the error if the feed fails or ends before. */
  async until(condition: (state: FollowedMatch) => boolean): Promise<FollowedMatch> {
    return new Promise((resolve, reject) => {
      let unsubscribe = () => {};
      let done = false;
      unsubscribe = this.subscribe((state) => {
        if (condition(state)) {
          resolve(state);
        } else if (state.connection === 'failed' || state.connection === 'ended') {
          reject(state.error ?? new Error('the feed has ended'));
        } else {
          return;
        }
        done = true;
        unsubscribe();
      });
      if (done) {
        unsubscribe();
      }
    });
  }

  /** Stops following. */
  close(): void {
    this.closing.abort();
    this.change({ connection: 'ended' });
  }

  private change(part: Partial<FollowedMatch>): void {
    this.state = { ...this.state, ...part };
    for (const listener of [...this.listeners]) {
      listener(this.state);
    }
  }

  private async run(): Promise<void> {
    const { client, game, match } = this.player;
    let failures = 0;
    let redirects = 0;
    while (!this.closing.signal.aborted) {
      try {
        const { registry } = await client.describe(game);
        const ended = await this.read(registry, () => (failures = redirects = 0));
        if (ended) {
          this.change({ connection: 'ended' });
          return;
        }
      } catch (error) {
        if (this.closing.signal.aborted) {
          return;
        }
        const redirected = redirects < MAX_REDIRECTS && client.redirect(match, error);
        if (!isTransient(error)) {
          if (redirected) {
            redirects += 1;
            continue;
          }
          this.change({ connection: 'failed', error });
          return;
        }
        this.change({ connection: 'lost', error });
      }
      await pause(failures, this.closing.signal);
      failures += 1;
    }
  }

  /** Reads one stream. Returns whether the match has ended. */
  private async read(registry: FileRegistry, onMessage: () => void): Promise<boolean> {
    const { client, match: name, token } = this.player;
    const stream = new AbortController();
    const stop = () => stream.abort();
    this.closing.signal.addEventListener('abort', stop);
    let silence = setTimeout(stop, SILENCE_MS);
    try {
      const scenes = this.options.scenes ?? false;
      const asked = { views: true, labels: true, sentences: true, legalActions: true, scenes };
      const request = { name, token, afterSeq: this.state.seq, ...asked };
      for await (const message of client.at(name).watchMatch(request, { signal: stream.signal })) {
        clearTimeout(silence);
        silence = setTimeout(stop, SILENCE_MS);
        onMessage();
        await this.take(message, registry);
      }
    } finally {
      clearTimeout(silence);
      this.closing.signal.removeEventListener('abort', stop);
    }
    return this.state.match?.endTime !== undefined;
  }

  private async take(message: WatchMatchResponse, registry: FileRegistry): Promise<void> {
    const part: Partial<FollowedMatch> = { connection: 'open', error: undefined, seq: message.seq };
    if (message.events.length > 0) {
      part.events = inForce([...this.state.events, ...message.events]);
    }
    if (message.match !== undefined) {
      part.match = message.match;
    }
    const observation = message.observation;
    if (observation !== undefined) {
      part.observation = observation;
      part.view = observation.view && (anyUnpack(observation.view, registry) as Message | undefined);
      part.clocksMs = observation.clocksMs;
      part.clocksAt = performance.now();
      try {
        Object.assign(part, await this.legal(message.legalActions, registry));
      } catch (error) {
        if (refusalOf(error) === undefined) {
          throw error;
        }
        // The decision was made before its whole list was read: the next message brings the new one.
        Object.assign(part, { legal: [], sampled: false });
      }
    } else if (message.match?.endTime !== undefined) {
      part.legal = [];
    }
    this.change(part);
  }

  /** Returns the legal actions, of which the stream brings the first page; none if the own seat is not to act. */
  private async legal(
    first: ListLegalActionsResponse | undefined,
    registry: FileRegistry,
  ): Promise<Partial<FollowedMatch>> {
    const { client, match: name, token } = this.player;
    const legal: LegalMove[] = [];
    for (let page = first; page !== undefined; ) {
      for (const { code, label, action, targets } of page.actions) {
        legal.push({ code, label, action: action && (anyUnpack(action, registry) as Message | undefined), targets });
      }
      const { nextPageToken: pageToken } = page;
      const request = { name, token, typed: true, targets: this.options.scenes ?? false, pageToken };
      page = pageToken === '' ? undefined : await client.call(name, (matches) => matches.listLegalActions(request));
    }
    return { legal, sampled: first?.sampled ?? false, ...(first === undefined ? {} : { legalSeq: first.seq }) };
  }
}

/** Returns the events without those that an undo took back. */
function inForce(events: MatchEvent[]): MatchEvent[] {
  const kept: MatchEvent[] = [];
  for (const event of events) {
    if (event.kind === RecordKind.UNDONE) {
      while (kept.length > 0 && kept[kept.length - 1]!.seq > event.toSeq) {
        kept.pop();
      }
    }
    kept.push(event);
  }
  return kept;
}
