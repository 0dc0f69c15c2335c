import { Tag } from '../../schema/account/tag.ts';

import { storeOf } from '../store/store-of.ts';
import { required } from '../store/stored-fields.ts';

/** Tags. Tagged records store their keys as `tag_keys`, so that one write renames a tag everywhere. */
export const TagStore = storeOf(Tag, {
  collection: 'tags',
  tenancy: 'account',
  logged: { kind: 'tag' },
  hidden: {
    account_key: required(String),
    /** The value with folded letter case, unique among the account's tags of a type. */
    value_folded: required(String),
  },
  indexes: [[{ account_key: 1, _id: 1 }], [{ account_key: 1, type: 1, value_folded: 1 }, { unique: true }]],
});

/** Folds the value of a tag, so that values that differ in letter case alone are equal. */
export function foldTagValue(value: string): string {
  return value.normalize('NFC').toLowerCase();
}
