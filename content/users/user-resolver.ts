import { ContentError } from '../schema/content-error.ts';
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
import { collectionFields, taking } from '../access/collection-fields.ts';

const users = collectionFields({ one: 'user', many: 'users', record: User }, may, {
  list: taking(USER_LIST, async (args, context) => {
    const { per_page } = args;
    const found = await listUsers(args, context);
    const start = args.offset || (args.page - 1) * per_page;
    const shown = start < 0 ? [] : found.slice(start, start + per_page);
    const items = shown.map((user) => userView(user, context));
    return { items, total: found.length, page: Math.ceil(start / per_page + 1) };
  }),
  read: taking(USER_READ, async ({ id }, context) => userView(await findUser(context.service, id), context)),
  create: taking(USER_CREATE, async (args, context) => {
    if (args.id) throw new ContentError('rest_user_exists', 'Cannot create existing user.', 400);
    const roles = args.roles === undefined ? (['subscriber'] as const) : grantableRoles(args.roles, 0, context);
    return userView(await insertUser(context.service, { ...args, roles }), context);
  }),
  update: taking(USER_WRITE, async (args, context) =>
    userView(await changeUser(context.service, args, context), context),
  ),
  delete: taking(USER_DELETE, async (args, context) => userView(await deleteUser(args, context), context)),
});

/** The users of the website, and the current one. Specification: section D, `/wp/v2/users`. */
export const userResolver: RootFields = {
  queries: {
    ...users.queries,
    me: rootField('The current user.', { returns: User, takes: CONTEXT, permitted: anyone }, async (_args, context) => {
      const id = userIdOf(context);
      if (id === 0) throw new ContentError('rest_not_logged_in', 'You are not currently logged in.', 401);
      return userView(await findUser(context.service, id), context);
    }),
  },
  mutations: {
    ...users.mutations,
    updateMe: rootField(
      'Changes the current user.',
      { returns: User, takes: ME_WRITE, permitted: toOneself(may.update) },
      async (args, context) =>
        userView(await changeUser(context.service, { ...args, id: userIdOf(context) }, context), context),
    ),
    deleteMe: rootField(
      'Deletes the current user.',
      { returns: User, takes: ME_DELETE, permitted: toOneself(may.delete) },
      async (args, context) => userView(await deleteUser({ ...args, id: userIdOf(context) }, context), context),
    ),
  },
};
