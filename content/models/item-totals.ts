import type { FilterOf } from '../../models/store/plain-store.ts';

import { perService, type Service } from '../../models/store/service.ts';

/** Most totals that are remembered; the oldest goes first. */
const MAX_TOTALS = 500;

const totals = perService(() => new Map<string, { readonly stamp: string; readonly total: number }>());

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
  totals(service).delete(name);
  totals(service).set(name, { stamp, total });
  const [oldest] = totals(service).keys();
  if (totals(service).size > MAX_TOTALS && oldest !== undefined) totals(service).delete(oldest);
  return total;
}
