import type { Kind } from './record-fields.ts';
import {
  endsSnapshots,
  isSameState,
  type RecordChange,
  type ReplicaState,
  type ReplicaStore,
  type StoredRecord,
} from './replica-store.ts';

type Records = Map<Kind, Map<string, StoredRecord>>;

/** Keeps a copy in the memory of this process. */
export function memoryStore(): ReplicaStore {
  return new MemoryStore();
}

class MemoryStore implements ReplicaStore {
  readonly #generations = new Map<string, Records>();
  #state: ReplicaState | null = null;

  async state(): Promise<ReplicaState | null> {
    return this.#state;
  }

  async get<K extends Kind>(kind: K, key: string): Promise<StoredRecord<K> | undefined> {
    return this.#all(kind).get(key) as StoredRecord<K> | undefined;
  }

  async list<K extends Kind>(kind: K, vehicleKey?: string): Promise<readonly StoredRecord<K>[]> {
    const all = [...this.#all(kind).values()] as StoredRecord<K>[];
    return vehicleKey === undefined ? all : all.filter(({ vehicle }) => vehicle === vehicleKey);
  }

  async add(generation: string, records: readonly StoredRecord[]): Promise<void> {
    for (const stored of records) this.#all(stored.kind, generation).set(stored.key, stored);
  }

  async count(): Promise<number> {
    const records: Records = this.#generations.get(this.#state?.generation ?? '') ?? new Map();
    return [...records.values()].reduce((sum, { size }) => sum + size, 0);
  }

  async commit(before: ReplicaState | null, state: ReplicaState, changes: readonly RecordChange[]): Promise<boolean> {
    if (!isSameState(this.#state, before)) return false;
    this.#state = state;
    for (const { kind, key, stored } of changes) {
      if (stored) this.#all(kind).set(key, stored);
      else this.#all(kind).delete(key);
    }
    if (endsSnapshots(before, state))
      for (const name of this.#generations.keys()) if (name !== state.generation) this.#generations.delete(name);
    return true;
  }

  #all(kind: Kind, generation = this.#state?.generation ?? ''): Map<string, StoredRecord> {
    const records: Records = this.#generations.get(generation) ?? new Map();
    this.#generations.set(generation, records);
    const ofKind = records.get(kind) ?? new Map<string, StoredRecord>();
    records.set(kind, ofKind);
    return ofKind;
  }
}
