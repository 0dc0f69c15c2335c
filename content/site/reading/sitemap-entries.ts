import { ContentItemModel, type StoredItem } from '../../models/content-item.ts';
import { type StoredTerm, TermModel } from '../../models/term.ts';
import type { ContentContext } from '../../access/content-context.ts';
import { loadExtras } from '../../items/item-extras.ts';
import { permalinkOf } from '../../access/permalink.ts';
import { type ContentKind, CONTENT_KINDS } from '../../schema/kinds/content-kinds.ts';
import { TERM_KINDS, type TermKind } from '../../schema/kinds/term-kinds.ts';
import { showTerms } from '../../terms/term-view.ts';

import { fieldOf } from './field-of.ts';

/** An address that search engines may know. */
export interface SitemapEntry {
  readonly link: string;
  /** Time of its last change, in GMT; null where it is not known. */
  readonly modified: string | null;
}

/** Addresses, all or those of one kind: their number, and access to a range of them. */
export interface SitemapEntries {
  readonly total: number;
  readonly read: (skip: number, limit: number) => Promise<readonly SitemapEntry[]>;
}

/** The addresses of all published posts and pages, and of the categories and tags that have posts. */
export async function sitemapEntries(context: ContentContext): Promise<SitemapEntries> {
  const written = CONTENT_KINDS.filter(({ isUploaded }) => !isUploaded).toReversed();
  const sections = await Promise.all([
    ...written.map((kind) => items(kind, context)),
    ...TERM_KINDS.map((kind) => terms(kind, context)),
  ]);
  return {
    total: sections.reduce((sum, { total }) => sum + total, 0),
    read: async (skip, limit) => {
      const found: SitemapEntry[] = [];
      let start = skip;
      for (const { total, read } of sections) {
        const missing = limit - found.length;
        if (start < total && missing > 0) found.push(...(await read(Math.max(0, start), missing)));
        start -= total;
      }
      return found;
    },
  };
}

/** The fields that addresses are made of, and that `loadExtras` reads. */
const SHOWN = {
  ...{ _id: 0, id: 1, type: 1, status: 1, date: 1, slug: 1, parent: 1 },
  ...{ modified_gmt: 1, categories: 1, tags: 1 },
} as const;

async function items({ type, address }: ContentKind, context: ContentContext): Promise<SitemapEntries> {
  const filter = { type, status: 'publish' } as const;
  return {
    total: await ContentItemModel.countDocuments(filter),
    read: async (skip, limit) => {
      const found = await ContentItemModel.find(filter)
        .sort({ date: -1, id: -1 })
        .skip(skip)
        .limit(limit)
        .select(SHOWN)
        .lean<StoredItem[]>();
      const above = address === 'nested' ? (await loadExtras(found)).parentOf : () => undefined;
      return found.map((item) => ({ link: permalinkOf(item, context.site, above), modified: item.modified_gmt }));
    },
  };
}

async function terms(kind: TermKind, context: ContentContext): Promise<SitemapEntries> {
  const filter = { taxonomy: kind.taxonomy, count: { $gt: 0 } } as const;
  return {
    total: await TermModel.countDocuments(filter),
    read: async (skip, limit) => {
      const found = await TermModel.find(filter).sort({ id: 1 }).skip(skip).limit(limit).lean<StoredTerm[]>();
      const shown = await showTerms(kind, found, context);
      return Promise.all(shown.map(async ({ link }) => ({ link: await fieldOf(link), modified: null })));
    },
  };
}
