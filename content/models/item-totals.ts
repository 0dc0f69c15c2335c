import type { FilterOf } from '../../models/store/plain-store.ts';

import { StampedCache } from '../../models/stamped-cache.ts';
import { perService, type Service } from '../../models/store/service.ts';

const totals = perService(() => new StampedCache<number>({ max: 500 }));

/**
 * Counts the documents that a filter finds. The total is cached until something changes, in this process or another: a
 * count costs as much as there are items.
 *
 * @param filter names the total
 * @param stamp of content, as the request has read it; null where nothing may be cached
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
