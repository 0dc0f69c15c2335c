import type { ContentContext } from '../../access/content-context.ts';
import { CATEGORY, TAG, type TermKind } from '../../schema/kinds/term-kinds.ts';
import type { HtmlValue } from '../../../http/answers/html.ts';

import type { PostFilter } from './post-list.ts';
import { boundsOf, type ListAddress } from './site-address.ts';
import { type CalendarDate, dateInWords, languageTag } from '../text/written-date.ts';
import { textHtml } from '../text/text-html.ts';
import { type StoredTerm, TermStore } from '../../models/term.ts';
import { WebsiteUserStore } from '../../models/website-user.ts';
import { slugOf } from '../../rendering/slug.ts';
import { upFrom } from '../../access/permalink.ts';
import { showTerm } from '../../terms/term-view.ts';
import { findUser } from '../../users/user-view.ts';
import { userPermissions } from '../../users/user-permissions.ts';
import { fieldOf } from './article.ts';
import type { Service } from '../../../models/store/service.ts';
import { passes } from '../../access/root-field.ts';

/** A list of posts by its address. */
export interface NamedList {
  /** Kind of the list, shown above its name; null if there is none. */
  readonly kind: string | null;
  readonly name: HtmlValue;
  /** As HTML; empty if there is none. */
  readonly description: string;
  /** Address of its first page. */
  readonly link: string;
  readonly filter: PostFilter;
  /** True if it exists even without posts. */
  readonly mayBeEmpty: boolean;
}

/** Finds a list of posts as a visitor may see it; null if there is none. */
export async function findList(address: ListAddress, context: ContentContext): Promise<NamedList | null> {
  const { site } = context;
  switch (address.kind) {
    case 'blog':
      return { kind: null, name: 'Blog', description: '', link: `${site}/blog/`, filter: {}, mayBeEmpty: true };
    case 'date':
      return dateList(address.date, context);
    case 'search':
      return searchList(address.words, site);
    case 'category':
      return termList(CATEGORY, address.name, context);
    case 'tag':
      return termList(TAG, address.name, context);
    case 'author':
      return authorList(address.name, context);
  }
}

async function dateList(date: CalendarDate, context: ContentContext): Promise<NamedList> {
  const { language } = await context.settings();
  const { year, ...rest } = date;
  const path = [String(year).padStart(4, '0'), ...Object.values(rest).map((part) => String(part).padStart(2, '0'))];
  return {
    kind: 'Posts of',
    name: dateInWords(date, languageTag(language)),
    description: '',
    link: `${context.site}/${path.join('/')}/`,
    filter: boundsOf(date),
    mayBeEmpty: false,
  };
}

function searchList(words: string, site: string): NamedList {
  const link = `${site}/?s=${encodeURIComponent(words)}`;
  const name = words === '' ? 'Search' : `Search for “${words}”`;
  return { kind: null, name, description: '', link, filter: { search: words }, mayBeEmpty: true };
}

/** Finds the posts of a category and of those below it, or of a tag, by slug or number; null if there is no such term. */
async function termList(kind: TermKind, name: string | number, context: ContentContext): Promise<NamedList | null> {
  const { taxonomy, field, isTree } = kind;
  const term = await TermStore.findOne(context.service, { taxonomy, ...named(name) }).select({ _id: 0 });
  if (term === null) return null;
  const { link } = await showTerm(kind, term, context);
  const filter = { [field]: isTree ? await idsFrom(context.service, term) : [term.id] };
  return { ...described(term), kind: kind.record.name, link: await fieldOf(link), filter, mayBeEmpty: true };
}

/** Finds the posts of an author by slug or number; null if there is none, or a visitor may not see them. */
async function authorList(name: string | number, context: ContentContext): Promise<NamedList | null> {
  const found = await WebsiteUserStore.findOne(context.service, named(name), { _id: 0, id: 1 });
  if (found === null || !(await passes(userPermissions.read, { id: found.id }, context))) return null;
  const user = await findUser(context.service, found.id);
  const link = `${context.site}/author/${user.slug}/`;
  return { ...described(user), kind: 'Author', link, filter: { author: [user.id] }, mayBeEmpty: true };
}

function described({ name, description }: Pick<StoredTerm, 'name' | 'description'>) {
  return { name: textHtml(name), description };
}

function named(name: string | number): { readonly slug: string } | { readonly id: number } {
  return typeof name === 'number' ? { id: name } : { slug: slugOf(name) };
}

/** The id of a category and of all below it, at any depth. */
async function idsFrom(service: Service, { id }: StoredTerm): Promise<number[]> {
  const terms = await TermStore.find(service, { taxonomy: 'category' }).select({ _id: 0 });
  const byId = new Map(terms.map((term) => [term.id, term]));
  return terms
    .filter((term) => [...upFrom(term, (above) => byId.get(above))].some((above) => above.id === id))
    .map((term) => term.id);
}
