import { User } from '../../schema/account/user.ts';

import { modelOf, type Stored } from '../model-of.ts';

/** Fields of a user that never leave. */
interface UserHidden {
  readonly account_key: string;
  /** Lower-cased e-mail, unique in the whole service. */
  readonly email_folded: string | null;
  readonly password_hash: string | null;
  /** The user's groups and all above them, for member counts. */
  readonly group_path: readonly string[];
  /** Counted up when all sessions end: a session of another number is none. */
  readonly session_version: number;
  /** When the password was last set; null where that is not known. */
  readonly password_changed: Date | null;
  /** SHA-256 of the newest reset link that was not used; each user has one at most. */
  readonly reset_hash: string | null;
  readonly reset_expires_at: Date | null;
}

/** A user as it is read from the database. */
export type StoredUser = Stored<User, UserHidden>;

/** Users. */
export const UserModel = modelOf<User, UserHidden>(User, {
  collection: 'users',
  tenancy: 'account',
  hidden: {
    account_key: { type: String, required: true },
    email_folded: { type: String, default: null },
    password_hash: { type: String, default: null },
    group_path: { type: [String], default: [] },
    session_version: { type: Number, default: 0 },
    password_changed: { type: Date, default: null },
    reset_hash: { type: String, default: null },
    reset_expires_at: { type: Date, default: null },
  },
  indexes: [
    [{ email_folded: 1 }, { unique: true, partialFilterExpression: { email_folded: { $type: 'string' } } }],
    [{ account_key: 1, group_path: 1 }],
    [{ reset_hash: 1 }, { unique: true, partialFilterExpression: { reset_hash: { $type: 'string' } } }],
  ],
});
