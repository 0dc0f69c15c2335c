import { gramsOf } from '../../n-grams.ts';
import { changeEach } from './change-each.ts';
import type { Migration } from './migration.ts';

/** Makes every device findable by the grams of its serial. Older programs would add devices without them. */
export const serialGrams: Migration = {
  number: 3,
  name: 'serial-grams',
  description: 'Gives every device an index entry for each part of its serial',
  ...changeEach({
    collection: 'devices',
    pending: { serial_grams: { $exists: false } },
    reads: ['serial_folded'],
    update: ({ serial_folded }) => ({ $set: { serial_grams: gramsOf(String(serial_folded)) } }),
  }),
};
