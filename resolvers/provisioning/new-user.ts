import { hashPassword } from '../../auth/passwords.ts';
import { newKey } from '../../models/key.ts';
import { EVERYTHING } from '../../models/tenancy.ts';
import { UserModel } from '../../models/user.ts';
import { ServiceError } from '../../schema/service-error.ts';

import type { GroupMembership } from './group-membership.ts';
import { insertUnlessTaken } from './insert-unless-taken.ts';

/** What a user signs in with. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
}

/** A user that has been checked and is not stored yet. */
export interface NewUser {
  readonly key: string;
  /** @throws ServiceError BAD_REQUEST where another user has taken the e-mail address */
  insert(): Promise<void>;
}

const MAX_EMAIL_LENGTH = 254;
const MAX_PASSWORD_LENGTH = 1024;

/**
 * Makes a user of an account; without a sign-in, nobody can be this user until an e-mail address is added.
 *
 * @throws ServiceError BAD_REQUEST naming `email` or `password`, where they cannot be used
 */
export async function newUser(
  accountKey: string,
  signIn: SignIn | null,
  groups: GroupMembership = { group_keys: [], group_path: [] },
): Promise<NewUser> {
  const email = signIn === null ? null : checkEmail(signIn.email);
  const email_folded = email?.toLowerCase() ?? null;
  const password = signIn === null ? null : checkPassword(signIn.password);
  if (email_folded !== null && (await UserModel.countDocuments({ email_folded }, { sight: EVERYTHING })) > 0) {
    throw emailTaken();
  }
  const key = newKey();
  const user = {
    key,
    email,
    email_folded,
    password_hash: password === null ? null : await hashPassword(password),
    ...groups,
    disabled: false,
    created: new Date(),
    account_key: accountKey,
  };
  return { key, insert: () => insertUnlessTaken(() => UserModel.create([user]), emailTaken) };
}

function emailTaken(): ServiceError {
  return new ServiceError('BAD_REQUEST', 'email is taken by another user; give another address');
}

function checkEmail(text: string): string {
  const email = text.normalize('NFC').trim();
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > MAX_EMAIL_LENGTH) {
    throw new ServiceError('BAD_REQUEST', 'email must be an e-mail address such as ada@example.com');
  }
  return email;
}

function checkPassword(password: string): string {
  if (password.length < 1 || password.length > MAX_PASSWORD_LENGTH) {
    throw new ServiceError('BAD_REQUEST', `password must have 1 to ${MAX_PASSWORD_LENGTH} characters`);
  }
  return password;
}
