/**
 * Decodes the error details of a failed call: reason, values, and invalid fields.
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
 * Returns the reason of a refusal (docs/errors.md) with its values and the invalid fields of the request.
 *
 * @param {unknown} error error of a call of @grpc/grpc-js
 * @returns {Refusal | null} null if the error has no reason of an Omnilude service, for example because the service was not reached
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
