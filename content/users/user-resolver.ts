import { Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { ContentError } from '../schema/content-error.ts';
import { type ItemPage, itemPageOf, pagesOf } from '../schema/records/item-page.ts';
import { CONTEXT } from '../schema/list-parameters.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import { Takes } from '../schema/takes.ts';
import { User } from '../schema/records/website-user.ts';
import {
  ME_DELETE,
  ME_WRITE,
  USER_CREATE,
  USER_DELETE,
  USER_LIST,
  USER_READ,
  USER_WRITE,
} from '../schema/parameters/website-user-parameters.ts';
import { type ContentContext, userIdOf } from '../access/content-context.ts';
import { anyone, Permitted } from '../access/permitted.ts';
import type { ViewOf } from '../access/view-of.ts';

import { changeUser, grantableRoles } from './change-user.ts';
import { deleteUser } from './delete-user.ts';
import { findUser } from './find-user.ts';
import { insertUser } from './insert-user.ts';
import { listUsers, type UserListArguments } from './list-users.ts';
import {
  mayCreateUser,
  mayDeleteUser,
  mayListUsers,
  mayReadUser,
  mayUpdateUser,
  toOneself,
} from './user-permissions.ts';
import { userView } from './user-view.ts';

const UserPage = itemPageOf(User);

/** The users of the website. Specification: section D, `/wp/v2/users`. */
@Resolver()
export class UserResolver {
  @Permitted(mayListUsers)
  @Query(() => UserPage, { description: 'A page of users.' })
  async users(
    @Takes(USER_LIST) args: UserListArguments,
    @Ctx() context: ContentContext,
  ): Promise<ItemPage<ViewOf<User>>> {
    const { per_page } = args;
    const found = await listUsers(args, context);
    const start = args.offset ? Math.abs(args.offset) : (args.page - 1) * per_page;
    return {
      items: found.slice(start, start + per_page).map((user) => userView(user, context)),
      total: found.length,
      total_pages: pagesOf(found.length, per_page),
      page: Math.ceil(start / per_page + 1),
    };
  }

  @Permitted(mayReadUser)
  @Query(() => User, { description: 'One of the users.' })
  async user(
    @Takes(USER_READ) { id }: ParametersOf<typeof USER_READ>,
    @Ctx() context: ContentContext,
  ): Promise<ViewOf<User>> {
    return userView(await findUser(id), context);
  }

  @Permitted(anyone)
  @Query(() => User, { description: 'The user who asks.' })
  async me(@Takes(CONTEXT) _: ParametersOf<typeof CONTEXT>, @Ctx() context: ContentContext): Promise<ViewOf<User>> {
    const id = userIdOf(context);
    if (id === 0) throw new ContentError('rest_not_logged_in', 'You are not currently logged in.', 401);
    return userView(await findUser(id), context);
  }

  @Permitted(mayCreateUser)
  @Mutation(() => User, { description: 'Adds a user.' })
  async createUser(
    @Takes(USER_CREATE) args: ParametersOf<typeof USER_CREATE>,
    @Ctx() context: ContentContext,
  ): Promise<ViewOf<User>> {
    if (args.id) throw new ContentError('rest_user_exists', 'Cannot create existing user.', 400);
    const roles = args.roles === undefined ? (['subscriber'] as const) : grantableRoles(args.roles, 0, context);
    return userView(await insertUser({ ...args, roles }), context);
  }

  @Permitted(mayUpdateUser)
  @Mutation(() => User, { description: 'Changes a user.' })
  async updateUser(
    @Takes(USER_WRITE) args: ParametersOf<typeof USER_WRITE>,
    @Ctx() context: ContentContext,
  ): Promise<ViewOf<User>> {
    return userView(await changeUser(args, context), context);
  }

  @Permitted(toOneself(mayUpdateUser))
  @Mutation(() => User, { description: 'Changes the user who asks.' })
  async updateMe(
    @Takes(ME_WRITE) args: ParametersOf<typeof ME_WRITE>,
    @Ctx() context: ContentContext,
  ): Promise<ViewOf<User>> {
    return userView(await changeUser({ ...args, id: userIdOf(context) }, context), context);
  }

  @Permitted(mayDeleteUser)
  @Mutation(() => User, { description: 'Deletes a user.' })
  async deleteUser(
    @Takes(USER_DELETE) args: ParametersOf<typeof USER_DELETE>,
    @Ctx() context: ContentContext,
  ): Promise<ViewOf<User>> {
    return userView(await deleteUser(args, context), context);
  }

  @Permitted(toOneself(mayDeleteUser))
  @Mutation(() => User, { description: 'Deletes the user who asks.' })
  async deleteMe(
    @Takes(ME_DELETE) args: ParametersOf<typeof ME_DELETE>,
    @Ctx() context: ContentContext,
  ): Promise<ViewOf<User>> {
    return userView(await deleteUser({ ...args, id: userIdOf(context) }, context), context);
  }
}
