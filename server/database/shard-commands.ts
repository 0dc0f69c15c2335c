import type { IndexDefinition } from 'mongoose';

import { everyStore } from './all-stores.ts';
import type { AnyStore } from '../../models/store/plain-store.ts';

/** An index as a model declares it. */
type Index = ReturnType<AnyStore['schema']['indexes']>[number];

/**
 * Commands for mongosh that shard the collections whose models have a shard key. A unique index that does not begin with it,
 * which is not allowed on a sharded collection, is first replaced by a non-unique one: its fields are random, or parts of the
 * shard key, which is unique then.
 *
 * @param database name of the database
 */
export function shardCommands(database: string): string[] {
  const byName = everyStore().toSorted((a, b) => a.collection.localeCompare(b.collection));
  const commands = byName.flatMap((store) => {
    const { shardKey } = store.schema.options;
    if (!shardKey) return [];
    const { collection: name } = store;
    const made = indexOfShardKey(store);
    return [
      ...indexesWithoutShardKey(store).flatMap(([fields]) => [
        `db.${name}.dropIndex(${JSON.stringify(indexName(fields))});`,
        `db.${name}.createIndex(${JSON.stringify(fields)});`,
      ]),
      ...(made ? [`db.${name}.createIndex(${JSON.stringify(made)}, {"unique":true});`] : []),
      `sh.shardCollection(${JSON.stringify(`${database}.${name}`)}, ${JSON.stringify(shardKey)}${made ? ', true' : ''});`,
    ];
  });
  return [
    `db = db.getSiblingDB(${JSON.stringify(database)});`,
    `sh.enableSharding(${JSON.stringify(database)});`,
    ...commands,
  ];
}

/** Unique indexes of a model that do not begin with its shard key. */
export function indexesWithoutShardKey({ schema }: Pick<AnyStore, 'schema'>): readonly Index[] {
  const { shardKey } = schema.options;
  if (!shardKey) return [];
  return schema.indexes().filter(([fields, { unique }]) => unique && !beginsWith(fields, shardKey));
}

/** The index of a shard key that makes a key unique, since its own index cannot; undefined if there is none. */
export function indexOfShardKey(store: Pick<AnyStore, 'schema'>): IndexDefinition | undefined {
  const { shardKey } = store.schema.options;
  const isPart = ([fields]: Index) => Object.keys(fields).every((field) => Object.hasOwn(shardKey ?? {}, field));
  return indexesWithoutShardKey(store).some(isPart) ? (shardKey as IndexDefinition) : undefined;
}

/** The name that MongoDB gives to an index of these fields. */
export function indexName(fields: IndexDefinition): string {
  return Object.entries(fields).flat().join('_');
}

function beginsWith(fields: IndexDefinition, shardKey: object): boolean {
  const names = Object.keys(fields);
  return Object.keys(shardKey).every((name, i) => names[i] === name);
}
