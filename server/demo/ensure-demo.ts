import type { Database } from '../database.ts';

import type { DemoKeys } from './demo-keys.ts';

/** Whether a demonstration is wanted: `default` makes one in an embedded database without accounts. */
export type DemoWish = 'default' | 'wanted' | 'refused';

/** Stub. */
export async function ensureDemo(
  _dataDir: string,
  _wish: DemoWish,
  _database: Pick<Database, 'isEmbedded'>,
): Promise<DemoKeys | null> {
  return null;
}
