// Types of the messages of omnilude.v1 as lib/protos.js decodes them, with the fields that this client uses.
// The .proto files document them.

/** A decoded google.protobuf.Any: '@type' and the fields of the message; of an unknown type, type_url and value. */
export interface Any {
  '@type'?: string;
  type_url?: string;
  [field: string]: unknown;
}

/** Reason of a refused call. */
export interface Refusal {
  /** Name of the reason (docs/errors.md): 'NOT_YOUR_TURN'. */
  reason: string;
  /** Message in English. */
  message: string;
  /** Values of the reason, such as `code` and `pack_reason` of ILLEGAL_ACTION. */
  metadata: Record<string, string>;
  /** Wrong fields of the request. */
  fields: { field: string; description: string }[];
}

export interface Seat {
  index: number;
  player: string;
}

export interface MatchResult {
  returns: number[];
  places: number[];
  reason: string;
}

export interface Match {
  name: string;
  game: string;
  options: Any | null;
  state: string;
  seats: Seat[];
  seq: number;
  result: MatchResult | null;
}

export interface LegalAction {
  code: number;
  action: Any | null;
  label: string;
}

export interface Turn {
  channel: number;
  seq: number;
  codes: number[];
  sampled: boolean;
  view: Any | null;
  actions: LegalAction[];
  time_left_ms: number;
}

export interface MatchEvent {
  seq: number;
  kind: string;
  seat: number;
}

export interface Move {
  channel: number;
  seq: number;
  code: number;
}

export interface PlayRequest {
  hello?: {
    player: string;
    player_key: string;
    games: string[];
    views: boolean;
    typed_actions: boolean;
    additional: boolean;
  };
  attach?: { channel: number; match: string; token: string; after_seq: number }[];
  moves?: Move[];
  undo_answers?: { channel: number; request_seq: number; accept: boolean }[];
}

export interface PlayResponse {
  welcome: { engine_version: string; heartbeat_ms: number } | null;
  invitations: { channel: number; match: Match; seat: number; token: string }[];
  attached: { channel: number; error: string; message: string; match: Match | null; seat: number; address: string }[];
  results: { channel: number; seq: number; error: string; message: string; action_seq: number }[];
  updates: { channel: number; events: MatchEvent[]; seq: number }[];
  turns: Turn[];
  ended: { channel: number; match: Match }[];
  referrals: { address: string }[];
}
