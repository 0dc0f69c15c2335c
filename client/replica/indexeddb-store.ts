import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

import type { Kind } from './record-fields.ts';
import {
  endsSnapshots,
  isSameState,
  type RecordChange,
  type ReplicaState,
  type ReplicaStore,
  type StoredRecord,
} from './replica-store.ts';

interface Schema extends DBSchema {
  readonly records: {
    readonly key: [generation: string, kind: Kind, key: string];
    readonly value: StoredRecord & { readonly generation: string };
    readonly indexes: { readonly vehicle: [generation: string, kind: Kind, vehicle: string] };
  };
  readonly state: { readonly key: 'state'; readonly value: ReplicaState };
}

/** Keeps a copy in a database of this browser and origin, which all tabs share. */
export async function indexedDbStore(name = 'waybridge'): Promise<ReplicaStore> {
  const database = await openDB<Schema>(name, 1, {
    upgrade(created) {
      created.createObjectStore('state');
      const records = created.createObjectStore('records', { keyPath: ['generation', 'kind', 'key'] });
      // Records without a vehicle are not in the index, since null is no key.
      records.createIndex('vehicle', ['generation', 'kind', 'vehicle']);
    },
  });
  return new IndexedDbStore(database);
}

class IndexedDbStore implements ReplicaStore {
  readonly #database: IDBPDatabase<Schema>;

  constructor(database: IDBPDatabase<Schema>) {
    this.#database = database;
  }

  async state(): Promise<ReplicaState | null> {
    return (await this.#database.get('state', 'state')) ?? null;
  }

  async get<K extends Kind>(kind: K, key: string): Promise<StoredRecord<K> | undefined> {
    const transaction = this.#database.transaction(['records', 'state']);
    const state = await transaction.objectStore('state').get('state');
    const found = await transaction.objectStore('records').get([state?.generation ?? '', kind, key]);
    return found as StoredRecord<K> | undefined;
  }

  async list<K extends Kind>(kind: K, vehicleKey?: string): Promise<readonly StoredRecord<K>[]> {
    const transaction = this.#database.transaction(['records', 'state']);
    const generation = (await transaction.objectStore('state').get('state'))?.generation ?? '';
    const records = transaction.objectStore('records');
    const found =
      vehicleKey === undefined
        ? records.getAll(IDBKeyRange.bound([generation, kind], [generation, kind, []]))
        : records.index('vehicle').getAll(IDBKeyRange.only([generation, kind, vehicleKey]));
    return (await found) as unknown as StoredRecord<K>[];
  }

  async add(generation: string, records: readonly StoredRecord[]): Promise<void> {
    const transaction = this.#database.transaction('records', 'readwrite');
    await Promise.all([...records.map((stored) => transaction.store.put({ ...stored, generation })), transaction.done]);
  }

  async count(): Promise<number> {
    const transaction = this.#database.transaction(['records', 'state']);
    const generation = (await transaction.objectStore('state').get('state'))?.generation ?? '';
    return transaction.objectStore('records').count(IDBKeyRange.bound([generation], [generation, []]));
  }

  async commit(before: ReplicaState | null, state: ReplicaState, changes: readonly RecordChange[]): Promise<boolean> {
    const { generation } = state;
    const transaction = this.#database.transaction(['records', 'state'], 'readwrite');
    const records = transaction.objectStore('records');
    const former = (await transaction.objectStore('state').get('state')) ?? null;
    if (!isSameState(former, before)) return false;
    const others = [IDBKeyRange.upperBound([generation], true), IDBKeyRange.lowerBound([generation, []], true)];
    await Promise.all([
      ...changes.map(({ kind, key, stored }) =>
        stored ? records.put({ ...stored, generation }) : records.delete([generation, kind, key]),
      ),
      ...(endsSnapshots(before, state) ? others.map((range) => records.delete(range)) : []),
      transaction.objectStore('state').put(state, 'state'),
      transaction.done,
    ]);
    return true;
  }
}
