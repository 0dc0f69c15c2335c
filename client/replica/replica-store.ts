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
  /** False until all changes are applied that were made while the snapshot was read. */
  readonly isSettled: boolean;
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
  /**
   * Applies changes and stores the state in one transaction, and removes records of other generations if the generation is
   * another. Returns false and does nothing if the stored cursor is not `before`: another process, or another page, was faster.
   */
  commit(before: string | null, state: ReplicaState, changes: readonly RecordChange[]): Promise<boolean>;
}
