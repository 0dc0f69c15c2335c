import type { mongo } from 'mongoose';

import { isDuplicateKey } from '../../models/store/duplicate-key.ts';
import { everyStore } from './all-stores.ts';
import { indexesWithoutShardKey, indexName, indexOfShardKey } from './shard-commands.ts';
import type { Service } from '../../models/store/service.ts';
import type { AnyStore } from '../../models/store/plain-store.ts';

/** MongoDB's codes for an existing index with the same name or keys and a different definition. */
const CONFLICTS: ReadonlySet<unknown> = new Set([85, 86]);

/** An index that cannot be created. Its message says what to do. */
export class IndexError extends Error {
  override readonly name = 'IndexError';
}

/**
 * Creates missing indexes, those of a collection by one command. Undeclared ones are kept, since an operator may have
 * added them.
 *
 * @throws IndexError if the data prevents it
 */
export async function createIndexes(service: Service): Promise<void> {
  await Promise.all(
    everyStore().map(async (store) => {
      try {
        const replaced = await replacedIndexes(service, store);
        const indexes = store.schema.indexes().filter(([fields]) => !replaced.includes(indexName(fields)));
        if (indexes.length === 0) return;
        await store.driver(service).createIndexes(indexes.map(descriptionOf));
      } catch (error) {
        throw indexErrorOf(error, store.collection);
      }
    }),
  );
}

/** An index of a model as the driver takes it; Mongoose's types allow more. */
function descriptionOf(index: ReturnType<AnyStore['schema']['indexes']>[number]): mongo.IndexDescription {
  const [key, options] = index as unknown as [mongo.IndexDescription['key'], Omit<mongo.IndexDescription, 'key'>];
  return { key, ...options };
}

/** Declared indexes that do not exist, as `collection: fields`. */
export async function missingIndexes(service: Service): Promise<string[]> {
  const found = await Promise.all(
    everyStore().map(async (store) => {
      const { toCreate } = await store.model(service).diffIndexes();
      const replaced = await replacedIndexes(service, store);
      return toCreate
        .filter((index) => !replaced.includes(indexName(index)))
        .map((index) => `${store.collection}: ${JSON.stringify(index)}`);
    }),
  );
  return found.flat().sort();
}

/** Existing indexes that neither a model declares nor `indexes --sharded` creates, as `collection.name`. */
export async function undeclaredIndexes(service: Service): Promise<string[]> {
  const names = await Promise.all(
    everyStore().map(async (store) => {
      const { toDrop } = await store.model(service).diffIndexes();
      const made = indexOfShardKey(store);
      const known = [...(await replacedIndexes(service, store)), ...(made ? [indexName(made)] : [])];
      return toDrop.filter((name) => !known.includes(name)).map((name) => `${store.collection}.${name}`);
    }),
  );
  return names.flat().sort();
}

/** Names of unique indexes that the commands of `indexes --sharded` have replaced by non-unique ones. */
async function replacedIndexes(service: Service, store: AnyStore): Promise<string[]> {
  const names = indexesWithoutShardKey(store).map(([fields]) => indexName(fields));
  if (names.length === 0) return names;
  const { toDrop } = await store.model(service).diffIndexes();
  return names.filter((name) => toDrop.includes(name));
}

function indexErrorOf(error: unknown, collection: string): unknown {
  if (!(error instanceof Error)) return error;
  if (isDuplicateKey(error)) {
    return new IndexError(
      `A unique index of ${collection} cannot be created, because two documents have the same keys (${error.message}); ` +
        'stop servers of an older version, change or remove one of the documents, and start again',
      { cause: error },
    );
  }
  if ('code' in error && CONFLICTS.has(error.code)) {
    return new IndexError(
      `An index of ${collection} exists with different keys or options (${error.message}); drop it, and start again`,
      { cause: error },
    );
  }
  return error;
}
