import { serialize } from 'bson';
import { MongoError } from './mongo-error.ts';
import type { Doc } from './value.ts';

/** The largest document MongoDB stores. */
export const MAX_BSON_SIZE = 16 * 1024 * 1024;

/** Writes a document as BSON. */
export function encode(doc: Doc): Buffer {
  const bytes = serialize(doc);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Writes a document that will be stored, refusing one that is too large. */
export function encodeStored(doc: Doc): Buffer {
  const bytes = encode(doc);
  if (bytes.length > MAX_BSON_SIZE) {
    throw new MongoError(
      'BSONObjectTooLarge',
      `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and ${MAX_BSON_SIZE}`,
    );
  }
  return bytes;
}
