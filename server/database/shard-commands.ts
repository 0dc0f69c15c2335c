import type { IndexDefinition } from 'mongoose';

import { everyStore } from './all-stores.ts';
import type { AnyStore } from '../../models/store/plain-store.ts';

/** An index as a model declares it. */
type Index = ReturnType<AnyStore['schema']['indexes']>[number];

/**
 * Commands for mongosh that shard the collections whose models have a shard key. A unique index that does not begin with it,
 * which is not allowed on a sharded collection, is first replaced by a non-unique one.
 *
 * @param database name of the database
 */
export function shardCommands(database: string): string[] {
  const byName = everyStore().toSorted((a, b) => a.collection.localeCompare(b.collection));
  const commands = byName.flatMap((store) => {
    const { shardKey } = store.schema.options;
    if (!shardKey) return [];
    const { collection: name } = store;
    return [
      ...indexesWithoutShardKey(store).flatMap(([fields]) => [
        `db.${name}.dropIndex(${JSON.stringify(indexName(fields))});`,
        `db.${name}.createIndex(${JSON.stringify(fields)});`,
      ]),
      `sh.shardCollection(${JSON.stringify(`${database}.${name}`)}, ${JSON.stringify(shardKey)});`,
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

/** The name that MongoDB gives to an index of these fields. */
export function indexName(fields: IndexDefinition): string {
  return Object.entries(fields).flat().join('_');
}

function beginsWith(fields: IndexDefinition, shardKey: object): boolean {
  const names = Object.keys(fields);
  return Object.keys(shardKey).every((name, i) => names[i] === name);
}
