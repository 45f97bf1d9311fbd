import type { FileRegistry, Message } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';

import { isTransient, MAX_REDIRECTS, pause, refusalOf } from './errors.js';
import { RecordKind, type Match, type MatchEvent, type Observation } from './gen/omnilude/v1/match_pb.js';
import type { ListLegalActionsResponse, WatchMatchResponse } from './gen/omnilude/v1/match_service_pb.js';
import type { Player } from './player.js';

/** The service sends a message at least every 15 seconds: a stream silent for this long is dead. */
const SILENCE_MS = 40_000;

/**
 * State of the stream: "connecting" initially, "open", "lost" while it reconnects, "ended" after the match's last record
 * or `close`, "failed" if the service refuses it (see `error`).
 */
export type Connection = 'connecting' | 'open' | 'lost' | 'ended' | 'failed';

/** A legal action with its text and the pack's message. */
export interface LegalMove {
  code: number;
  label: string;
  action: Message | undefined;
  /** Ids of the scene parts to click, in order, to choose this action; empty unless scenes are requested. */
  targets: string[];
}

export interface FollowOptions {
  /** Sequence number of the record to start after; 0 starts at the beginning. */
  afterSeq?: bigint;
  /** Requests the scene with each observation, and the scene targets of the legal actions. */
  scenes?: boolean;
}

/** View of a match for one player. Every change makes a new object that shares unchanged parts with the old one. */
export interface FollowedMatch {
  connection: Connection;
  /** Error that ended the stream or caused the last loss of connection. */
  error: unknown;
  match: Match | undefined;
  observation: Observation | undefined;
  /** The pack's view message. */
  view: Message | undefined;
  /** Legal actions of the player's own seat; empty if it is not to act. */
  legal: LegalMove[];
  /** Sequence number to submit an action of `legal` with. */
  legalSeq: bigint;
  /** Whether `legal` is only a sample of the legal actions. */
  sampled: boolean;
  /** Events in force, oldest first; undone events are removed. */
  events: MatchEvent[];
  /** Time left for each seat, in milliseconds, at `clocksAt` of `performance.now()`. */
  clocksMs: bigint[];
  clocksAt: number;
  seq: bigint;
}

/**
 * Stream of a match as a Svelte-compatible store of `FollowedMatch`: `subscribe` calls the listener immediately and after
 * every change, and returns a function that unsubscribes. Reconnects automatically and resumes after the last event.
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

  /** Calls the listener with the state, immediately and after every change. Returns a function to unsubscribe it. */
  subscribe(listener: (state: FollowedMatch) => void): () => void {
    this.listeners.add(listener);
    listener(this.state);
    return () => this.listeners.delete(listener);
  }

  /** Waits for a state that meets a condition and returns it. Rejects with the error if the feed fails or ends first. */
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

  /** Closes the stream. */
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
      const content = { views: true, labels: true, sentences: true, legalActions: true, scenes };
      const request = { name, token, afterSeq: this.state.seq, ...content };
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
        // The decision was made while its list was being read: the next message brings the new list.
        Object.assign(part, { legal: [], sampled: false });
      }
    } else if (message.match?.endTime !== undefined) {
      part.legal = [];
    }
    this.change(part);
  }

  /** Returns the legal actions, reading the pages after `first`; none if the own seat is not to act. */
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

/** Returns the events without those that were undone. */
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
