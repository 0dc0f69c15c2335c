import { Group } from '../../schema/account/group.ts';

import { modelOf, type Stored } from '../model-of.ts';

/** Fields of a group that never leave. */
interface GroupHidden {
  readonly account_key: string;
  readonly parent_key: string | null;
  /** All groups above it, from the top, and itself. */
  readonly group_path: readonly string[];
}

/** A group as stored; its children and counts are worked out. */
export type StoredGroup = Stored<Group, GroupHidden, 'children' | 'member_counts'>;

/** Groups; the hierarchy never moves, so each knows its whole path. */
export const GroupModel = modelOf<Group, GroupHidden, 'children' | 'member_counts'>(Group, {
  collection: 'groups',
  tenancy: 'groups',
  computed: ['children', 'member_counts'],
  hidden: {
    account_key: { type: String, required: true },
    parent_key: { type: String, default: null },
    group_path: { type: [String], required: true },
  },
  indexes: [[{ account_key: 1, _id: 1 }], [{ account_key: 1, group_path: 1 }]],
});
