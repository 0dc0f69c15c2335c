import { upFrom } from '../access/up-from.ts';
import { TermStore } from '../models/term.ts';
import type { TermKind } from '../schema/kinds/term-kinds.ts';

import { loadAncestors, type PlacedTerm } from './term-tree.ts';
import type { Service } from '../../models/store/service.ts';

/** The slug that a term is to have. */
interface SlugRequest {
  readonly slug: string;
  /** The term above it, 0 for none. */
  readonly parent: number;
  /** The term itself, if it is stored already. */
  readonly id?: number;
}

/** A slug, and whether another term has it all the same. */
interface FoundSlug {
  readonly slug: string;
  readonly isTaken: boolean;
}

/**
 * A slug that no other term of the taxonomy has: the requested one, or with those of the terms above it, as few as are
 * needed, or with a number. All the way up it may still be taken, by a term that made the same way.
 */
export async function freeTermSlug(
  service: Service,
  kind: TermKind,
  { slug, parent, id = 0 }: SlugRequest,
): Promise<FoundSlug> {
  const isTaken = async (candidate: string, filter = {}) =>
    (await TermStore.exists(service, { slug: candidate, id: { $ne: id }, ...filter })) !== null;
  if (!(await isTaken(slug, { taxonomy: kind.taxonomy }))) return { slug, isTaken: false };
  const above = kind.isTree && parent !== 0 ? await TermStore.findOne(service, { id: parent }) : null;
  if (above) {
    let candidate = slug;
    for (const term of upFrom<PlacedTerm>(above, await loadAncestors(service, [above]))) {
      candidate += `-${term.slug}`;
      if (!(await isTaken(candidate))) return { slug: candidate, isTaken: false };
    }
    return { slug: candidate, isTaken: true };
  }
  let number = 2;
  while (await isTaken(`${slug}-${number}`)) number++;
  return { slug: `${slug}-${number}`, isTaken: false };
}
