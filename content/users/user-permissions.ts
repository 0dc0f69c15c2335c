import { may } from '../access/capabilities.ts';
import { ContentItemStore } from '../models/content-item.ts';
import { CONTENT_KINDS } from '../schema/kinds/content-kinds.ts';
import { isTruthy } from '../schema/php-values.ts';
import { type ContentContext, userIdOf, reject } from '../access/content-context.ts';
import type { FieldPermissions, PermissionCheck } from '../access/root-field.ts';

import { findUser } from './user-view.ts';

/** Permission checks of the root fields of users. */
export const userPermissions: FieldPermissions = {
  list: (given, context) => {
    const { caller } = context;
    const mayList = may(caller, 'list_users');
    if (isTruthy(given.roles) && !mayList) {
      reject('rest_user_cannot_view', 'Sorry, you are not allowed to filter users by role.', context);
    }
    if (given.context === 'edit' && !mayList) {
      reject('rest_forbidden_context', 'Sorry, you are not allowed to edit users.', context);
    }
    if ((given.orderby === 'email' || given.orderby === 'registered_date') && !mayList) {
      reject('rest_forbidden_orderby', 'Sorry, you are not allowed to order users by this parameter.', context);
    }
    if (given.who === 'authors' && !may(caller, 'edit_posts') && !may(caller, 'edit_pages')) {
      reject('rest_forbidden_who', 'Sorry, you are not allowed to query users by this parameter.', context);
    }
  },
  /** Everyone may read users who have published something. */
  read: async (given, context) => {
    const { caller } = context;
    const user = await findUser(context.service, given.id);
    if (user.id === userIdOf(context)) return;
    if (given.context === 'edit' && !may(caller, 'edit_user', user)) {
      reject('rest_forbidden_context', 'Sorry, you are not allowed to edit this user.', context);
    }
    if (may(caller, 'edit_user', user) || may(caller, 'list_users') || (await isKnown(user.id, context))) return;
    reject('rest_user_cannot_view', 'Sorry, you are not allowed to list users.', context);
  },
  create: (_, context) => {
    if (!may(context.caller, 'create_users')) {
      reject('rest_cannot_create_user', 'Sorry, you are not allowed to create new users.', context);
    }
  },
  /** Users may change their own profile, but not give themselves roles; anyone may give up their own. */
  update: async (given, context) => {
    const { caller } = context;
    const user = await findUser(context.service, given.id);
    if (isTruthy(given.roles) && !may(caller, 'promote_user', user)) {
      reject('rest_cannot_edit_roles', 'Sorry, you are not allowed to edit roles of this user.', context);
    }
    if (!may(caller, 'edit_user', user)) {
      reject('rest_cannot_edit', 'Sorry, you are not allowed to edit this user.', context);
    }
  },
  delete: async (given, context) => {
    if (!may(context.caller, 'delete_user', await findUser(context.service, given.id))) {
      reject('rest_user_cannot_delete', 'Sorry, you are not allowed to delete this user.', context);
    }
  },
};

/** Converts a check for changes of a user into one for changes of oneself, which rejects visitors. */
export function toOneself(check: PermissionCheck): PermissionCheck {
  return (given, context) => check({ ...given, id: userIdOf(context) }, context);
}

/**
 * Returns true if a user has written something that this caller may read: published items, and for some callers private
 * ones.
 */
async function isKnown(author: number, { service, caller }: ContentContext): Promise<boolean> {
  const kinds = CONTENT_KINDS.map(({ type, noun }) => {
    const seesPrivate = may(caller, `read_private_${noun}`);
    return { type, author, status: { $in: seesPrivate ? ['publish', 'private'] : ['publish'] } };
  });
  return (await ContentItemStore.exists(service, { $or: kinds })) !== null;
}
