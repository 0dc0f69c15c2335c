import type { BenchRow } from '../bench-row.ts';
import { measureLists } from './many-posts.ts';
import { measureReaders } from './reader-duels.ts';
import type { WordpressHost } from './wordpress-cost.ts';

/** Measures what readers of the website ask for, and its lists among many posts. */
export async function run(many: number, wordpress: WordpressHost | null): Promise<BenchRow[]> {
  return [...(await measureReaders(wordpress)), ...(await measureLists(many))];
}
