import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Access } from '../../auth/access.ts';
import { accessScopeOf, actsAsOwner, type RequestContext } from '../../auth/caller.ts';
import { AccountStore } from '../../models/account/account.ts';
import { type StoredUser, UserStore } from '../../models/account/user.ts';
import { InvitedUser, User, UserInput } from '../../schema/account/user.ts';
import { Deletion } from '../../schema/deletion.ts';
import { After, First, connectionOf, type Page } from '../../schema/page.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { shownRecord } from '../../models/lookup/shown-record.ts';
import { creationPage } from '../../models/lists/creation-page.ts';
import { completeUsers, type ReadUser } from './complete-users.ts';
import { createUser, findUser, updateUser } from './change-user.ts';
import { deleteUser, restoreUser } from './delete-user.ts';
import { managerIn } from './user-manager.ts';
import { ownerIn } from '../../auth/security-events.ts';
import { issueInvitation } from '../../auth/passwords/reset-link.ts';

const UserConnection = connectionOf(User, 'User');

/** The people who sign in for an account. */
@Resolver()
export class UserResolver {
  @Access('account.read')
  @Query(() => UserConnection, { description: 'Users of the account that the caller can see, in order of creation.' })
  async users(
    @Arg('group_keys', () => [String], {
      nullable: true,
      description: 'Only users of these groups and the groups below them.',
    })
    group_keys: string[] | null | undefined,
    @First(100) first: number | null,
    @After() after: string | undefined,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Page<User>> {
    const accessScope = accessScopeOf({ service, caller });
    const search = group_keys ? { group_path: { $in: group_keys } } : {};
    const query = { accessScope, first: first ?? 100, after, search, kind: 'user', hidden: ['tag_keys'] } as const;
    const page = await creationPage(UserStore, query);
    return { ...page, nodes: await completeUsers(page.nodes, accessScope) };
  }

  @Access('account.read')
  @Query(() => User, { nullable: true, description: 'One user.' })
  async user(
    @Arg('key', () => String, { description: 'Key of the user.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<User> {
    return theUser(key, context);
  }

  @Access('user.read', 'driver')
  @Query(() => User, {
    nullable: true,
    description:
      'The current user: the user who is signed in or for whom an app acts, or the account owner for an API key.',
  })
  async me(@Ctx() context: RequestContext): Promise<User> {
    const { caller } = context;
    if (caller.kind === 'app' || caller.kind === 'user') return theUser(caller.user_key, context);
    const account = await AccountStore.findOne(accessScopeOf(context), {}, { owner_key: 1 });
    return theUser(account?.owner_key ?? '', context);
  }

  @Access('user.manage', 'recent-sign-in')
  @Mutation(() => InvitedUser, { description: 'Creates a user, who sets a password with the invitation link.' })
  async createUser(
    @Arg('input', () => UserInput, { description: 'The user.' }) input: UserInput,
    @Ctx() context: RequestContext,
  ): Promise<InvitedUser> {
    const user = await createUser(managerIn(context), input);
    return invited(user, context);
  }

  @Access('user.manage', 'recent-sign-in')
  @Mutation(() => User, { description: 'Updates a user. Omitted fields stay unchanged.' })
  async updateUser(
    @Arg('key', () => String, { description: 'Key of the user.' }) key: string,
    @Arg('input', () => UserInput, { description: 'The fields to change.' }) input: UserInput,
    @Ctx() context: RequestContext,
  ): Promise<User> {
    return oneShownTo(context, await updateUser(managerIn(context), key, input));
  }

  @Access('user.manage', 'recent-sign-in')
  @Mutation(() => Deletion, {
    description: "Deletes a user and ends the user's sessions and app access. The user can be restored within 30 days.",
  })
  async deleteUser(
    @Arg('key', () => String, { description: 'Key of the user.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    return deleteUser(managerIn(context), key);
  }

  @Access('user.manage', 'recent-sign-in')
  @Mutation(() => User, { description: 'Restores a deleted user, with the same password. Idempotent.' })
  async restoreUser(
    @Arg('key', () => String, { description: 'Key of the user.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<User> {
    return oneShownTo(context, await restoreUser(managerIn(context), key));
  }

  @Access('owner', 'recent-sign-in')
  @Mutation(() => InvitedUser, {
    description: 'Issues a new invitation link for a user without a password and revokes the previous one.',
  })
  async inviteUser(
    @Arg('key', () => String, { description: 'Key of the user.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<InvitedUser> {
    const user = await findUser(managerIn(context), key);
    demandInvitable(user);
    return invited(user, context);
  }
}

async function invited(user: StoredUser, context: RequestContext): Promise<InvitedUser> {
  const invitation_url = await invitationFor(user, context);
  return { ...(await oneShownTo(context, user)), invitation_url };
}

async function theUser(key: string, context: RequestContext): Promise<User> {
  const query = { accessScope: accessScopeOf(context), filter: { key }, hidden: ['tag_keys'] as const };
  return oneShownTo(context, await shownRecord(UserStore, query, 'user'));
}

async function oneShownTo({ service, caller }: RequestContext, found: ReadUser): Promise<User> {
  const [user] = await completeUsers([found], accessScopeOf({ service, caller }));
  if (!user) throw notFound('user');
  return user;
}

/**
 * Issues the link by which a new user sets a first password, for callers that act as the owner of the account; null for
 * others, and for a user who cannot sign in.
 */
async function invitationFor(user: StoredUser, context: RequestContext): Promise<string | null> {
  const { caller, issuer } = context;
  if (!actsAsOwner(caller) || issuer === undefined || user.email === null) return null;
  return issueInvitation(context.service, user, issuer, ownerIn(context));
}

/**
 * Requires that a user can be invited.
 *
 * @throws ServiceError BAD_REQUEST naming the reason
 */
function demandInvitable({ email, disabled, password_hash }: StoredUser): void {
  if (disabled) throw new ServiceError('BAD_REQUEST', 'key names a user who is disabled');
  if (email === null) throw new ServiceError('BAD_REQUEST', 'key names a user without email');
  if (password_hash !== null) throw new ServiceError('BAD_REQUEST', 'key names a user who has a password already');
}
