/**
 * Why a call was refused: what the service says behind the status code of a gRPC error.
 */

/** @import { Any, Refusal } from './wire.js' */

import { fileURLToPath } from 'node:url';

import { loadSync } from '@grpc/proto-loader';

const DETAILS = 'grpc-status-details-bin';
const SERVICE = 'omnilude';

/** @type {import('@grpc/proto-loader').MessageTypeDefinition<unknown, { details: Any[] }> | undefined} */
let status;

function statusType() {
  if (status === undefined) {
    const file = fileURLToPath(new URL('status.proto', import.meta.url));
    const found = loadSync(file, { keepCase: true, defaults: true, json: true })['google.rpc.Status'];
    status = /** @type {import('@grpc/proto-loader').MessageTypeDefinition<unknown, { details: Any[] }>} */ (found);
  }
  return status;
}

/**
 * The reason (docs/errors.md) with its values, and each wrong field of the request.
 *
 * @param {unknown} error what a call of @grpc/grpc-js has failed with
 * @returns {Refusal | null} null where the service has given no reason: it was not reached, or it is not this one
 */
export function refusalOf(error) {
  const { metadata, details = '' } = /** @type {Partial<import('@grpc/grpc-js').ServiceError>} */ (error);
  const [bytes] = metadata?.get(DETAILS) ?? [];
  if (!Buffer.isBuffer(bytes)) {
    return null;
  }
  /** @type {Refusal | null} */
  let refusal = null;
  /** @type {Refusal['fields']} */
  let fields = [];
  for (const detail of statusType().deserialize(bytes).details) {
    if (detail['@type']?.endsWith('/google.rpc.ErrorInfo') && detail.domain === SERVICE) {
      const values = /** @type {Record<string, string>} */ (detail.metadata);
      refusal = { reason: String(detail.reason), message: details, metadata: values, fields };
    } else if (detail['@type']?.endsWith('/google.rpc.BadRequest')) {
      fields = /** @type {Refusal['fields']} */ (detail.field_violations);
    }
  }
  return refusal && { ...refusal, fields };
}
