import { LRUCache } from 'lru-cache';

import type { FilterOf } from '../../models/store/plain-store.ts';

import { perService, type Service } from '../../models/store/service.ts';

/** Most totals that are remembered. */
const MAX_TOTALS = 500;

const totals = perService(
  () => new LRUCache<string, { readonly stamp: string; readonly total: number }>({ max: MAX_TOTALS }),
);

/**
 * Counts the documents that a filter finds. The total is cached until something changes, in this process or another: a
 * count costs as much as there are items.
 *
 * @param filter names the total
 * @param stamp of content, as the request has read it; null where nothing may be cached
 */
export async function totalOf(
  service: Service,
  filter: FilterOf<never>,
  stamp: string | null,
  count: () => Promise<number>,
): Promise<number> {
  if (stamp === null) return count();
  const name = JSON.stringify(filter, (_key, value) => (value instanceof RegExp ? String(value) : value));
  const known = totals(service).get(name);
  if (known?.stamp === stamp) return known.total;
  const total = await count();
  totals(service).set(name, { stamp, total });
  return total;
}

/** A page that was found in a list. */
interface FoundPage {
  /** Records on it. */
  readonly found: number;
  /** Records of the list before it. */
  readonly skip: number;
  /** Most records that it may have. */
  readonly limit: number;
}

/** Returns the total of a list. It is counted only where the page does not tell: one with room left is the last one. */
export async function totalBy({ found, skip, limit }: FoundPage, count: () => Promise<number>): Promise<number> {
  const isLast = found < limit && (found > 0 || skip === 0);
  return isLast ? skip + found : count();
}
