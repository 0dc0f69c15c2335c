import { Group } from '../../schema/account/group.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, nullable, required } from '../store/stored-fields.ts';

/** Groups; each stores its whole path, which changes when a group above it is moved: see `models/groups/move-group.ts`. */
export const GroupStore = storeOf(Group, {
  collection: 'groups',
  tenancy: 'groups',
  computed: ['children', 'member_counts', 'parent_group_key'],
  decides: ['group_path'],
  logged: { kind: 'group', silent: ['moved_at', 'revision'] },
  hidden: {
    account_key: required(String),
    parent_key: nullable(String),
    /** All groups above it, from the top, and itself. */
    group_path: required([String]),
    /** Revision, counted up by moves: each is applied to the group as it was read. */
    revision: defaulting(Number, 0),
    /** When it was last moved, until everything below it has been checked again. */
    moved_at: nullable(Date),
  },
  indexes: [
    [{ account_key: 1, _id: 1 }],
    [{ account_key: 1, group_path: 1, _id: 1 }],
    [{ account_key: 1, active: 1 }],
    [{ moved_at: 1 }, { partialFilterExpression: { moved_at: { $type: 'date' } } }],
  ],
});

/** A group as stored; its children and counts are computed. */
export type StoredGroup = StoredIn<typeof GroupStore>;
