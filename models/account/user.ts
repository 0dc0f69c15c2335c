import { User } from '../../schema/account/user.ts';

import { COUNTING, COUNTING_ALL, storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, nullable, required } from '../store/stored-fields.ts';

/** Users. */
export const UserStore = storeOf(User, {
  collection: 'users',
  tenancy: 'groups',
  computed: ['groups', 'tags'],
  decides: ['account_role', 'disabled', 'group_keys', 'group_path'],
  logged: {
    kind: 'user',
    userField: 'key',
    silent: [
      'disabled_before',
      'email_folded',
      'password_changed',
      'password_hash',
      'reset_expires_at',
      'reset_hash',
      'revision',
      'session_version',
    ],
  },
  hidden: {
    account_key: required(String),
    /** Keys of its tags. */
    tag_keys: defaulting([String], []),
    /** Folded e-mail address, unique in the account. */
    email_folded: nullable(String),
    password_hash: nullable(String),
    /** The user's groups and all above them, for member counts. */
    group_path: defaulting([String], []),
    /** Counted up when all sessions end: a session of another number is invalid. */
    session_version: defaulting(Number, 0),
    /** When the password was last set; null if that is not known. */
    password_changed: nullable(Date),
    /** SHA-256 of the newest reset link that was not used; each user has one at most. */
    reset_hash: nullable(String),
    reset_expires_at: nullable(Date),
    /** Revision of the user's rights: each change is applied to the user as it was read. */
    revision: defaulting(Number, 0),
    /** Of a user who is deleted or being restored: true if it was disabled before; null for others. */
    disabled_before: nullable(Boolean),
  },
  indexes: [
    [
      { email_folded: 1, account_key: 1 },
      { unique: true, partialFilterExpression: { email_folded: { $type: 'string' } } },
    ],
    [{ account_key: 1, _id: 1 }],
    [{ account_key: 1, group_path: 1, _id: 1 }],
    [{ account_key: 1, disabled: 1, group_path: 1 }, COUNTING],
    [{ account_key: 1 }, COUNTING_ALL],
    [{ reset_hash: 1 }, { unique: true, partialFilterExpression: { reset_hash: { $type: 'string' } } }],
  ],
});

/** A user as it is read from the database. */
export type StoredUser = StoredIn<typeof UserStore>;
