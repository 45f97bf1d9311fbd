/** Client of the Omnilude game-engine service, for browsers and Node. */

export { Client, type BudgetedBot, type ClientOptions, type GameDescription, type MatchOptions, messageJson } from './client.js';
export { Player, type Action } from './player.js';
export { MatchFeed, type Connection, type FollowedMatch, type FollowOptions, type LegalMove } from './feed.js';
export { type Refusal, refusalOf, repeated } from './errors.js';
export { importReplay, readReplay, replayPart } from './replay.js';
export * from './gen/omnilude/v1/catalog_pb.js';
export * from './gen/omnilude/v1/match_pb.js';
export * from './gen/omnilude/v1/match_service_pb.js';
export { ErrorReason } from './gen/omnilude/v1/errors_pb.js';
export * from './gen/omnilude/v1/replay_pb.js';
