import { Types } from 'mongoose';

/** The identifier by which a collection orders its documents; no answer shows it. */
export type DocumentId = Types.ObjectId;

/** Makes the identifier of a new document, or reads one from its text. */
export function documentId(text?: string): DocumentId {
  return new Types.ObjectId(text);
}
