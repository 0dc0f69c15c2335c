import type { mongo } from 'mongoose';

import { isDuplicateKey } from '../duplicate-key.ts';

/** Attempts to make the index while others write new duplicates. */
const MAX_ATTEMPTS = 5;

/**
 * Puts duplicates right and makes the unique index that keeps them away from then on: the last step of a migration before
 * a model declares that index. Name keys and options exactly as the model does.
 *
 * @param separate changes documents until no two have the same keys
 */
export async function makeUniqueIndex(
  collection: mongo.Collection,
  keys: mongo.IndexSpecification,
  options: Omit<mongo.CreateIndexesOptions, 'unique'>,
  separate: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await separate();
    try {
      await collection.createIndex(keys, { ...options, unique: true });
      return;
    } catch (error) {
      if (!isDuplicateKey(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
