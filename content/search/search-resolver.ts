import { itemPageOf, pagesOf } from '../access/collection-fields.ts';
import type { ContentContext } from '../access/content-context.ts';
import { permalinkOf } from '../access/permalink.ts';
import { anyone, rootField, type RootFields } from '../access/root-field.ts';
import { loadParents } from '../items/item-extras.ts';
import { listItems } from '../items/list-items.ts';
import { TermStore } from '../models/term.ts';
import { renderTitle } from '../rendering/title.ts';
import { kindOf } from '../schema/kinds/content-kinds.ts';
import { TERM_KINDS } from '../schema/kinds/term-kinds.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import { isTruthy } from '../schema/php-values.ts';
import { FOUND_KINDS, SEARCH, SearchResult } from './search-result.ts';
import { searchedTerms } from '../terms/list-terms.ts';
import { loadAncestors, termLink } from '../terms/term-view.ts';

type SearchArguments = ParametersOf<typeof SEARCH>;

interface Found {
  readonly items: readonly SearchResult[];
  readonly total: number;
}

/** `/wp/v2/search`: published posts and pages, the best match first, or terms by name. Rules: WordPress 5.0. */
export const searchResolver: RootFields = {
  queries: {
    search: rootField(
      'A page of what a search finds.',
      { returns: itemPageOf(SearchResult), takes: SEARCH, permitted: anyone },
      async (args: SearchArguments, context) => {
        const found = await (args.type === 'term' ? searchTerms(args, context) : searchPosts(args, context));
        return { ...found, total_pages: pagesOf(found.total, args.per_page) };
      },
    ),
  },
};

/** The kinds that a search is limited to; all if it names none of them. */
function chosenOf<K>(kinds: readonly K[], { subtype }: SearchArguments, nameOf: (kind: K) => string): readonly K[] {
  const chosen = kinds.filter((kind) => subtype.includes(nameOf(kind)));
  return chosen.length === 0 || subtype.includes('any') ? kinds : chosen;
}

async function searchPosts(args: SearchArguments, context: ContentContext): Promise<Found> {
  const { page, per_page, search, include, exclude } = args;
  const orderby = isTruthy(search) ? 'relevance' : 'date';
  const kinds = chosenOf(FOUND_KINDS, args, ({ type }) => type);
  const wanted = { page, per_page, search, include, exclude, orderby, order: 'desc' } as const;
  const { items, total } = await listItems(kinds, wanted, context, { selected: new Set(['title']) });
  const { parentOf } = await loadParents(context.service, items);
  const shown = items.map((item) => ({
    id: item.id,
    title: renderTitle(item.title),
    url: permalinkOf(item, context.site, parentOf),
    type: 'post',
    subtype: item.type,
    path: `/wp/v2/${kindOf(item.type)?.many ?? ''}`,
    about: `/wp/v2/types/${item.type}`,
  }));
  return { items: shown, total };
}

async function searchTerms(args: SearchArguments, context: ContentContext): Promise<Found> {
  const { page, per_page, search, include, exclude } = args;
  const kinds = chosenOf(TERM_KINDS, args, ({ taxonomy }) => taxonomy);
  const filter = {
    $and: [
      { taxonomy: { $in: kinds.map(({ taxonomy }) => taxonomy) } },
      include.length > 0 ? { id: { $in: [...include] } } : { id: { $nin: [...exclude] } },
      ...(isTruthy(search) ? [searchedTerms(search ?? '')] : []),
    ],
  };
  const [terms, total] = await Promise.all([
    TermStore.find(context.service, filter)
      .sort({ name_folded: 1, id: 1 })
      .skip((page - 1) * per_page)
      .limit(per_page)
      .select({ _id: 0 }),
    TermStore.countDocuments(context.service, filter),
  ]);
  const ancestors = await loadAncestors(context.service, terms);
  const items = terms.flatMap((term) => {
    const kind = kinds.find(({ taxonomy }) => taxonomy === term.taxonomy);
    if (!kind) return [];
    const url = termLink(kind, term, context.site, ancestors);
    const { id, name: title, taxonomy } = term;
    const path = `/wp/v2/${kind.many}`;
    return [{ id, title, url, type: taxonomy, subtype: taxonomy, path, about: `/wp/v2/taxonomies/${taxonomy}` }];
  });
  return { items, total };
}
