/**
 * The wire contract, read at run time from the .proto files: no generated code.
 */

/** @import { Any } from './wire.js' */

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const HERE = path.dirname(fileURLToPath(import.meta.url));
// Beside the bot when it was installed with the Python package, at the root of the source tree otherwise.
const FOLDERS = [path.join(HERE, '..', 'protos'), path.join(HERE, '..', '..', '..', 'protos')];

/**
 * The folder that holds omnilude/v1/*.proto.
 *
 * @returns {string}
 */
export function protosFolder() {
  const folder = FOLDERS.find((candidate) => existsSync(path.join(candidate, 'omnilude', 'v1')));
  if (folder === undefined) {
    throw new Error(`no .proto files found; looked in ${FOLDERS.join(' and ')}`);
  }
  return folder;
}

/**
 * Every contract of the service and of the packs that came along. The packs' messages are needed so that what travels
 * in a google.protobuf.Any can be read by name; one that is not known stays a type_url with bytes.
 *
 * @returns {grpc.GrpcObject}
 */
export function loadContract() {
  const folder = protosFolder();
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.proto'));
  const definition = loadSync(files.sort(), {
    includeDirs: [folder],
    keepCase: true,
    longs: Number,
    enums: String,
    defaults: true,
    oneofs: true,
    json: true, // reads Any: { '@type': 'type.googleapis.com/gamepacks.ominoes.v1.View', ...fields }
  });
  return grpc.loadPackageDefinition(definition);
}

/**
 * The full name of the message that an Any holds: 'gamepacks.ominoes.v1.View'; empty for none.
 *
 * @param {Any | null | undefined} any
 * @returns {string}
 */
export function typeName(any) {
  const url = String(any?.['@type'] ?? any?.type_url ?? '');
  return url.slice(url.lastIndexOf('/') + 1);
}
