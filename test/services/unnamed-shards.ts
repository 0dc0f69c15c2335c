import mongoose from 'mongoose';
import { afterAll, beforeAll, expect } from 'vitest';

import { everyStore } from '../../server/database/all-stores.ts';

const METHODS = new Set(['updateOne', 'replaceOne', 'deleteOne', 'findOneAndUpdate', 'findOneAndDelete']);

/**
 * Demands of a test file that each change of one document of a sharded collection names its shard key, as MongoDB does before
 * version 7. Devices, which need that version, are named by account and key.
 */
export function demandShardKeys(): void {
  const unnamed: string[] = [];
  const keys = new Map(
    everyStore().map(({ collection, schema }) => [
      collection,
      collection === 'devices' ? ['account_key', 'key'] : Object.keys(schema.options.shardKey ?? {}),
    ]),
  );
  const look = (collection: string, method: string, filter: unknown) => {
    if (method === 'bulkWrite') {
      for (const write of filter as readonly Readonly<Record<string, { readonly filter?: object }>>[])
        for (const [name, one] of Object.entries(write)) look(collection, name, one.filter);
    } else if (METHODS.has(method)) {
      const isNamed = (field: string) => new RegExp(`"${field}":[^{]`).test(JSON.stringify(filter));
      if (!(keys.get(collection) ?? []).every(isNamed))
        unnamed.push(`${collection}.${method} ${JSON.stringify(filter)}`);
    }
  };
  beforeAll(() => void mongoose.set('debug', look));
  afterAll(() => {
    mongoose.set('debug', false);
    expect(unnamed).toEqual([]);
  });
}
