import { Code, ConnectError } from '@connectrpc/connect';

import { BadRequestSchema, ErrorInfoSchema } from './gen/google/rpc/error_details_pb.js';

/** Details of the status of a call that the service refused. */
export interface Refusal {
  code: Code;
  /** Name of an ErrorReason without its prefix: "ILLEGAL_ACTION". */
  reason: string;
  message: string;
  /** Values that the message contains: `pack_reason` with ILLEGAL_ACTION, `seq` with STALE_SEQUENCE. */
  metadata: Record<string, string>;
  /** Description of each invalid field, by field name. */
  fields: Record<string, string>;
}

/** Returns the details of a refused call; undefined if the error is not a refusal with a reason. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ConnectError)) {
    return undefined;
  }
  const [info] = error.findDetails(ErrorInfoSchema);
  if (info === undefined) {
    return undefined;
  }
  const violations = error.findDetails(BadRequestSchema).flatMap((bad) => bad.fieldViolations);
  return {
    code: error.code,
    reason: info.reason,
    message: error.rawMessage,
    metadata: info.metadata,
    fields: Object.fromEntries(violations.map((violation) => [violation.field, violation.description])),
  };
}

/** Returns whether the call may succeed when repeated: the connection was lost, or the service is not ready. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof ConnectError)) {
    return error instanceof TypeError; // fetch: the connection failed
  }
  if (error.code === Code.ResourceExhausted) {
    const reason = refusalOf(error);
    return reason === undefined || reason.reason === 'SLOW_CONSUMER' || error.message.includes('overloaded');
  }
  const lost = [Code.Unavailable, Code.Unknown, Code.Aborted, Code.DeadlineExceeded, Code.Canceled];
  return lost.includes(error.code) && (error.code === Code.Unavailable || refusalOf(error) === undefined);
}

/** Returns a random UUID. Works in pages of insecure origins too, which lack crypto.randomUUID. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Pause before the first repetition of a call; each further pause is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;

/** Waits before repetition `attempt` (from 0) of a call, or until the signal is aborted. */
export function pause(attempt: number, signal?: AbortSignal): Promise<void> {
  const milliseconds = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.75 + Math.random() / 2);
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
  });
}

/** Maximum number of consecutive redirects of a call or a stream. */
export const MAX_REDIRECTS = 3;

/** Number of connection failures after which a call fails: about half a minute. */
const MAX_ATTEMPTS = 10;

/** Repeats a call until it succeeds or is refused. Throws the last error if the connection keeps failing. */
export async function repeated<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isTransient(error) || attempt + 1 >= MAX_ATTEMPTS) {
        throw error;
      }
      await pause(attempt);
    }
  }
}
