import { ContentError } from '../schema/content-error.ts';
import { itemPageOf, pagesOf } from '../schema/records/item-page.ts';
import { TERM_DELETE, TERM_ID, TERM_READ } from '../schema/parameters/term-parameters.ts';
import { rootField, type RootFields } from '../access/root-field.ts';
import type { TermKind } from '../schema/kinds/term-kinds.ts';

import { listTerms, type TermListArguments } from './list-terms.ts';
import { termPermissions } from './term-permissions.ts';
import { showTerm, showTerms, findTerm } from './term-view.ts';
import { changeTerm, insertTerm, type TermArguments, deleteTerm } from './write-term.ts';

/** The root fields of a taxonomy: `tags`, `tag`, `createTag`, `updateTag`, `deleteTag`. */
export function termResolver(kind: TermKind): RootFields {
  const { one, many, record } = kind;
  const may = termPermissions(kind);
  return {
    queries: {
      [many]: rootField(
        { returns: itemPageOf(record), description: `A page of ${many}.`, takes: kind.list, permitted: may.list },
        async (args: TermListArguments, context) => {
          const { terms, total, page } = await listTerms(context.service, kind, args);
          const items = await showTerms(kind, terms, context);
          return { items, total, total_pages: pagesOf(total, args.per_page), page };
        },
      ),
      [one]: rootField(
        { returns: record, description: `One of the ${many}.`, takes: TERM_READ, permitted: may.read },
        async ({ id }, context) => showTerm(kind, await findTerm(context.service, kind, id), context),
      ),
    },
    mutations: {
      [`create${record.name}`]: rootField(
        {
          returns: record,
          description: `Adds to the ${many}.`,
          takes: { ...kind.write, name: { ...kind.write.name, required: true } },
          permitted: may.create,
        },
        async (args: TermArguments, context) => showTerm(kind, await insertTerm(context.service, kind, args), context),
      ),
      [`update${record.name}`]: rootField(
        {
          returns: record,
          description: `Changes one of the ${many}.`,
          takes: { ...TERM_ID, ...kind.write },
          permitted: may.update,
        },
        async (args: TermArguments & { readonly id: number }, context) =>
          showTerm(kind, await changeTerm(context.service, kind, args), context),
      ),
      [`delete${record.name}`]: rootField(
        {
          returns: record,
          description: `Deletes one of the ${many} for good.`,
          takes: TERM_DELETE,
          permitted: may.delete,
        },
        async ({ id, force }, context) => {
          const term = await findTerm(context.service, kind, id);
          if (!force) {
            const message = "Terms do not support trashing. Set 'force=true' to delete.";
            throw new ContentError('rest_trash_not_supported', message, 501);
          }
          const shown = await showTerm(kind, term, context);
          await deleteTerm(context.service, kind, term, (await context.settings()).default_category);
          return shown;
        },
      ),
    },
  };
}
