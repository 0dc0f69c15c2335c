import { foldEmail } from '../../auth/secrets/fold-email.ts';
import { recordSecurityEvent } from '../../auth/security-events.ts';
import { atRevision, removeUnlessLast } from '../../models/account/remove-unless-last.ts';
import { type StoredUser, UserStore } from '../../models/account/user.ts';
import { isDuplicateKey } from '../../models/store/duplicate-key.ts';
import type { SecurityEventKind } from '../../schema/account/security-event.ts';
import { UserInput } from '../../schema/account/user.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { rejectNull } from '../../models/lookup/unknown-key.ts';
import { groupMembership, type GroupMembership, widensAccess } from '../../models/groups/group-membership.ts';
import { checkEmail, emailTaken, newUser } from './new-user.ts';
import {
  demandGrantable,
  demandManageable,
  forbidden,
  FULL_ADMINISTRATORS,
  isFullAdministrator,
  type UserManager,
} from './user-manager.ts';
import type { Service } from '../../models/store/service.ts';

/** Fields that null does not clear. */
const NOT_NULL = ['account_role', 'email', 'group_keys'] as const;

/** Fields that a change of a user writes. */
type UserFields = Partial<Omit<StoredUser, '_id' | 'key' | 'account_key' | 'revision'>>;

/**
 * Adds a user.
 *
 * @param password null for a user who is to set one by an invitation link
 * @throws ServiceError BAD_REQUEST naming a parameter; FORBIDDEN for rights beyond those of the manager
 */
export async function createUser(
  manager: UserManager,
  input: UserInput,
  password: string | null = null,
): Promise<StoredUser> {
  const { accessScope, actor, subject } = manager;
  rejectNull(input, NOT_NULL);
  const account_role = input.account_role ?? 'viewer';
  const groups = await groupMembership(input.group_keys ?? [], accessScope, 'group_keys');
  const after = { account_role, group_keys: groups.group_keys };
  demandGrantable(manager, { before: null, after, widens: true });
  const { account_key } = accessScope;
  const signIn = input.email == null ? null : { email: input.email, password };
  const details = { ...UserInput.read(input), ...groups, account_role };
  const user = await newUser(accessScope.service, account_key, signIn, details);
  await user.insert();
  await recordSecurityEvent(accessScope.service, {
    kind: 'user_added',
    actor,
    account_key,
    user_key: user.key,
    subject,
  });
  return findUser(manager, user.key);
}

/**
 * Changes the fields of a user that are given.
 *
 * @throws ServiceError NOT_FOUND; BAD_REQUEST naming a parameter, or for the last administrator; FORBIDDEN for rights
 *   beyond those of the manager
 */
export async function updateUser(manager: UserManager, key: string, input: UserInput): Promise<StoredUser> {
  rejectNull(input, NOT_NULL);
  const personal = UserInput.read(input);
  const { accessScope } = manager;
  return changeUser(accessScope.service, manager, key, async (user) => {
    const groups = input.group_keys ? await groupMembership(input.group_keys, accessScope, 'group_keys') : null;
    return {
      ...personal,
      ...emailFields(manager, user, input.email),
      ...(await rightsFields(manager, user, input, groups)),
    };
  });
}

/** Groups of a user after a change, by those before it. */
type GroupsFor = (before: readonly string[]) => readonly string[];

/**
 * Changes the groups that a user is restricted to.
 *
 * @throws ServiceError as {@link updateUser}
 */
export async function putUserIntoGroups(
  service: Service,
  manager: UserManager,
  key: string,
  groupsFor: GroupsFor,
): Promise<void> {
  await changeUser(service, manager, key, (user) => groupFields(manager, user, groupsFor));
}

/**
 * Requires that a manager may change the groups of a user in this way.
 *
 * @throws ServiceError FORBIDDEN for rights beyond those of the manager; BAD_REQUEST naming `group_keys`
 */
export async function checkUserGroups(manager: UserManager, user: StoredUser, groupsFor: GroupsFor): Promise<void> {
  await demandManageable(manager, user);
  await groupFields(manager, user, groupsFor);
}

