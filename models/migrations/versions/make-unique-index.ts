import type { mongo } from 'mongoose';

import { isDuplicateKey } from '../../store/duplicate-key.ts';

/** Number of attempts to create the index while others write new duplicates. */
const MAX_ATTEMPTS = 5;

/**
 * Makes a unique index once `separate` has changed the documents so that no two have the same keys: the last step of a
 * migration before a model declares that index, with exactly these keys and options.
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
