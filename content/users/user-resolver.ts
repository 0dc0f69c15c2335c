import { ContentError } from '../schema/content-error.ts';
import { itemPageOf, pagesOf } from '../schema/records/item-page.ts';
import { CONTEXT } from '../schema/list-parameters.ts';
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
import { userIdOf } from '../access/content-context.ts';
import { rootField, type RootFields, anyone } from '../access/root-field.ts';

import { changeUser, grantableRoles } from './change-user.ts';
import { deleteUser } from './delete-user.ts';
import { insertUser } from './insert-user.ts';
import { listUsers } from './list-users.ts';
import { toOneself, userPermissions as may } from './user-permissions.ts';
import { userView, findUser } from './user-view.ts';

/** The users of the website. Specification: section D, `/wp/v2/users`. */
export const userResolver: RootFields = {
  queries: {
    users: rootField(
      { returns: itemPageOf(User), description: 'A page of users.', takes: USER_LIST, permitted: may.list },
      async (args, context) => {
        const { per_page } = args;
        const found = await listUsers(args, context);
        const start = args.offset || (args.page - 1) * per_page;
        const shown = start < 0 ? [] : found.slice(start, start + per_page);
        return {
          items: shown.map((user) => userView(user, context)),
          total: found.length,
          total_pages: pagesOf(found.length, per_page),
          page: Math.ceil(start / per_page + 1),
        };
      },
    ),
    user: rootField(
      { returns: User, description: 'One of the users.', takes: USER_READ, permitted: may.read },
      async ({ id }, context) => userView(await findUser(context.service, id), context),
    ),
    me: rootField(
      { returns: User, description: 'The user who asks.', takes: CONTEXT, permitted: anyone },
      async (_args, context) => {
        const id = userIdOf(context);
        if (id === 0) throw new ContentError('rest_not_logged_in', 'You are not currently logged in.', 401);
        return userView(await findUser(context.service, id), context);
      },
    ),
  },
  mutations: {
    createUser: rootField(
      { returns: User, description: 'Adds a user.', takes: USER_CREATE, permitted: may.create },
      async (args, context) => {
        if (args.id) throw new ContentError('rest_user_exists', 'Cannot create existing user.', 400);
        const roles = args.roles === undefined ? (['subscriber'] as const) : grantableRoles(args.roles, 0, context);
        return userView(await insertUser(context.service, { ...args, roles }), context);
      },
    ),
    updateUser: rootField(
      { returns: User, description: 'Changes a user.', takes: USER_WRITE, permitted: may.update },
      async (args, context) => userView(await changeUser(context.service, args, context), context),
    ),
    updateMe: rootField(
      {
        returns: User,
        description: 'Changes the user who asks.',
        takes: ME_WRITE,
        permitted: toOneself(may.update),
      },
      async (args, context) =>
        userView(await changeUser(context.service, { ...args, id: userIdOf(context) }, context), context),
    ),
    deleteUser: rootField(
      { returns: User, description: 'Deletes a user.', takes: USER_DELETE, permitted: may.delete },
      async (args, context) => userView(await deleteUser(args, context), context),
    ),
    deleteMe: rootField(
      {
        returns: User,
        description: 'Deletes the user who asks.',
        takes: ME_DELETE,
        permitted: toOneself(may.delete),
      },
      async (args, context) => userView(await deleteUser({ ...args, id: userIdOf(context) }, context), context),
    ),
  },
};
