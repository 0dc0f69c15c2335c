import { ContentError } from '../schema/content-error.ts';
import { TERM_DELETE, TERM_ID, TERM_READ } from '../schema/parameters/term-parameters.ts';
import type { RootFields, FieldPermissions } from '../access/root-field.ts';
import type { TermKind } from '../schema/kinds/term-kinds.ts';

import { listTerms, type TermListArguments } from './list-terms.ts';
import { showTerm, showTerms, findTerm } from './term-view.ts';
import { changeTerm, insertTerm, type TermArguments, deleteTerm } from './write-term.ts';
import { collectionFields, taking } from '../access/collection-fields.ts';
import { may } from '../access/capabilities.ts';
import { kindOf } from '../schema/kinds/content-kinds.ts';
import { toInteger, isTruthy } from '../schema/php-values.ts';
import { type ContentContext, reject } from '../access/content-context.ts';
import { findAnyItem } from '../items/find-item.ts';
import { loadParents, isReadable } from '../items/item-extras.ts';

/** The root fields of a taxonomy: `tags`, `tag`, `createTag`, `updateTag`, `deleteTag`. */
export function termResolver(kind: TermKind): RootFields {
  const { write } = kind;
  return collectionFields(kind, termPermissions(kind), {
    list: taking(kind.list, async (args: TermListArguments, context) => {
      const { terms, total, page } = await listTerms(context.service, kind, args);
      return { items: await showTerms(kind, terms, context), total, page };
    }),
    read: taking(TERM_READ, async ({ id }, context) =>
      showTerm(kind, await findTerm(context.service, kind, id), context),
    ),
    create: taking({ ...write, name: { ...write.name, required: true } }, async (args: TermArguments, context) =>
      showTerm(kind, await insertTerm(context.service, kind, args), context),
    ),
    update: taking({ ...TERM_ID, ...write }, async (args: TermArguments & { readonly id: number }, context) =>
      showTerm(kind, await changeTerm(context.service, kind, args), context),
    ),
    delete: taking(TERM_DELETE, async ({ id, force }, context) => {
      const term = await findTerm(context.service, kind, id);
      if (!force) {
        const message = "Terms do not support trashing. Set 'force=true' to delete.";
        throw new ContentError('rest_trash_not_supported', message, 501);
      }
      const shown = await showTerm(kind, term, context);
      await deleteTerm(context.service, kind, term, (await context.settings()).default_category);
      return shown;
    }),
  });
}

/** Returns the permissions of a taxonomy. The order of errors is that of the interface. */
function termPermissions(kind: TermKind): FieldPermissions {
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
