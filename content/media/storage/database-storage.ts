import { createHash, randomBytes } from 'node:crypto';

import { type Upload, UploadModel, UploadPieceModel } from '../../models/upload.ts';
import { insertIfAbsent } from '../../../models/duplicate-key.ts';
import { bytesOf } from '../../../models/trips/trip-points-bytes.ts';

import type { MediaStorage, StoredFile } from './media-storage.ts';

/** Bytes a piece: a range reads little more than it needs, and a document stays far below what a database takes. */
const PIECE_BYTES = 256 * 1024;
/** Pieces that are written in one command. */
const PIECES_AT_ONCE = 16;
/** For as long a file may be half written before it goes by itself. */
const UNFINISHED_MS = 60 * 60 * 1000;

/**
 * Keeps uploaded files in the database, in pieces. So every server of a service finds them, whether it has a folder in
 * common with the others or not, a backup of the database holds them, and a file is as durable as the record that names
 * it.
 *
 * A file is written in three steps, each of which may be the last: its path is claimed, its pieces are stored, all of it
 * is made to last. What was left before the last step is never shown and expires.
 */
export const databaseStorage: MediaStorage = { store, find, pathsStarting, remove, clear };

async function store(path: string, type: string, bytes: Uint8Array): Promise<boolean> {
  const key = randomBytes(16).toString('base64url');
  const expires_at = new Date(Date.now() + UNFINISHED_MS);
  const digest = createHash('sha256').update(bytes).digest('base64url');
  const upload = { key, path, type, length: bytes.length, digest, modified: new Date(), expires_at };
  await UploadModel.deleteOne({ path, expires_at: { $lte: new Date() } });
  const isClaimed = await insertIfAbsent(() => UploadModel.create([upload]));
  if (!isClaimed) return false;
  try {
    await storePieces(key, bytes, expires_at);
    await UploadPieceModel.updateMany({ upload_key: key }, { $set: { expires_at: null } });
    await UploadModel.updateOne({ key }, { $set: { expires_at: null } });
  } catch (error) {
    await discard([key]);
    throw error;
  }
  return true;
}

async function storePieces(upload_key: string, bytes: Uint8Array, expires_at: Date): Promise<void> {
  const piecesOf = (from: number) =>
    Array.from({ length: PIECES_AT_ONCE }, (_, at) => from + at)
      .filter((number) => number * PIECE_BYTES < bytes.length)
      .map((number) => {
        const piece = bytes.subarray(number * PIECE_BYTES, (number + 1) * PIECE_BYTES);
        return { upload_key, number, bytes: Buffer.from(piece), expires_at };
      });
  for (let from = 0; from * PIECE_BYTES < bytes.length; from += PIECES_AT_ONCE) {
    await UploadPieceModel.insertMany(piecesOf(from));
  }
}

async function find(path: string): Promise<StoredFile | null> {
  const upload = await UploadModel.findOne({ path, expires_at: null }).lean();
  if (upload === null) return null;
  const { type, length, digest, modified, key } = upload;
  return {
    path,
    type,
    length,
    etag: `"${digest.slice(0, 22)}"`,
    modified,
    read: (start = 0, end = length) => readPieces(key, start, end),
  };
}

async function* readPieces(upload_key: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let number = Math.floor(start / PIECE_BYTES); number * PIECE_BYTES < end; number += 1) {
    const piece = await UploadPieceModel.findOne({ upload_key, number }).lean();
    if (piece === null) throw new Error('A piece of an uploaded file is missing; the file was removed');
    const offset = number * PIECE_BYTES;
    yield bytesOf(piece.bytes).subarray(Math.max(0, start - offset), end - offset);
  }
}

async function pathsStarting(prefix: string): Promise<readonly string[]> {
  const until = `${prefix}\u{10ffff}`;
  const found = await UploadModel.find({ path: { $gte: prefix, $lt: until } }, { path: 1 }).lean();
  return found.map(({ path }) => path);
}

async function remove(paths: readonly string[]): Promise<void> {
  const found: Pick<Upload, 'key'>[] = await UploadModel.find({ path: { $in: [...paths] } }, { key: 1 }).lean();
  await discard(found.map(({ key }) => key));
}

/** The file goes before its pieces, so that nobody finds a file without them. */
async function discard(keys: readonly string[]): Promise<void> {
  await UploadModel.deleteMany({ key: { $in: [...keys] } });
  await UploadPieceModel.deleteMany({ upload_key: { $in: [...keys] } });
}

async function clear(): Promise<void> {
  await UploadModel.deleteMany({});
  await UploadPieceModel.deleteMany({});
}
