/**
 * Checks in the browser that nobody has manipulated a match: verifies the seed of its chance, the chain of its records,
 * and the signature of the service. `omnilude replay verify` also checks the records against the rules.
 */

import { blake2b } from '@noble/hashes/blake2.js';
import { replayPart, readReplay, type Match, type Record } from '@omnilude/client';

import { client } from './service.svelte.ts';
import { knownMatch } from './storage.ts';

export interface Finding {
  ok: boolean | undefined;
  text: string;
}

/** Returns the replay file of a match that has ended. */
export async function replayBytes(match: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const { part } of client.at(match).getReplay({ name: match })) {
    parts.push(replayPart(part!));
  }
  return joined(...parts);
}

/** Checks a match that has ended, and returns the findings. */
export async function checkFairness(match: Match): Promise<Finding[]> {
  const findings: Finding[] = [];
  const seen = knownMatch(match.name)?.commitment;
  const published = hex(match.seedCommitment);
  if (match.seed.length > 0) {
    findings.push({
      ok: hex(digest(match.seed)) === published,
      text: 'The seed of all chance is the one to which the service was committed before the first roll.',
    });
    findings.push({
      ok: seen === published,
      text: 'The commitment is the one that this browser received when it first saw the match.',
    });
  }
  const replay = readReplay(await replayBytes(match.name));
  let chain = digest(replay.header);
  for (const record of replay.records) {
    chain = digest(chain, canonical(record));
  }
  findings.push({
    ok: hex(chain) === hex(replay.chain),
    text: `The chain of its ${replay.records.length} records is whole: none was changed, left out or added.`,
  });
  const { signingKey } = await client.catalog.listGames({ pageSize: 1 });
  const signed = await verifySignature(replay.signature, replay.signingKey, replay.chain);
  const own = hex(replay.signingKey) === hex(signingKey);
  findings.push({
    ok: signed,
    text:
      replay.signature.length === 0
        ? 'The replay is not signed.'
        : `The replay is signed by ${own ? 'this service' : 'another service'}${signed === undefined ? ' (this browser cannot check it)' : ''}.`,
  });
  return findings;
}

/** Returns whether an Ed25519 signature is valid; undefined if the browser lacks Ed25519 or the replay a signature. */
async function verifySignature(signature: Uint8Array, key: Uint8Array, chain: Uint8Array): Promise<boolean | undefined> {
  if (signature.length === 0) {
    return undefined;
  }
  const message = joined(new TextEncoder().encode('omnilude replay 1'), new Uint8Array(1), chain);
  try {
    const imported = await crypto.subtle.importKey('raw', key as BufferSource, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', imported, signature as BufferSource, message as BufferSource);
  } catch {
    return undefined;
  }
}

/** Returns the bytes of a record that the chain hashes (see the comment of the message Replay). */
function canonical(record: Record): Uint8Array {
  const text = new TextEncoder().encode(record.text);
  const bytes = new Uint8Array(34 + text.length);
  const view = new DataView(bytes.buffer);
  view.setBigInt64(0, record.seq, true);
  view.setUint8(8, record.kind);
  view.setInt8(9, record.seat);
  view.setInt32(10, record.code, true);
  view.setBigInt64(14, record.timeMs, true);
  view.setBigInt64(22, record.toSeq, true);
  view.setUint32(30, text.length, true);
  bytes.set(text, 34);
  return bytes;
}

function digest(...parts: Uint8Array[]): Uint8Array {
  return blake2b(joined(...parts), { dkLen: 32 });
}

function joined(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let length = 0;
  for (const part of parts) {
    whole.set(part, length);
    length += part.length;
  }
  return whole;
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
