/** Client of the Omnilude game-engine service, for browsers and Node. */

export { Client, type ClientOptions, type GameDescription, type MatchOptions } from './client.js';
export { Player, type Action } from './player.js';
export { MatchFeed, type Connection, type LegalMove, type MatchState } from './feed.js';
export { type Refusal, refusalOf } from './errors.js';
export * from './gen/omnilude/v1/catalog_pb.js';
export * from './gen/omnilude/v1/match_pb.js';
export * from './gen/omnilude/v1/match_service_pb.js';
export { ErrorReason } from './gen/omnilude/v1/errors_pb.js';
