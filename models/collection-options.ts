import './defaults-on-read.ts';

/** How every collection is stored: what its schema does not name is refused, and indexes are made by the start alone. */
export function collectionOptions(collection: string) {
  return { collection, versionKey: false, strict: 'throw', strictQuery: 'throw', autoIndex: false } as const;
}
