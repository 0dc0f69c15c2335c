import type { Kind, RecordOf } from './record-fields.ts';

/** A record of the copy, with the vehicle to which it belongs; null for records that do not come and go with a vehicle. */
export interface StoredRecord<K extends Kind = Kind> {
  readonly kind: K;
  readonly key: string;
  readonly vehicle: string | null;
  readonly record: RecordOf<K>;
}

/** A record that was created or replaced, or that is gone (null). */
export interface RecordChange {
  readonly kind: Kind;
  readonly key: string;
  readonly stored: StoredRecord | null;
}

/** Progress of the copy. */
export interface ReplicaState {
  /** Name of the snapshot to which the records belong. */
  readonly generation: string;
  /** Place in the log up to which changes are applied. */
  readonly cursor: string;
  /** Kinds of records that the copy has. */
  readonly kinds: readonly Kind[];
  /** False if the caller is restricted to groups. */
  readonly isWhole: boolean;
  /** The last place in the log at which the copy was current; null if it has not been since its snapshot. */
  readonly settled: string | null;
}

/** Keeps a copy and its state. Records of other generations than that of the state are invisible. */
export interface ReplicaStore {
  /** The state; null until there is a copy. */
  state(): Promise<ReplicaState | null>;
  get<K extends Kind>(kind: K, key: string): Promise<StoredRecord<K> | undefined>;
  /** The records of a kind, or of them those of a vehicle. */
  list<K extends Kind>(kind: K, vehicleKey?: string): Promise<readonly StoredRecord<K>[]>;
  /** Stores records of a generation that is being read. */
  add(generation: string, records: readonly StoredRecord[]): Promise<void>;
  /** Returns the number of records in the copy. */
  count(): Promise<number>;
  /**
   * Applies changes and stores the state in one transaction, and removes records of other generations if the generation is
   * another or the copy is current. Returns false and does nothing if the stored state is not `before`: another process, or
   * another tab, was faster.
   */
  commit(before: ReplicaState | null, state: ReplicaState, changes: readonly RecordChange[]): Promise<boolean>;
}

/** Returns true if two states are the same. */
export function isSameState(one: ReplicaState | null, other: ReplicaState | null): boolean {
  return isSameCopy(one, other) && one?.cursor === other?.cursor;
}

/** Returns true if a copy is still the same, and has not become current since. */
export function isSameCopy(one: ReplicaState | null, other: ReplicaState | null): boolean {
  return one?.generation === other?.generation && one?.settled === other?.settled;
}

/** Returns true if no snapshot that is being read can still become the copy, so that its records may be removed. */
export function endsSnapshots(before: ReplicaState | null, { generation, cursor, settled }: ReplicaState): boolean {
  return before?.generation !== generation || settled === cursor;
}
