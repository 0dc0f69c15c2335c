import { type StoredTerm, TermModel } from '../../models/term.ts';
import { WebsiteUserModel } from '../../models/website-user.ts';
import { ContentError } from '../../schema/content-error.ts';
import type { ContentContext } from '../../access/content-context.ts';
import { slugOf } from '../../rendering/slug.ts';
import { CATEGORY, TAG } from '../../schema/kinds/term-kinds.ts';
import { branchOf } from '../../terms/term-tree.ts';
import { showTerm } from '../../terms/term-view.ts';
import { findUser } from '../../users/find-user.ts';
import { mayReadUser } from '../../users/user-permissions.ts';

import { fieldOf } from './field-of.ts';
import type { PostFilter } from './post-list.ts';

/** Posts that have something in common. */
export interface Archive {
  /** As HTML. */
  readonly name: string;
  /** As HTML; empty where there is none. */
  readonly description: string;
  /** Where its first page is. */
  readonly link: string;
  readonly filter: PostFilter;
}

/** The posts of a category, and of those below it; null where there is no such category. */
export async function categoryArchive(slug: string, context: ContentContext): Promise<Archive | null> {
  const term = await findTerm(CATEGORY.taxonomy, slug);
  if (term === null) return null;
  return describe(term, await showTerm(CATEGORY, term, context), { categories: await idsFrom(term) });
}

/** The posts with a tag; null where there is no such tag. */
export async function tagArchive(slug: string, context: ContentContext): Promise<Archive | null> {
  const term = await findTerm(TAG.taxonomy, slug);
  return term && describe(term, await showTerm(TAG, term, context), { tags: [term.id] });
}

/** The posts of an author; null where there is none, or none whom a visitor may know of. */
export async function authorArchive(slug: string, context: ContentContext): Promise<Archive | null> {
  const found = await WebsiteUserModel.findOne({ slug: slugOf(slug) }, { _id: 0, id: 1 }).lean();
  if (found === null || !(await isKnown(found.id, context))) return null;
  const { id, name, description, slug: own } = await findUser(found.id);
  return { name, description, link: `${context.site}/author/${own}/`, filter: { author: [id] } };
}

async function isKnown(id: number, context: ContentContext): Promise<boolean> {
  try {
    await mayReadUser({ id }, context);
    return true;
  } catch (error) {
    if (error instanceof ContentError) return false;
    throw error;
  }
}

function findTerm(taxonomy: StoredTerm['taxonomy'], slug: string): Promise<StoredTerm | null> {
  return TermModel.findOne({ taxonomy, slug: slugOf(slug) })
    .select({ _id: 0 })
    .lean<StoredTerm | null>();
}

async function describe(
  { name, description }: StoredTerm,
  { link }: Awaited<ReturnType<typeof showTerm>>,
  filter: PostFilter,
): Promise<Archive> {
  return { name, description, link: await fieldOf(link), filter };
}

/** The id of a category and of all below it, at any depth. */
async function idsFrom({ id }: StoredTerm): Promise<number[]> {
  const terms = await TermModel.find({ taxonomy: 'category' }).select({ _id: 0 }).lean<StoredTerm[]>();
  const byId = new Map(terms.map((term) => [term.id, term]));
  return terms
    .filter((term) => branchOf(term, (above) => byId.get(above)).some((above) => above.id === id))
    .map((term) => term.id);
}
