import type { mongo } from 'mongoose';

import { isDuplicateKey } from '../../models/duplicate-key.ts';
import { allModels, type AnyModel } from './all-models.ts';
import { indexesWithoutShardKey, indexName } from './shard-commands.ts';

/** MongoDB's codes for an index that is there under the same name or keys, and otherwise. */
const CONFLICTS: ReadonlySet<unknown> = new Set([85, 86]);

/** An index that cannot be created. Its message says what to do. */
export class IndexError extends Error {
  override readonly name = 'IndexError';
}

/**
 * Creates missing indexes, those of a collection by one command. Those that no model declares stay, since an operator may have
 * added them.
 *
 * @throws IndexError if the data prevents it
 */
export async function createIndexes(): Promise<void> {
  await Promise.all(
    allModels().map(async (model) => {
      try {
        const replaced = await replacedIndexes(model);
        const indexes = model.schema.indexes().filter(([fields]) => !replaced.includes(indexName(fields)));
        if (indexes.length === 0) return;
        await model.collection.createIndexes(indexes.map(descriptionOf));
      } catch (error) {
        throw indexErrorOf(error, model.collection.name);
      }
    }),
  );
}

/** An index of a model as the driver takes it; Mongoose's types allow more. */
function descriptionOf(index: ReturnType<AnyModel['schema']['indexes']>[number]): mongo.IndexDescription {
  const [key, options] = index as unknown as [mongo.IndexDescription['key'], Omit<mongo.IndexDescription, 'key'>];
  return { key, ...options };
}

/** Indexes that models declare and that are not stored, as `collection: fields`. */
export async function missingIndexes(): Promise<string[]> {
  const found = await Promise.all(
    allModels().map(async (model) => {
      const { toCreate } = await model.diffIndexes();
      const replaced = await replacedIndexes(model);
      return toCreate
        .filter((index) => !replaced.includes(indexName(index)))
        .map((index) => `${model.collection.name}: ${JSON.stringify(index)}`);
    }),
  );
  return found.flat().sort();
}

/** Indexes that are stored and that no model declares, as `collection.name`. */
export async function undeclaredIndexes(): Promise<string[]> {
  const names = await Promise.all(
    allModels().map(async (model) => {
      const { toDrop } = await model.diffIndexes();
      const replaced = await replacedIndexes(model);
      return toDrop.filter((name) => !replaced.includes(name)).map((name) => `${model.collection.name}.${name}`);
    }),
  );
  return names.flat().sort();
}

/** Names of unique indexes in whose place the commands of `indexes --sharded` have made others that are not unique. */
async function replacedIndexes(model: AnyModel): Promise<string[]> {
  const names = indexesWithoutShardKey(model).map(([fields]) => indexName(fields));
  if (names.length === 0) return names;
  const { toDrop } = await model.diffIndexes();
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
