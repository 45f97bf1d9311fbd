/**
 * Loads the wire contract from the .proto files at run time, without generated code.
 */

/** @import { Any } from './wire.js' */

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const HERE = path.dirname(fileURLToPath(import.meta.url));
// In an installed Python package the .proto files are next to the bot; in a source tree they are at its root.
const FOLDERS = [path.join(HERE, '..', 'protos'), path.join(HERE, '..', '..', '..', 'protos')];

/**
 * Finds the folder that contains omnilude/v1/*.proto.
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
 * Loads the .proto files of the service and of the built-in packs. With the messages of a pack, the fields of a
 * google.protobuf.Any are decoded by name; without them it is left as a type_url with bytes.
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
 * Returns the full name of the message in an Any ('gamepacks.ominoes.v1.View'); empty if there is none.
 *
 * @param {Any | null | undefined} any
 * @returns {string}
 */
export function typeName(any) {
  const url = String(any?.['@type'] ?? any?.type_url ?? '');
  return url.slice(url.lastIndexOf('/') + 1);
}
