import { foldEmail } from '../../auth/secrets/fold-email.ts';
import { checkNewPassword } from '../../auth/secrets/password-rule.ts';
import { hashPassword } from '../../auth/secrets/passwords.ts';
import { newKey } from '../../models/key.ts';
import { accountAccessScope, unrestricted } from '../../models/store/tenancy.ts';
import { UserStore } from '../../models/account/user.ts';
import type { User } from '../../schema/account/user.ts';
import { ServiceError } from '../../schema/service-error.ts';

import type { GroupMembership } from '../../models/groups/group-membership.ts';
import { insertUnique } from '../../models/store/duplicate-key.ts';
import type { Service } from '../../models/store/service.ts';

/** Credentials of a user. */
export interface SignIn {
  readonly email: string;
  /** Null for a user who is to set one by an invitation link. */
  readonly password: string | null;
}

/** Further facts of a new user. */
export type UserDetails = Partial<
  GroupMembership & Pick<User, 'first_name' | 'last_name' | 'account_role' | 'preferred_locale'>
>;

const MAX_EMAIL_LENGTH = 254;

/**
 * Makes a user of an account; without a sign-in, no one can sign in as this user until an e-mail address is added. The address
 * of a disabled user of the account is free; those of other accounts do not matter.
 *
 * @throws ServiceError BAD_REQUEST naming `email` or `password`, if they cannot be used
 */
export async function newUser(service: Service, accountKey: string, signIn: SignIn | null, details: UserDetails = {}) {
  const email = signIn === null ? null : checkEmail(signIn.email);
  const email_folded = email && foldEmail(email);
  const password = signIn?.password ?? null;
  if (password !== null) await checkNewPassword(password, email);
  if (email_folded !== null) await rejectTaken(service, accountKey, email_folded);
  const key = newKey();
  const user = {
    key,
    email,
    email_folded,
    password_hash: password === null ? null : await hashPassword(password),
    password_changed: password === null ? null : new Date(),
    account_role: 'administrator' as const,
    ...details,
    disabled: false,
    created: new Date(),
    account_key: accountKey,
  };
  /** @throws ServiceError BAD_REQUEST if another user of the account has the e-mail address */
  const insert = async () => {
    if (email_folded !== null) await releaseEmail(service, accountKey, email_folded);
    await insertUnique(() => UserStore.create(unrestricted(service), user), emailTaken);
  };
  return { key, insert };
}

async function rejectTaken(service: Service, accountKey: string, email_folded: string): Promise<void> {
  const holder = { email_folded, disabled: false };
  if ((await UserStore.countDocuments(accountAccessScope(service, accountKey), holder)) > 0) throw emailTaken();
}

/** Takes an address from a user who is disabled; the unique index decides whether it is free then. */
async function releaseEmail(service: Service, accountKey: string, email_folded: string): Promise<void> {
  const disabled = { email_folded, disabled: true };
  await UserStore.updateMany(accountAccessScope(service, accountKey), disabled, { email_folded: null });
}

/** The error for an e-mail address that another user of the account has who is not disabled. */
export function emailTaken(): ServiceError {
  return new ServiceError('BAD_REQUEST', 'email is taken by another user of the account; give another address');
}

/**
 * Checks an e-mail address to sign in with.
 *
 * @throws ServiceError BAD_REQUEST naming `email`
 */
export function checkEmail(text: string): string {
  const email = text.normalize('NFC').trim();
  if (!/^[^\s\p{C}@]+@[^\s\p{C}@]+$/u.test(email) || email.length > MAX_EMAIL_LENGTH) {
    throw new ServiceError('BAD_REQUEST', 'email must be an e-mail address such as ada@example.com');
  }
  return email;
}
