import { create, fromJson, type JsonValue, type Message } from '@bufbuild/protobuf';
import { anyPack, AnySchema, type Any } from '@bufbuild/protobuf/wkt';

import type { Client } from './client.js';
import { refusalOf, uuid, type Refusal } from './errors.js';
import { MatchFeed, type FollowOptions } from './feed.js';
import type { Match } from './gen/omnilude/v1/match_pb.js';
import type { RequestUndoResponse, SubmitActionResponse } from './gen/omnilude/v1/match_service_pb.js';

/** An action: its code, or the pack's action message, as an Any or as JSON without its type. */
export type Action = number | Any | { [key: string]: JsonValue };

/** A player of a match; a spectator if `seat` is -1. */
export class Player {
  constructor(
    readonly client: Client,
    /** "games/{id}". */
    readonly game: string,
    /** "matches/{id}". */
    readonly match: string,
    /** Token of the seat; empty for a spectator. */
    readonly token: string,
    readonly seat: number,
  ) {}

  /** Follows the match: its view, events, legal actions and clocks, with every change. */
  follow(options: FollowOptions = {}): MatchFeed {
    return new MatchFeed(this, options);
  }

  /** Submits an action. `expectedSeq`: the `legalSeq` of the list that the action was chosen from. */
  async submit(action: Action, expectedSeq?: bigint): Promise<SubmitActionResponse> {
    const request = { ...(await this.request(action, expectedSeq)), requestId: uuid() };
    return this.client.call(this.match, (matches) => matches.submitAction(request));
  }

  /** Returns the refusal that an action would get now; undefined if it is legal. Does not change the match. */
  async whyNot(action: Action): Promise<Refusal | undefined> {
    const request = { ...(await this.request(action)), validateOnly: true };
    try {
      await this.client.call(this.match, (matches) => matches.submitAction(request));
      return undefined;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) {
        throw error;
      }
      return refusal;
    }
  }

  /** Requests an undo to the state after record `toSeq`; by default, to the state before the player's last action. */
  requestUndo(toSeq?: bigint, reason = ''): Promise<RequestUndoResponse> {
    const request = { ...this.write(), reason, ...(toSeq === undefined ? {} : { toSeq }) };
    return this.client.call(this.match, (matches) => matches.requestUndo(request));
  }

  /** Accepts or declines the undo request of record `requestSeq`. */
  async answerUndo(requestSeq: bigint, accept: boolean): Promise<void> {
    const request = { ...this.write(), requestSeq, accept };
    await this.client.call(this.match, (matches) => matches.answerUndo(request));
  }

  /** Withdraws the player's own undo request. */
  async withdrawUndo(): Promise<void> {
    const request = this.write();
    await this.client.call(this.match, (matches) => matches.withdrawUndo(request));
  }

  /** Resigns the match. */
  async resign(): Promise<Match> {
    const request = this.write();
    return (await this.client.call(this.match, (matches) => matches.resignMatch(request))).match!;
  }

  private write() {
    return { name: this.match, token: this.token, requestId: uuid() };
  }

  private async request(action: Action, expectedSeq?: bigint) {
    return {
      name: this.match,
      token: this.token,
      action:
        typeof action === 'number'
          ? { case: 'code' as const, value: action }
          : { case: 'typedAction' as const, value: await this.packed(action) },
      ...(expectedSeq === undefined ? {} : { expectedSeq }),
    };
  }

  private async packed(action: Exclude<Action, number>): Promise<Any> {
    if ('$typeName' in action) {
      return create(AnySchema, action as Any);
    }
    const { game, registry } = await this.client.describe(this.game);
    const schema = registry.getMessage(game.messageTypes!.action);
    if (schema === undefined) {
      throw new Error(`${this.game} has no action message`);
    }
    return anyPack(schema, fromJson(schema, action as JsonValue, { registry }) as Message);
  }
}
