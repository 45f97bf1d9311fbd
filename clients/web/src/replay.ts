import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { encodeEnvelope } from '@connectrpc/connect/protocol';
import { endStreamFromJson } from '@connectrpc/connect/protocol-connect';

import type { Match } from './gen/omnilude/v1/match_pb.js';
import {
  ImportReplayRequestSchema,
  ImportReplayResponseSchema,
  MatchService,
} from './gen/omnilude/v1/match_service_pb.js';
import { ReplaySchema, type Replay } from './gen/omnilude/v1/replay_pb.js';

/** Parses a replay file, or one part of it. */
export function readReplay(file: Uint8Array): Replay {
  return fromBinary(ReplaySchema, file);
}

/** Serialises a part of a replay from GetReplay; the concatenation of all parts is the replay file. */
export function replayPart(part: Replay): Uint8Array {
  return toBinary(ReplaySchema, part);
}

/** Length of a part of an upload, in bytes. */
const PART_BYTES = 1 << 18;
/** Flag of the envelope that ends a stream of the Connect protocol. */
const END_STREAM = 2;

/**
 * Uploads a replay file to the service and returns its match. Throws ConnectError if the service refuses it.
 *
 * ImportReplay is a client stream, which the fetch transports do not support: this function sends all messages of the
 * stream as one request body.
 */
export async function importReplay(url: string, file: Uint8Array, apiToken?: string): Promise<Match> {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < Math.max(1, file.length); start += PART_BYTES) {
    const request = create(ImportReplayRequestSchema, { data: file.subarray(start, start + PART_BYTES) });
    parts.push(encodeEnvelope(0, toBinary(ImportReplayRequestSchema, request)));
  }
  const answer = await fetch(new URL(`/${MatchService.typeName}/ImportReplay`, url), {
    method: 'POST',
    headers: {
      'content-type': 'application/connect+proto',
      ...(apiToken === undefined ? {} : { authorization: `Bearer ${apiToken}` }),
    },
    body: new Blob(parts as BlobPart[]),
  });
  const body = new Uint8Array(await answer.arrayBuffer());
  let match: Match | undefined;
  for (let start = 0; start + 5 <= body.length; ) {
    const length = new DataView(body.buffer, start + 1).getUint32(0);
    const content = body.subarray(start + 5, start + 5 + length);
    if ((body[start]! & END_STREAM) !== 0) {
      const { error } = endStreamFromJson(content);
      if (error !== undefined) {
        throw error;
      }
    } else {
      match = fromBinary(ImportReplayResponseSchema, content).match;
    }
    start += 5 + length;
  }
  if (match === undefined) {
    throw new Error(`the service sent no response message: HTTP status ${answer.status}`);
  }
  return match;
}
