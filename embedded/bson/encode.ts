import { serialize } from 'bson';
import { check } from './mongo-error.ts';
import type { Doc } from './value.ts';

/** Maximum size of a stored document, in bytes, as in MongoDB. */
export const MAX_BSON_SIZE = 16 * 1024 * 1024;

/** Writes a document as BSON. */
export function encode(doc: Doc): Buffer {
  const bytes = serialize(doc);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Writes a document that will be stored; throws where it is too large. */
export function encodeStored(doc: Doc): Buffer {
  const bytes = encode(doc);
  const { length } = bytes;
  const message = `BSONObj size: ${length} is invalid. Size must be between 0 and ${MAX_BSON_SIZE}`;
  check(length <= MAX_BSON_SIZE, 'BSONObjectTooLarge', message);
  return bytes;
}
