import { nullable, required, schemaOf, type StoredOf } from './stored-paths.ts';
import { PlainStore } from '../../models/store/plain-store.ts';

const UPLOAD_PATHS = {
  /** Unique; names the pieces. */
  key: required<string>(String),
  /** Path below the folder of uploads, such as `2026/11/diagram.png`. */
  path: required<string>(String),
  /** MIME type. */
  type: required<string>(String),
  /** In bytes. */
  length: required<number>(Number),
  /** SHA-256 of the bytes, base64url. */
  digest: required<string>(String),
  modified: required<Date>(Date),
  /** Null once all of it is stored; until then it expires if its writer died. */
  expires_at: nullable<Date>(Date),
};

/** An uploaded file, without its bytes. */
export type Upload = StoredOf<typeof UPLOAD_PATHS>;

const PIECE_PATHS = {
  upload_key: required<string>(String),
  /** Place of the piece in its file, from 0. */
  number: required<number>(Number),
  bytes: required<Buffer>(Buffer),
  expires_at: nullable<Date>(Date),
};

/** A piece of an uploaded file. */
export type UploadPiece = StoredOf<typeof PIECE_PATHS>;

const uploads = schemaOf<Upload>('uploads', UPLOAD_PATHS);
uploads.index({ path: 1 }, { unique: true });
uploads.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

const pieces = schemaOf<UploadPiece>('upload_pieces', PIECE_PATHS);
pieces.index({ upload_key: 1, number: 1 }, { unique: true });
pieces.set('shardKey', { upload_key: 1, number: 1 });
pieces.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** Uploaded files. */
export const UploadStore = new PlainStore<Upload>('Upload', uploads);

/** Their bytes. */
export const UploadPieceStore = new PlainStore<UploadPiece>('UploadPiece', pieces);
