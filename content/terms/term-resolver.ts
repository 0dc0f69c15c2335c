import { type ClassType, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { ContentError } from '../schema/content-error.ts';
import { type ItemPage, itemPageOf, pagesOf } from '../schema/records/item-page.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import { Takes } from '../schema/takes.ts';
import type { Category, Term } from '../schema/records/term.ts';
import { TERM_DELETE, TERM_READ } from '../schema/parameters/term-parameters.ts';
import type { ContentContext } from '../access/content-context.ts';
import { Permitted } from '../access/permitted.ts';
import type { TermKind } from '../schema/kinds/term-kinds.ts';
import type { ViewOf } from '../access/view-of.ts';

import { deleteTerm } from './delete-term.ts';
import { findTerm } from './find-term.ts';
import { listTerms, type TermListArguments } from './list-terms.ts';
import { termPermissions } from './term-permissions.ts';
import { showTerm, showTerms } from './term-view.ts';
import { changeTerm, insertTerm, type TermArguments } from './write-term.ts';

/** The root fields of a taxonomy: `tags`, `tag`, `createTag`, `updateTag`, `deleteTag`. */
export function termResolver<R extends Term>(kind: TermKind<R>): ClassType {
  const may = termPermissions(kind);
  const RecordPage = itemPageOf(kind.record);
  const Name = kind.record.name;

  @Resolver()
  class TermResolver {
    @Permitted(may.list)
    @Query(() => RecordPage, { name: kind.many, description: `A page of ${kind.many}.` })
    async list(
      @Takes(kind.list) args: TermListArguments,
      @Ctx() context: ContentContext,
    ): Promise<ItemPage<ViewOf<Category>>> {
      const { terms, total, page } = await listTerms(kind, args);
      const total_pages = pagesOf(total, args.per_page);
      return { items: await showTerms(kind, terms, context), total, total_pages, page };
    }

    @Permitted(may.read)
    @Query(() => kind.record, { name: kind.one, description: `One of the ${kind.many}.` })
    async one(
      @Takes(TERM_READ) { id }: ParametersOf<typeof TERM_READ>,
      @Ctx() context: ContentContext,
    ): Promise<ViewOf<Category>> {
      return showTerm(kind, await findTerm(kind, id), context);
    }

    @Permitted(may.create)
    @Mutation(() => kind.record, { name: `create${Name}`, description: `Adds to the ${kind.many}.` })
    async create(@Takes(kind.create) args: TermArguments, @Ctx() context: ContentContext): Promise<ViewOf<Category>> {
      return showTerm(kind, await insertTerm(kind, args), context);
    }

    @Permitted(may.update)
    @Mutation(() => kind.record, { name: `update${Name}`, description: `Changes one of the ${kind.many}.` })
    async update(
      @Takes(kind.write) args: TermArguments & { readonly id: number },
      @Ctx() context: ContentContext,
    ): Promise<ViewOf<Category>> {
      return showTerm(kind, await changeTerm(kind, args), context);
    }

    @Permitted(may.delete)
    @Mutation(() => kind.record, { name: `delete${Name}`, description: `Deletes one of the ${kind.many} for good.` })
    async delete(
      @Takes(TERM_DELETE) { id, force }: ParametersOf<typeof TERM_DELETE>,
      @Ctx() context: ContentContext,
    ): Promise<ViewOf<Category>> {
      const term = await findTerm(kind, id);
      if (!force) {
        const message = "Terms do not support trashing. Set 'force=true' to delete.";
        throw new ContentError('rest_trash_not_supported', message, 501);
      }
      const shown = await showTerm(kind, term, context);
      await deleteTerm(kind, term, (await context.settings()).default_category);
      return shown;
    }
  }
  return TermResolver;
}
