import { newApplicationPassword } from '../access/application-passwords.ts';
import { isRole, type Role, ROLES } from '../access/capabilities.ts';
import type { Asking } from '../access/content-context.ts';
import { foldName, type StoredWebsiteUser, WebsiteUserStore } from '../models/website-user.ts';
import { ContentError } from '../schema/content-error.ts';
import { isEmail, isLogin } from '../schema/email.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { changeUser } from './change-user.ts';
import { replaceUser } from './delete-user.ts';
import { insertUser } from './insert-user.ts';
import type { Service } from '../../models/store/service.ts';

/** Result of adding a user; the password is shown only here. */
export interface AddedUser {
  readonly user_id: number;
  readonly username: string;
  readonly application_password: string;
}

/** Fields of a user that the operator changes. */
export interface UserChange {
  readonly email?: string;
  readonly role?: string;
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
export async function addWebsiteUser(
  service: Service,
  username: string,
  email: string,
  role: string,
): Promise<AddedUser> {
  if (!isLogin(username)) throw reject('username must consist of letters, digits, blanks and the characters _ . - @');
  checkEmail(email);
  const roles = [checkRole(role)];
  const { password, stored } = newApplicationPassword();
  const user = await orReject(() => insertUser(service, { username, email, roles, application_passwords: [stored] }));
  return { user_id: user.id, username: user.username, application_password: password };
}

/**
 * Adds an application password to a user.
 *
 * @throws ServiceError NOT_FOUND if there is no such user
 */
export async function addApplicationPassword(service: Service, username: string): Promise<AddedUser> {
  const { password, stored } = newApplicationPassword();
  const user = await WebsiteUserStore.findOneAndUpdate(
    service,
    { username_folded: foldName(username) },
    { $push: { application_passwords: stored } },
  );
  if (!user) throw unknownUser(username);
  return { user_id: user.id, username: user.username, application_password: password };
}

/**
 * Revokes one application password of a user, or all of them, immediately. Idempotent.
 *
 * @throws ServiceError NOT_FOUND if there is no such user
 */
export async function revokeApplicationPasswords(
  service: Service,
  username: string,
  uuid: string | null,
): Promise<void> {
  const { matchedCount } = await WebsiteUserStore.updateOne(
    service,
    { username_folded: foldName(username) },
    uuid === null ? { $set: { application_passwords: [] } } : { $pull: { application_passwords: { uuid } } },
  );
  if (matchedCount === 0) throw unknownUser(username);
}

/** Every user of the website, in the order of their numbers. */
export async function listWebsiteUsers(service: Service): Promise<ListedUser[]> {
  const users = await WebsiteUserStore.find(service, {}).sort({ id: 1 });
  return users.map(listed);
}

/**
 * One user of the website.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function findWebsiteUser(service: Service, username: string): Promise<ListedUser> {
  return listed(await storedUser(service, username));
}

/**
 * Changes the e-mail address or the role of a user of the website; omitted fields stay unchanged.
 *
 * @throws ServiceError NOT_FOUND, or BAD_REQUEST naming `email` or `role`
 */
export async function updateWebsiteUser(
  service: Service,
  username: string,
  { email, role }: UserChange,
): Promise<ListedUser> {
  if (email !== undefined) checkEmail(email);
  const roles = role === undefined ? {} : { roles: [checkRole(role)] };
  const { id } = await storedUser(service, username);
  await orReject(() => changeUser(service, { id, ...roles, ...(email !== undefined && { email }) }, OPERATOR));
  return findWebsiteUser(service, username);
}

/**
 * Removes a user of the website, and assigns the user's content to another author.
 *
 * @param successor login of the new author
 * @throws ServiceError NOT_FOUND if there is no such user, BAD_REQUEST if the successor is the same
 */
export async function removeWebsiteUser(service: Service, username: string, successor: string): Promise<void> {
  const [user, author] = [await storedUser(service, username), await storedUser(service, successor)];
  if (user.id === author.id) throw reject('reassign must name another user');
  await orReject(() => replaceUser(service, user.id, author.id));
}

/** Not a user of the website: their rules do not apply to the command line. */
const OPERATOR: Asking = { caller: { kind: 'visitor' } };

async function storedUser(service: Service, username: string): Promise<StoredWebsiteUser> {
  const user = await WebsiteUserStore.findOne(service, { username_folded: foldName(username) });
  if (!user) throw unknownUser(username);
  return user;
}

function listed({ id, username, email, roles, application_passwords }: StoredWebsiteUser): ListedUser {
  const passwords = application_passwords.map(({ uuid, created }) => ({ uuid, created: created.toISOString() }));
  return { user_id: id, username, email, roles, application_passwords: passwords };
}

function checkEmail(email: string): void {
  if (!isEmail(email)) throw reject('email must be an e-mail address such as ada@example.com');
}

function checkRole(role: string): Role {
  if (!isRole(role)) throw reject(`role must be one of ${ROLES.join(', ')}`);
  return role;
}

/** Runs an operation of the content interface; its errors become sentences for the operator. */
async function orReject<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ContentError ? reject(error.message) : error;
  }
}

function reject(message: string): ServiceError {
  return new ServiceError('BAD_REQUEST', message);
}

function unknownUser(username: string): ServiceError {
  return new ServiceError('NOT_FOUND', `There is no website user ${username}; content user list shows them`);
}
