import type { FilterOf } from '../../models/store/plain-store.ts';

import { StampedCache } from '../../models/stamped-cache.ts';
import { perService, type Service } from '../../models/store/service.ts';

const totals = perService(() => new StampedCache<number>({ max: 500 }));

/**
 * Counts the documents that a filter finds. The total is cached until something changes, in this process or another: a
 * count costs as much as there are items.
 *
 * @param filter names the total
 * @param stamp of content, as the request has read it; null if nothing may be cached
 */
export function totalOf(
  service: Service,
  filter: FilterOf<never>,
  stamp: string | null,
  count: () => Promise<number>,
): Promise<number> {
  const name = JSON.stringify(filter, (_key, value) => (value instanceof RegExp ? String(value) : value));
  return totals(service).get(name, stamp, count);
}

/** A page that was found in a list. */
interface FoundPage {
  /** Records on it. */
  readonly found: number;
  /** Records of the list before this page. */
  readonly skip: number;
  /** Maximum number of records on it. */
  readonly limit: number;
}

/** Returns the total of a list. It is counted only if the page does not reveal it: one with room left is the last one. */
export async function totalBy({ found, skip, limit }: FoundPage, count: () => Promise<number>): Promise<number> {
  const isLast = found < limit && (found > 0 || skip === 0);
  return isLast ? skip + found : count();
}
