import {
  createFileRegistry,
  toJson,
  type FileRegistry,
  type JsonValue,
  type Message,
  type MessageInitShape,
} from '@bufbuild/protobuf';
import { createClient, type Client as Calls, type Interceptor, type Transport } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';

import { MAX_REDIRECTS, refusalOf, repeated, uuid } from './errors.js';
import { CatalogService, type Game } from './gen/omnilude/v1/catalog_pb.js';
import {
  SeatKind,
  type Match,
  type MatchPolicySchema,
  type TimeControlSchema,
} from './gen/omnilude/v1/match_pb.js';
import { MatchService } from './gen/omnilude/v1/match_service_pb.js';
import { Player } from './player.js';

export interface ClientOptions {
  /** The service's API token; needed if the service requires one to create matches. */
  apiToken?: string;
  /** Interceptors of all calls, outermost first. Cannot be combined with `transport`. */
  interceptors?: Interceptor[];
  /** Transport to use instead of Connect over fetch, such as gRPC-Web, or HTTP/2 in Node. */
  transport?: Transport;
}

/** A bot of the service with its own budget. */
export interface BudgetedBot {
  bot: string;
  playouts?: number;
  milliseconds?: number;
}

export interface MatchOptions {
  /** For each seat in order: "open", the name of a bot or level of the service, or a bot with its budget. */
  seats: (string | BudgetedBot)[];
  /** Options of the game by name, as text. */
  options?: Record<string, string>;
  timeControl?: MessageInitShape<typeof TimeControlSchema>;
  policy?: MessageInitShape<typeof MatchPolicySchema>;
  ephemeral?: boolean;
  labels?: Record<string, string>;
}

export interface GameDescription {
  game: Game;
  /** Descriptors of the game's messages. */
  registry: FileRegistry;
}

/** Converts a message of a pack to JSON. */
export function messageJson(message: Message, registry: FileRegistry): JsonValue {
  const schema = registry.getMessage(message.$typeName);
  if (schema === undefined) {
    throw new Error(`the registry has no message ${message.$typeName}`);
  }
  return toJson(schema, message, { registry });
}

/** Client of a service. Repeats a call when the connection fails; a repeated write takes effect once. */
export class Client {
  /** Clients of CatalogService and MatchService, without repetition of failed calls. */
  readonly catalog: Calls<typeof CatalogService>;
  readonly matches: Calls<typeof MatchService>;
  /** Clients of the services that hold a match exclusively, by the name of the match. */
  private readonly elsewhere = new Map<string, Calls<typeof MatchService>>();
  private readonly connect: ((url: string) => Transport) | undefined;
  private readonly described = new Map<string, Promise<GameDescription>>();
  private readonly key = uuid();

  /** `url`: HTTP address of the service; in a page that the service itself serves, `location.origin`. */
  constructor(url: string, options: ClientOptions = {}) {
    const authorize: Interceptor = (next) => (request) => {
      if (options.apiToken !== undefined) {
        request.header.set('authorization', `Bearer ${options.apiToken}`);
      }
      return next(request);
    };
    const interceptors = [authorize, ...(options.interceptors ?? [])];
    const connect = (baseUrl: string) => createConnectTransport({ baseUrl, useBinaryFormat: true, interceptors });
    const transport = options.transport ?? connect(url);
    this.connect = options.transport === undefined ? connect : undefined;
    this.catalog = createClient(CatalogService, transport);
    this.matches = createClient(MatchService, transport);
  }

  /** Returns the client of the service that holds a match: the one a call was redirected to, or the default one. */
  at(match: string): Calls<typeof MatchService> {
    return this.elsewhere.get(match) ?? this.matches;
  }

  /**
   * Records a redirect after a failed call for a match. Returns whether to repeat the call: another service holds the
   * match, or the service that held it cannot be reached and `matches` may know the new address.
   */
  redirect(match: string, error: unknown): boolean {
    const refusal = refusalOf(error);
    const url = refusal?.reason === 'MATCH_ELSEWHERE' ? refusal.metadata.url : undefined;
    if (url !== undefined && url !== '' && this.connect !== undefined) {
      this.elsewhere.set(match, createClient(MatchService, this.connect(url)));
      return true;
    }
    const away = refusal === undefined || ['MATCH_ELSEWHERE', 'UNKNOWN_MATCH'].includes(refusal.reason);
    return away && this.elsewhere.delete(match);
  }

  /** Makes a call at the service that holds the match; follows redirects and repeats it when the connection fails. */
  async call<T>(match: string, call: (matches: Calls<typeof MatchService>) => Promise<T>): Promise<T> {
    for (let redirects = 0; ; redirects += 1) {
      try {
        return await repeated(() => call(this.at(match)));
      } catch (error) {
        if (redirects >= MAX_REDIRECTS || !this.redirect(match, error)) {
          throw error;
        }
      }
    }
  }

  /** Returns all games of the service. */
  async games(): Promise<Game[]> {
    const games: Game[] = [];
    let pageToken = '';
    do {
      const page = await repeated(() => this.catalog.listGames({ pageToken }));
      games.push(...page.games);
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    return games;
  }

  /** Returns a game and the descriptors of its messages; fetches them only once. */
  describe(name: string): Promise<GameDescription> {
    let described = this.described.get(name);
    if (described === undefined) {
      described = repeated(() => this.catalog.getGame({ name })).then(({ game, descriptors }) => ({
        game: game!,
        registry: createFileRegistry(descriptors!),
      }));
      described.catch(() => this.described.delete(name));
      this.described.set(name, described);
    }
    return described;
  }

  /** Creates a match. Keep the host token secret: its holder sees all hidden information. */
  async create(game: string, match: MatchOptions): Promise<{ match: Match; hostToken: string }> {
    const { seats, options = {}, ...more } = match;
    const request = {
      ...more,
      game,
      optionTexts: options,
      seats: seats.map(seatSetup),
      requestId: uuid(),
      clientKey: this.key,
    };
    const created = await repeated(() => this.matches.createMatch(request));
    return { match: created.match!, hostToken: created.hostToken };
  }

  /** Takes a seat, the first free one unless `seat` is given, and returns its player. */
  async join(name: string, player: string, seat?: number): Promise<Player> {
    const request = { name, player, requestId: uuid(), clientKey: this.key };
    const joined = await this.call(name, (matches) =>
      matches.joinMatch(seat === undefined ? request : { ...request, seat }),
    );
    return new Player(this, joined.match!.game, name, joined.token, joined.seat);
  }

  /** Returns the player of a seat whose token is known, for example after a page reload or from a link. */
  async player(name: string, token: string, seat: number): Promise<Player> {
    const { match } = await this.call(name, (matches) => matches.getMatch({ name }));
    return new Player(this, match!.game, name, token, seat);
  }

  /** Returns a spectator of a match, who has no seat and sees no hidden information. */
  spectator(name: string): Promise<Player> {
    return this.player(name, '', -1);
  }
}

function seatSetup(seat: string | BudgetedBot) {
  if (seat === 'open') {
    return { kind: SeatKind.OPEN };
  }
  if (typeof seat === 'string') {
    return { kind: SeatKind.BOT, player: seat };
  }
  const { bot, playouts = 0, milliseconds = 0 } = seat;
  return { kind: SeatKind.BOT, player: bot, budget: { playouts, milliseconds } };
}
