import type { QueryFilter } from 'mongoose';

import { readStamp } from './content-stamp.ts';

/** Most totals that are remembered; the oldest goes first. */
const MAX_TOTALS = 500;

const totals = new Map<string, { readonly stamp: string; readonly total: number }>();

/**
 * Counts the documents that a filter finds. The total is cached until something changes, in this process or another: a
 * count costs as much as there are items.
 *
 * @param filter names the total
 */
export async function totalOf(filter: QueryFilter<never>, count: () => Promise<number>): Promise<number> {
  const name = JSON.stringify(filter, (_key, value) => (value instanceof RegExp ? String(value) : value));
  const stamp = (await readStamp())?.stamp ?? '';
  const known = totals.get(name);
  if (known?.stamp === stamp) return known.total;
  const total = await count();
  totals.delete(name);
  totals.set(name, { stamp, total });
  const [oldest] = totals.keys();
  if (totals.size > MAX_TOTALS && oldest !== undefined) totals.delete(oldest);
  return total;
}
