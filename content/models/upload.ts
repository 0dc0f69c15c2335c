import mongoose from 'mongoose';

import { collectionOptions } from '../../models/collection-options.ts';

/** An uploaded file, without its bytes. */
export interface Upload {
  /** Unique; names the pieces. */
  readonly key: string;
  /** Path below the folder of uploads, such as `2026/11/diagram.png`. */
  readonly path: string;
  /** MIME type. */
  readonly type: string;
  /** In bytes. */
  readonly length: number;
  /** SHA-256 of the bytes, base64url. */
  readonly digest: string;
  readonly modified: Date;
  /** Null once all of it is stored; before, it is nobody's, and goes by itself when its writer died. */
  readonly expires_at: Date | null;
}

/** A piece of an uploaded file. */
export interface UploadPiece {
  readonly upload_key: string;
  /** Place of the piece in its file, from 0. */
  readonly number: number;
  readonly bytes: Buffer;
  readonly expires_at: Date | null;
}

const uploads = new mongoose.Schema<Upload>(
  {
    key: { type: String, required: true },
    path: { type: String, required: true },
    type: { type: String, required: true },
    length: { type: Number, required: true },
    digest: { type: String, required: true },
    modified: { type: Date, required: true },
    expires_at: { type: Date, default: null },
  },
  collectionOptions('uploads'),
);
uploads.index({ path: 1 }, { unique: true });
uploads.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

const pieces = new mongoose.Schema<UploadPiece>(
  {
    upload_key: { type: String, required: true },
    number: { type: Number, required: true },
    bytes: { type: Buffer, required: true },
    expires_at: { type: Date, default: null },
  },
  collectionOptions('upload_pieces'),
);
pieces.index({ upload_key: 1, number: 1 }, { unique: true });
pieces.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** Uploaded files. */
export const UploadModel = mongoose.model<Upload>('Upload', uploads);

/** Their bytes. */
export const UploadPieceModel = mongoose.model<UploadPiece>('UploadPiece', pieces);
