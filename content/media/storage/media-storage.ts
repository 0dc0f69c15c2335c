import { createHash, randomBytes } from 'node:crypto';
import { type Upload, UploadStore, UploadPieceStore } from '../../models/upload.ts';
import { insertIfAbsent } from '../../../models/store/duplicate-key.ts';
import { bytesOf } from '../../../models/trips/trip-points-bytes.ts';
import { type Service, perService } from '../../../models/store/service.ts';

/** Facts about a stored file that are known without reading it. */
export interface StoredFile {
  /** Below the folder of uploads, such as `2026/11/diagram.png`. */
  readonly path: string;
  /** MIME type. */
  readonly type: string;
  /** In bytes. */
  readonly length: number;
  /** A strong validator: it differs if the bytes differ. */
  readonly etag: string;
  readonly modified: Date;
  /** The bytes from `start` until before `end`; all by default. */
  read(start?: number, end?: number): AsyncIterable<Uint8Array>;
}

/**
 * A store of uploaded files. It loses no acknowledged file, shows a file whole or not at all, and never
 * replaces one.
 */
export interface MediaStorage {
  /**
   * Stores a file.
   *
   * @returns false if the path is taken, and then nothing is stored
   */
  store(path: string, type: string, bytes: Uint8Array): Promise<boolean>;
  /** The file at a path; null if there is none. */
  find(path: string): Promise<StoredFile | null>;
  /** The taken paths in one folder whose names begin with a prefix. */
  pathsStarting(prefix: string): Promise<readonly string[]>;
  /** Removes files; paths without a file are ignored. */
  remove(paths: readonly string[]): Promise<void>;
  /** Removes every file. */
  clear(): Promise<void>;
}

/** Bytes per piece: a range reads little more than it needs, and a document stays far below the maximum of a database. */
const PIECE_BYTES = 256 * 1024;
/** Pieces that are written in one command. */
const PIECES_AT_ONCE = 16;
/** Time after which a half-written file expires. */
const UNFINISHED_MS = 60 * 60 * 1000;

/**
 * Keeps uploaded files in the database, in pieces. So every server of a service finds them, even without a
 * shared folder, a backup of the database holds them, and a file is as durable as the record that names
 * it.
 *
 * A file is written in three steps, any of which may be the last: its path is claimed, its pieces are stored, all of it
 * is made permanent. A file without the last step is never shown and expires.
 */
function databaseStorage(service: Service): MediaStorage {
  return {
    store: (path, type, bytes) => store(service, path, type, bytes),
    find: (path) => find(service, path),
    pathsStarting: (prefix) => pathsStarting(service, prefix),
    remove: (paths) => remove(service, paths),
    clear: () => clear(service),
  };
}

async function store(service: Service, path: string, type: string, bytes: Uint8Array): Promise<boolean> {
  const key = randomBytes(16).toString('base64url');
  const expires_at = new Date(Date.now() + UNFINISHED_MS);
  const digest = createHash('sha256').update(bytes).digest('base64url');
  const upload = { key, path, type, length: bytes.length, digest, modified: new Date(), expires_at };
  await UploadStore.deleteOne(service, { path, expires_at: { $lte: new Date() } });
  const isClaimed = await insertIfAbsent(() => UploadStore.create(service, upload));
  if (!isClaimed) return false;
  try {
    await storePieces(service, key, bytes, expires_at);
    await UploadPieceStore.updateMany(service, { upload_key: key }, { $set: { expires_at: null } });
    await UploadStore.updateOne(service, { key }, { $set: { expires_at: null } });
  } catch (error) {
    await discard(service, [key]);
    throw error;
  }
  return true;
}

async function storePieces(service: Service, upload_key: string, bytes: Uint8Array, expires_at: Date): Promise<void> {
  const piecesOf = (from: number) =>
    Array.from({ length: PIECES_AT_ONCE }, (_, at) => from + at)
      .filter((number) => number * PIECE_BYTES < bytes.length)
      .map((number) => {
        const piece = bytes.subarray(number * PIECE_BYTES, (number + 1) * PIECE_BYTES);
        return { upload_key, number, bytes: Buffer.from(piece), expires_at };
      });
  for (let from = 0; from * PIECE_BYTES < bytes.length; from += PIECES_AT_ONCE) {
    await UploadPieceStore.insertMany(service, piecesOf(from));
  }
}

async function find(service: Service, path: string): Promise<StoredFile | null> {
  const upload = await UploadStore.findOne(service, { path, expires_at: null });
  if (upload === null) return null;
  const { type, length, digest, modified, key } = upload;
  return {
    path,
    type,
    length,
    etag: `"${digest.slice(0, 22)}"`,
    modified,
    read: (start = 0, end = length) => readPieces(service, key, start, end),
  };
}

async function* readPieces(
  service: Service,
  upload_key: string,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  for (let number = Math.floor(start / PIECE_BYTES); number * PIECE_BYTES < end; number += 1) {
    const piece = await UploadPieceStore.findOne(service, { upload_key, number });
    if (piece === null) throw new Error('A piece of an uploaded file is missing; the file was removed');
    const offset = number * PIECE_BYTES;
    yield bytesOf(piece.bytes).subarray(Math.max(0, start - offset), end - offset);
  }
}

async function pathsStarting(service: Service, prefix: string): Promise<readonly string[]> {
  const until = `${prefix}\u{10ffff}`;
  const found = await UploadStore.find(service, { path: { $gte: prefix, $lt: until } }, { path: 1 });
  return found.map(({ path }) => path);
}

async function remove(service: Service, paths: readonly string[]): Promise<void> {
  const found: Pick<Upload, 'key'>[] = await UploadStore.find(service, { path: { $in: [...paths] } }, { key: 1 });
  await discard(
    service,
    found.map(({ key }) => key),
  );
}

/** The file is removed before its pieces, so that no reader finds a file without them. */
async function discard(service: Service, keys: readonly string[]): Promise<void> {
  await UploadStore.deleteMany(service, { key: { $in: [...keys] } });
  await UploadPieceStore.deleteMany(service, { upload_key: { $in: [...keys] } });
}

async function clear(service: Service): Promise<void> {
  await UploadStore.deleteMany(service, {});
  await UploadPieceStore.deleteMany(service, {});
}

/** Storage of uploaded files. Another store, such as S3, is another {@link MediaStorage} named here. */
export const mediaStorage: (service: Service) => MediaStorage = perService(databaseStorage);
