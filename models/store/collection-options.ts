import './defaults-on-read.ts';

/** Mongoose options of every collection: unknown fields are rejected, and only the start of the service creates indexes. */
export function collectionOptions(collection: string) {
  return { collection, versionKey: false, strict: 'throw', strictQuery: 'throw', autoIndex: false } as const;
}
