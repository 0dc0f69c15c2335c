import { ContentError } from '../schema/content-error.ts';
import { TERM_DELETE, TERM_ID, TERM_READ } from '../schema/parameters/term-parameters.ts';
import type { RootFields } from '../access/root-field.ts';
import type { TermKind } from '../schema/kinds/term-kinds.ts';

import { listTerms, type TermListArguments } from './list-terms.ts';
import { termPermissions } from './term-permissions.ts';
import { showTerm, showTerms, findTerm } from './term-view.ts';
import { changeTerm, insertTerm, type TermArguments, deleteTerm } from './write-term.ts';
import { collectionFields, taking } from '../access/collection-fields.ts';

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
