import { create, fromJson, type JsonValue, type Message } from '@bufbuild/protobuf';
import { anyPack, AnySchema, type Any } from '@bufbuild/protobuf/wkt';

import type { Client } from './client.js';
import { refusalOf, uuid, type Refusal } from './errors.js';
import { MatchFeed, type FollowOptions } from './feed.js';
import type { Match } from './gen/omnilude/v1/match_pb.js';
import type { RequestUndoResponse, SubmitActionResponse } from './gen/omnilude/v1/match_service_pb.js';

/** An action: its code, or the pack's action message, packed or as JSON without its type. */
export type Action = number | Any | { [key: string]: JsonValue };

/** A seat of a match in the hands of its player; with seat -1, a spectator. */
export class Player {
  constructor(
    readonly client: Client,
    /** "games/{id}". */
    readonly game: string,
    /** "matches/{id}". */
    readonly match: string,
    /** Proof that the seat is yours; empty for a spectator. */
    readonly token: string,
    readonly seat: number,
  ) {}

  /** Follows the match: its view, events, legal actions and clocks, now and with every change. */
  follow(options: FollowOptions = {}): MatchFeed {
    return new MatchFeed(this, options);
  }

  /** Takes an action. `expectedSeq`: the `seq` of the list that it was chosen from. */
  async submit(action: Action, expectedSeq?: bigint): Promise<SubmitActionResponse> {
    const request = { ...(await this.request(action, expectedSeq)), requestId: uuid() };
    return this.client.call(this.match, (matches) => matches.submitAction(request));
  }

  /** Returns why an action would be refused now; undefined if it is legal. Nothing is changed. */
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

  /** Asks the others to go back to the state after record `toSeq`; without it, before the own last action. */
  requestUndo(toSeq?: bigint, reason = ''): Promise<RequestUndoResponse> {
    const request = { ...this.write(), reason, ...(toSeq === undefined ? {} : { toSeq }) };
    return this.client.call(this.match, (matches) => matches.requestUndo(request));
  }

  /** Agrees to or refuses the request to undo that is record `requestSeq`. */
  async answerUndo(requestSeq: bigint, accept: boolean): Promise<void> {
    const request = { ...this.write(), requestSeq, accept };
    await this.client.call(this.match, (matches) => matches.answerUndo(request));
  }

  /** Withdraws the own request to undo. */
  async withdrawUndo(): Promise<void> {
    const request = this.write();
    await this.client.call(this.match, (matches) => matches.withdrawUndo(request));
  }

  /** Gives the match up. */
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
