import type { ContentContext } from '../../access/content-context.ts';
import { CATEGORY, TAG } from '../../schema/kinds/term-kinds.ts';
import type { HtmlValue } from '../../../http/answers/html.ts';

import { type Archive, authorArchive, termArchive } from './archives.ts';
import type { PostFilter } from './post-list.ts';
import { boundsOf, type ListAddress } from './site-address.ts';
import type { CalendarDate } from '../text/written-date.ts';
import { textHtml } from '../text/text-html.ts';
import { dateInWords, languageTag } from '../text/written-date.ts';

/** A list of posts by the address that names it. */
export interface NamedList {
  /** Kind of the list, shown above its name; null for none. */
  readonly kind: string | null;
  readonly name: HtmlValue;
  /** As HTML; empty where there is none. */
  readonly description: string;
  /** Address of its first page. */
  readonly link: string;
  readonly filter: PostFilter;
  /** True where it exists even without posts. */
  readonly mayBeEmpty: boolean;
}

/** Finds a list of posts as a visitor may see it; null where there is none. */
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
      return ofArchive('Category', await termArchive(CATEGORY, address.name, context));
    case 'tag':
      return ofArchive('Tag', await termArchive(TAG, address.name, context));
    case 'author':
      return ofArchive('Author', await authorArchive(address.name, context));
  }
}

function ofArchive(kind: string, archive: Archive | null): NamedList | null {
  return archive && { ...archive, name: textHtml(archive.name), kind, mayBeEmpty: true };
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
