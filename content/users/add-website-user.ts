import { newApplicationPassword } from '../access/application-passwords.ts';
import { isRole, ROLES } from '../access/capabilities.ts';
import { foldName, WebsiteUserModel } from '../models/website-user.ts';
import { ContentError } from '../schema/content-error.ts';
import { isEmail } from '../schema/email.ts';
import { isLogin } from '../schema/login.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { insertUser } from './insert-user.ts';

/** Result of adding a user; the password is shown only here. */
export interface AddedUser {
  readonly user_id: number;
  readonly username: string;
  readonly application_password: string;
}

/** A user as the operator's list shows it. */
export interface ListedUser {
  readonly user_id: number;
  readonly username: string;
  readonly email: string;
  readonly roles: readonly string[];
  /** Identifier of each application password; the passwords themselves are not stored. */
  readonly application_passwords: readonly { readonly uuid: string; readonly created: string }[];
}

/**
 * Adds a user of the website, with an application password.
 *
 * @throws ServiceError BAD_REQUEST naming `username`, `email` or `role`
 */
export async function addWebsiteUser(username: string, email: string, role: string): Promise<AddedUser> {
  if (!isLogin(username)) throw reject('username must consist of letters, digits, blanks and the characters _ . - @');
  if (!isEmail(email)) throw reject('email must be an e-mail address such as ada@example.com');
  if (!isRole(role)) throw reject(`role must be one of ${ROLES.join(', ')}`);
  const { password, stored } = newApplicationPassword();
  try {
    const user = await insertUser({ username, email, roles: [role], application_passwords: [stored] });
    return { user_id: user.id, username: user.username, application_password: password };
  } catch (error) {
    throw error instanceof ContentError ? reject(error.message) : error;
  }
}

/**
 * Adds an application password to a user.
 *
 * @throws ServiceError NOT_FOUND where there is no such user
 */
export async function addApplicationPassword(username: string): Promise<AddedUser> {
  const { password, stored } = newApplicationPassword();
  const user = await WebsiteUserModel.findOneAndUpdate(
    { username_folded: foldName(username) },
    { $push: { application_passwords: stored } },
  ).lean();
  if (!user) throw unknownUser(username);
  return { user_id: user.id, username: user.username, application_password: password };
}

/**
 * Revokes one application password of a user, or all of them, at once. Repeating it is fine.
 *
 * @throws ServiceError NOT_FOUND where there is no such user
 */
export async function revokeApplicationPasswords(username: string, uuid: string | null): Promise<void> {
  const { matchedCount } = await WebsiteUserModel.updateOne(
    { username_folded: foldName(username) },
    uuid === null ? { $set: { application_passwords: [] } } : { $pull: { application_passwords: { uuid } } },
  );
  if (matchedCount === 0) throw unknownUser(username);
}

/** Every user of the website, in the order of their numbers. */
export async function listWebsiteUsers(): Promise<ListedUser[]> {
  const users = await WebsiteUserModel.find({}).sort({ id: 1 }).lean();
  return users.map(({ id, username, email, roles, application_passwords }) => ({
    user_id: id,
    username,
    email,
    roles,
    application_passwords: application_passwords.map(({ uuid, created }) => ({ uuid, created: created.toISOString() })),
  }));
}

function reject(message: string): ServiceError {
  return new ServiceError('BAD_REQUEST', message);
}

function unknownUser(username: string): ServiceError {
  return new ServiceError('NOT_FOUND', `There is no website user ${username}; content user list names them`);
}
