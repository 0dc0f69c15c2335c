import { Group } from '../../schema/account/group.ts';

import { modelOf, type StoredIn } from '../model-of.ts';
import { nullable, required } from '../stored-fields.ts';

/** Groups; the hierarchy never moves, so each knows its whole path. */
export const GroupModel = modelOf(Group, {
  collection: 'groups',
  tenancy: 'groups',
  computed: ['children', 'member_counts'],
  hidden: {
    account_key: required(String),
    parent_key: nullable(String),
    /** All groups above it, from the top, and itself. */
    group_path: required([String]),
  },
  indexes: [[{ account_key: 1, _id: 1 }], [{ account_key: 1, group_path: 1 }]],
});

/** A group as stored; its children and counts are worked out. */
export type StoredGroup = StoredIn<typeof GroupModel>;