async function groupFields(manager: UserManager, user: StoredUser, groupsFor: GroupsFor): Promise<UserFields> {
  const groups = await groupMembership(groupsFor(user.group_keys), manager.accessScope, 'group_keys');
  return rightsFields(manager, user, {}, groups);
}

/**
 * Changes a user as it is read, again if it changes meanwhile.
 *
 * @param fieldsFor the fields to write; none if nothing changes
 * @throws ServiceError NOT_FOUND; FORBIDDEN for a user who sees more than the manager; BAD_REQUEST for the last administrator
 */
export async function changeUser(
  service: Service,
  manager: UserManager,
  key: string,
  fieldsFor: (user: StoredUser) => Promise<UserFields> | UserFields,
): Promise<StoredUser> {
  for (;;) {
    const user = await findUser(manager, key);
    await demandManageable(manager, user);
    const fields = await fieldsFor(user);
    if (Object.keys(fields).length === 0) return user;
    const changed = await writeUser(service, user, { ...fields, updated: new Date() });
    if (!changed) continue;
    await recordChanges(service, manager, user, changed);
    return changed;
  }
}

/** Finds a visible user. */
export async function findUser({ accessScope }: UserManager, key: string): Promise<StoredUser> {
  const user = await UserStore.findOne(accessScope, { key });
  if (!user) throw notFound('user');
  return user;
}

/** Writes fields of a user who is as it was read; null if the user has changed since. */
async function writeUser(service: Service, user: StoredUser, fields: UserFields): Promise<StoredUser | null> {
  const { key, account_key, revision } = user;
  let changed: StoredUser | null = null;
  const write = async () => {
    changed = await UserStore.findOneAndUpdate(
      accountAccessScope(service, account_key),
      { key, ...atRevision(revision) },
      { $set: fields, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    );
    return changed;
  };
  try {
    if (!isFullAdministrator(user) || isFullAdministrator({ ...user, ...fields })) return await write();
    const counted = FULL_ADMINISTRATORS;
    const field = 'administrator_removal';
    const outcome = await removeUnlessLast(service, { field, model: UserStore, account_key, key, counted, write });
    if (outcome === 'last') throw new ServiceError('BAD_REQUEST', 'key names the last administrator of the account');
    return changed;
  } catch (error) {
    if (isDuplicateKey(error, 'email_folded')) throw emailTaken();
    throw error;
  }
}

function emailFields({ isApp }: UserManager, user: StoredUser, text: string | null | undefined): UserFields {
  const email = text == null ? user.email : checkEmail(text);
  if (email === user.email) return {};
  if (isApp) throw forbidden('An app cannot change e-mail addresses');
  return { email, email_folded: email && foldEmail(email), reset_hash: null, reset_expires_at: null };
}

async function rightsFields(
  manager: UserManager,
  user: StoredUser,
  input: UserInput,
  groups: GroupMembership | null,
): Promise<UserFields> {
  const account_role = input.account_role ?? user.account_role;
  const { group_keys } = groups ?? user;
  const widens = groups !== null && (await widensAccess(user, groups, manager.accessScope));
  demandGrantable(manager, { before: user, after: { account_role, group_keys }, widens });
  return { ...(account_role !== user.account_role && { account_role }), ...groups };
}

/** Writes into the security log what has changed of a user's rights. */
async function recordChanges(
  service: Service,
  manager: UserManager,
  before: StoredUser,
  after: StoredUser,
): Promise<void> {
  const { actor, subject } = manager;
  const kinds: SecurityEventKind[] = [];
  if (before.account_role !== after.account_role) kinds.push('user_role_changed');
  if (before.email !== after.email) kinds.push('user_email_changed');
  if (before.group_keys.toSorted().join() !== after.group_keys.toSorted().join()) kinds.push('user_groups_changed');
  const { account_key, key: user_key } = after;
  for (const kind of kinds) await recordSecurityEvent(service, { kind, actor, account_key, user_key, subject });
}
