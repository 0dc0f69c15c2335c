import { may } from '../access/capabilities.ts';
import { kindOf } from '../schema/kinds/content-kinds.ts';
import { ContentError } from '../schema/content-error.ts';
import { toInteger, isTruthy } from '../schema/php-values.ts';
import { type ContentContext, reject } from '../access/content-context.ts';
import { findAnyItem } from '../items/find-item.ts';
import { loadParents, isReadable } from '../items/item-extras.ts';
import type { FieldPermissions } from '../access/root-field.ts';
import type { TermKind } from '../schema/kinds/term-kinds.ts';

import { findTerm } from './term-view.ts';

/** Returns the permissions of a taxonomy. The order of errors is that of the interface. */
export function termPermissions(kind: TermKind): FieldPermissions {
  const { taxonomy } = kind;
  return {
    list: async (given, context) => {
      if (given.context === 'edit' && !may(context.caller, 'edit_term', { taxonomy })) {
        reject('rest_forbidden_context', 'Sorry, you are not allowed to edit terms in this taxonomy.', context);
      }
      if (isTruthy(given.post)) await checkPost(toInteger(given.post), context);
    },
    read: async (given, context) => {
      await findTerm(context.service, kind, given.id);
      if (given.context === 'edit' && !may(context.caller, 'edit_term', { taxonomy })) {
        reject('rest_forbidden_context', 'Sorry, you are not allowed to edit this term.', context);
      }
    },
    create: (_given, context) => {
      if (!may(context.caller, kind.toCreate)) {
        reject('rest_cannot_create', 'Sorry, you are not allowed to create new terms.', context);
      }
    },
    update: async (given, context) => {
      await findTerm(context.service, kind, given.id);
      if (!may(context.caller, 'edit_term', { taxonomy })) {
        reject('rest_cannot_update', 'Sorry, you are not allowed to edit this term.', context);
      }
    },
    delete: async (given, context) => {
      const { id } = await findTerm(context.service, kind, given.id);
      const is_default = taxonomy === 'category' && (await context.settings()).default_category === id;
      if (!may(context.caller, 'delete_term', { taxonomy, is_default })) {
        reject('rest_cannot_delete', 'Sorry, you are not allowed to delete this term.', context);
      }
    },
  };
}

/** Only posts have terms, and they are shown to callers who may read the post. */
async function checkPost(id: unknown, context: ContentContext): Promise<void> {
  const item = await findAnyItem(context.service, id);
  if (!item) throw new ContentError('rest_post_invalid_id', 'Invalid post ID.', 400);
  if (!kindOf(item.type)?.terms.length || !isReadable(item, await loadParents(context.service, [item]), context)) {
    reject('rest_forbidden_context', 'Sorry, you are not allowed to view terms for this post.', context);
  }
}
