import { CHANGE_KINDS, Change, type ChangeKind, type ChangeName } from '../../schema/changes/change.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, nullable, required } from '../store/stored-fields.ts';

/** The logs of all accounts. Numbers of an account only grow, and no entry is stored before one that readers may have read. */
export const ChangeStore = storeOf(Change, {
  collection: 'changes',
  tenancy: 'change',
  shardKey: { account_key: 1 },
  keyIsUnique: false,
  computed: CHANGE_KINDS,
  hidden: {
    account_key: required(String),
    number: required(Number),
    /** The vehicle of a trip or a visit; null for other records. */
    vehicle_key: nullable(String),
    /** Keys of the groups whose members could see the record since the previous entry; null if the whole account sees it. */
    group_path: nullable([String]),
    /** Keys of the users to whom the record has belonged since the previous entry; null if it belongs to no user. */
    user_keys: nullable([String]),
    /** The change, so that no server numbers it again. */
    mark: required(String),
    /** True if positions were added to an open trip: only the last such entry of a trip is kept. */
    is_growth: defaulting(Boolean, false),
  },
  indexes: [
    [{ account_key: 1, number: 1 }, { unique: true }],
    [{ account_key: 1, key: 1, kind: 1, mark: 1 }, { unique: true }],
    [{ timestamp: 1 }],
  ],
});

/** An entry of a log as it is read from the database. */
export type StoredChange = StoredIn<typeof ChangeStore>;

/** An entry of a log as it is read to be shown. */
export type LoggedChange = Pick<StoredChange, Exclude<keyof Change, ChangeKind> | 'number' | 'vehicle_key'>;

/** A change that has no entry yet. */
export interface UnnumberedChange {
  readonly account_key: string;
  readonly kind: ChangeKind;
  readonly key: string;
  readonly happened: ChangeName;
  /** True if the record was about the past when it changed. */
  readonly late: boolean;
  readonly vehicle_key: string | null;
  /** Null for a record that belongs to no groups, or to those of its vehicle. */
  readonly group_path: readonly string[] | null;
  readonly user_keys: readonly string[] | null;
  readonly mark: string;
  readonly is_growth: boolean;
}
