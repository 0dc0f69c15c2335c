import { User } from '../schema/user.ts';

import { modelOf, type Stored } from './model-of.ts';

/** Fields of a user that never leave. */
interface UserHidden {
  readonly account_key: string;
  /** Lower-cased e-mail, unique in the whole service. */
  readonly email_folded: string | null;
  readonly password_hash: string | null;
  /** The user's groups and all above them, for member counts. */
  readonly group_path: readonly string[];
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
  },
  indexes: [
    [{ email_folded: 1 }, { unique: true, partialFilterExpression: { email_folded: { $type: 'string' } } }],
    [{ account_key: 1, group_path: 1 }],
  ],
});
