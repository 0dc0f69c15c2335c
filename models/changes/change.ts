import { CHANGE_KINDS, Change, type ChangeKind, type ChangeName } from '../../schema/changes/change.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, nullable, required } from '../store/stored-fields.ts';

/** The logs of all accounts. Numbers of an account only grow, and no entry is stored behind one that readers may have read. */
export const ChangeStore = storeOf(Change, {
  collection: 'changes',
  tenancy: 'change',
  keyIsUnique: false,
  computed: CHANGE_KINDS,
  hidden: {
    account_key: required(String),
    number: required(Number),
    /** The vehicle of a trip or a visit; null of other records. */
    vehicle_key: nullable(String),
    /** Keys of the groups whose members could see the record since the entry before; null if the whole account sees it. */
    group_path: nullable([String]),
    /** Keys of the users whose record it has been since the entry before; null of one that is no user's. */
    user_keys: nullable([String]),
    /** The change, so that no server numbers it again. */
    mark: required(String),
    /** True if positions were added to a trip that is under way: only the last such entry of a trip stays. */
    is_growth: defaulting(Boolean, false),
  },
  indexes: [
    [{ account_key: 1, number: 1 }, { unique: true }],
    [{ key: 1, kind: 1, mark: 1 }, { unique: true }],
    [{ timestamp: 1 }],
  ],
});

/** An entry of a log as it is read from the database. */
export type StoredChange = StoredIn<typeof ChangeStore>;

/** A change that has no entry yet. */
export interface UnnumberedChange {
  readonly account_key: string;
  readonly kind: ChangeKind;
  readonly key: string;
  readonly happened: ChangeName;
  readonly vehicle_key: string | null;
  /** Null of a record that belongs to no groups, or to those of its vehicle. */
  readonly group_path: readonly string[] | null;
  readonly user_keys: readonly string[] | null;
  readonly mark: string;
  readonly is_growth: boolean;
}
