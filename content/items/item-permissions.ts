import { may } from '../access/capabilities.ts';
import type { ContentKind } from '../schema/kinds/content-kinds.ts';
import { ContentError } from '../schema/content-error.ts';
import { isTruthy } from '../schema/php-values.ts';
import { type ContentContext, userIdOf, reject } from '../access/content-context.ts';
import type { FieldPermissions, PermissionCheck, RawArguments } from '../access/root-field.ts';

import { readItem } from './find-item.ts';
import { loadParents, isReadable } from './item-extras.ts';
import { isPasswordOf } from './post-password.ts';

/** Permission checks of each root field of a kind. The order of errors is that of the interface. */
type ItemPermissions = FieldPermissions & {
  /** Checks whether the caller may name the statuses of a list, apart from the right to list. */
  readonly statuses: PermissionCheck;
};

/** Returns the permissions of a kind of content. */
export function itemPermissions(kind: ContentKind): ItemPermissions {
  const { noun } = kind;
  return {
    statuses: (given, context) => checkStatuses(kind, given, context),
    list: (given, context) => {
      if (given.context === 'edit' && !may(context.caller, `edit_${noun}`)) {
        reject('rest_forbidden_context', 'Sorry, you are not allowed to edit posts in this post type.', context);
      }
    },
    read: async (given, context) => {
      const item = await readItem(kind, given.id, context);
      if (given.context === 'edit' && !may(context.caller, 'edit_post', item)) {
        reject('rest_forbidden_context', 'Sorry, you are not allowed to edit this post.', context);
      }
      if (isTruthy(given.password) && !(await isPasswordOf(String(given.password), item, context))) {
        throw new ContentError('rest_post_incorrect_password', 'Incorrect post password.', 403);
      }
      if (!isReadable(item, await loadParents(context.service, [item]), context)) {
        reject('rest_forbidden', 'Sorry, you are not allowed to do that.', context);
      }
    },
    create: (given, context) => {
      if (isTruthy(given.id)) throw new ContentError('rest_post_exists', 'Cannot create existing post.', 400);
      checkOthers(kind, given, context, 'Sorry, you are not allowed to create posts as this user.');
      checkSticky(kind, given, context);
      if (!may(context.caller, `edit_${noun}`)) {
        reject('rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.', context);
      }
      checkTerms(kind, given, context);
    },
    update: async (given, context) => {
      const item = await readItem(kind, given.id, context);
      if (!may(context.caller, 'edit_post', item)) {
        reject('rest_cannot_edit', 'Sorry, you are not allowed to edit this post.', context);
      }
      checkOthers(kind, given, context, 'Sorry, you are not allowed to update posts as this user.');
      checkSticky(kind, given, context);
      checkTerms(kind, given, context);
    },
    delete: async (given, context) => {
      const item = await readItem(kind, given.id, context);
      if (!may(context.caller, 'delete_post', item)) {
        reject('rest_cannot_delete', 'Sorry, you are not allowed to delete this post.', context);
      }
    },
  };
}

/** Statuses other than the default are for users who may write, or at least read private content. */
function checkStatuses({ noun, list }: ContentKind, given: RawArguments, { caller }: ContentContext): void {
  const fallback = list.status?.default;
  const known = list.status?.items?.enum ?? [];
  for (const status of statusesIn(given)) {
    const isEditor = may(caller, `edit_${noun}`);
    // Clients of later versions send an empty one for none.
    if (status === fallback || (status === '' && !isEditor)) continue;
    const isAllowed = isEditor || (status === 'private' && may(caller, `read_private_${noun}`));
    const fault = !isAllowed
      ? 'Status is forbidden.'
      : known.includes(status)
        ? undefined
        : `status[0] is not one of ${known.join(', ')}.`;
    if (fault !== undefined) {
      throw new ContentError('rest_invalid_param', 'Invalid parameter(s): status', 400, { params: { status: fault } });
    }
  }
}

/** The requested statuses of a list. */
export function statusesIn(given: RawArguments): readonly string[] {
  return Array.isArray(given.status) ? given.status.map(String) : [String(given.status ?? 'publish')];
}

function checkOthers({ noun }: ContentKind, given: RawArguments, context: ContentContext, message: string): void {
  if (isTruthy(given.author) && given.author !== userIdOf(context) && !may(context.caller, `edit_others_${noun}`)) {
    reject('rest_cannot_edit_others', message, context);
  }
}

/** Unlike other unknown term ids, 0 and other empty values are not ignored. */
function checkTerms({ terms }: ContentKind, given: RawArguments, context: ContentContext): void {
  const lists = terms.map(({ field }) => given[field]);
  const numbers = lists.flatMap((list) => (typeof list === 'object' ? Object.values(list ?? []) : []));
  // If another parameter is invalid, a list is still an unparsed string.
  if (lists.includes('0') || !numbers.every(isTruthy)) {
    reject('rest_cannot_assign_term', 'Sorry, you are not allowed to assign the provided terms.', context);
  }
}

function checkSticky({ noun }: ContentKind, given: RawArguments, context: ContentContext): void {
  const mayStick = may(context.caller, `edit_others_${noun}`) || may(context.caller, `publish_${noun}`);
  if (isTruthy(given.sticky) && !mayStick) {
    reject('rest_cannot_assign_sticky', 'Sorry, you are not allowed to make posts sticky.', context);
  }
}
