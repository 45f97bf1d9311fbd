import assert from 'node:assert/strict';
import { test } from 'node:test';

import grpc from '@grpc/grpc-js';

import { refusalOf } from '../lib/errors.js';

// Statuses as the service serialises them: ErrorInfo, BadRequest and a DebugInfo, which nobody here reads.
const STATUS = 'CAMSI29wdGlvbnMuYnVpbGQ6IG9uZSBvZiBkcmFmdCwgc2VjcmV0';
const INFO =
  'GlYKKHR5cGUuZ29vZ2xlYXBpcy5jb20vZ29vZ2xlLnJwYy5FcnJvckluZm8SKgoOSU5WQUxJRF9PUFRJT04SCG9tbmlsdWRlGg4KBGdhbWUSBm9sb21vYw==';
const FIELDS =
  'GlQKKXR5cGUuZ29vZ2xlYXBpcy5jb20vZ29vZ2xlLnJwYy5CYWRSZXF1ZXN0EicKJQoNb3B0aW9ucy5idWlsZBIUb25lIG9mIGRyYWZ0LCBzZWNyZXQ=';
const ANOTHER = 'GjwKKHR5cGUuZ29vZ2xlYXBpcy5jb20vZ29vZ2xlLnJwYy5EZWJ1Z0luZm8SEBIOb2Ygbm8gaW50ZXJlc3Q=';

/** @param {string[]} parts in base64 */
function failure(...parts) {
  const metadata = new grpc.Metadata();
  if (parts.length > 0) {
    metadata.set('grpc-status-details-bin', Buffer.concat(parts.map((part) => Buffer.from(part, 'base64'))));
  }
  return Object.assign(new Error('3 INVALID_ARGUMENT: wrong'), { code: 3, details: 'wrong', metadata });
}

test('a refusal has its reason, its values and the wrong fields', () => {
  const whole = { reason: 'INVALID_OPTION', message: 'wrong', metadata: { game: 'olomoc' } };
  const fields = [{ field: 'options.build', description: 'one of draft, secret' }];
  assert.deepEqual(refusalOf(failure(STATUS, INFO, FIELDS, ANOTHER)), { ...whole, fields });
  assert.deepEqual(refusalOf(failure(STATUS, INFO)), { ...whole, fields: [] });
});

test('an error without a reason of the service is not a refusal', () => {
  const foreign = Buffer.from(INFO, 'base64').toString('latin1').replace('omnilude', 'elsewher');
  assert.equal(refusalOf(failure(STATUS, Buffer.from(foreign, 'latin1').toString('base64'))), null);
  assert.equal(refusalOf(failure(STATUS, FIELDS)), null);
  assert.equal(refusalOf(failure()), null);
  assert.equal(refusalOf(new Error('no gRPC at all')), null);
});
