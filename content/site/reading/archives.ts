import { type StoredTerm, TermStore } from '../../models/term.ts';
import { WebsiteUserStore } from '../../models/website-user.ts';
import { ContentError } from '../../schema/content-error.ts';
import type { ContentContext } from '../../access/content-context.ts';
import { slugOf } from '../../rendering/slug.ts';
import type { TermKind } from '../../schema/kinds/term-kinds.ts';
import { upFrom } from '../../access/permalink.ts';
import { showTerm } from '../../terms/term-view.ts';
import { findUser } from '../../users/user-view.ts';
import { userPermissions } from '../../users/user-permissions.ts';

import { fieldOf } from './article.ts';
import type { PostFilter } from './post-list.ts';
import type { Service } from '../../../models/store/service.ts';

/** Posts that have something in common. */
export interface Archive {
  /** As HTML. */
  readonly name: string;
  /** As HTML; empty where there is none. */
  readonly description: string;
  /** Address of its first page. */
  readonly link: string;
  readonly filter: PostFilter;
}

/** Finds the posts of a category and of those below it, or of a tag, by slug or number; null where there is no such term. */
export async function termArchive(
  kind: TermKind,
  name: string | number,
  context: ContentContext,
): Promise<Archive | null> {
  const { taxonomy } = kind;
  const term = await TermStore.findOne(context.service, { taxonomy, ...named(name) }).select({ _id: 0 });
  if (term === null) return null;
  const { link } = await showTerm(kind, term, context);
  const filter = taxonomy === 'category' ? { categories: await idsFrom(context.service, term) } : { tags: [term.id] };
  return { name: term.name, description: term.description, link: await fieldOf(link), filter };
}

/** Finds the posts of an author by slug or number; null where there is none, or none whom a visitor may see. */
export async function authorArchive(name: string | number, context: ContentContext): Promise<Archive | null> {
  const found = await WebsiteUserStore.findOne(context.service, named(name), { _id: 0, id: 1 });
  if (found === null || !(await isKnown(found.id, context))) return null;
  const { id, name: shown, description, slug } = await findUser(context.service, found.id);
  return { name: shown, description, link: `${context.site}/author/${slug}/`, filter: { author: [id] } };
}

function named(name: string | number): { readonly slug: string } | { readonly id: number } {
  return typeof name === 'number' ? { id: name } : { slug: slugOf(name) };
}

async function isKnown(id: number, context: ContentContext): Promise<boolean> {
  try {
    await userPermissions.read({ id }, context);
    return true;
  } catch (error) {
    if (error instanceof ContentError) return false;
    throw error;
  }
}

/** The id of a category and of all below it, at any depth. */
async function idsFrom(service: Service, { id }: StoredTerm): Promise<number[]> {
  const terms = await TermStore.find(service, { taxonomy: 'category' }).select({ _id: 0 });
  const byId = new Map(terms.map((term) => [term.id, term]));
  return terms
    .filter((term) => [...upFrom(term, (above) => byId.get(above))].some((above) => above.id === id))
    .map((term) => term.id);
}
