import { changeEach } from './change-each.ts';
import type { Migration } from './migration.ts';

/** Lets every device be found by the grams of its serial. Older programs would add devices without them. */
export const serialGrams: Migration = {
  number: 3,
  name: 'serial-grams',
  description: 'Gives every device an index entry for each part of its serial',
  leastReader: 3,
  ...changeEach({
    collection: 'devices',
    pending: { serial_grams: { $exists: false } },
    reads: ['serial_folded'],
    update: ({ serial_folded }) => ({ $set: { serial_grams: gramsOf([...String(serial_folded)]) } }),
  }),
};

/** The different sequences of 1 to 3 characters. */
function gramsOf(characters: readonly string[]): string[] {
  const grams = [1, 2, 3].flatMap((length) =>
    characters
      .slice(0, Math.max(0, characters.length - length + 1))
      .map((_, start) => characters.slice(start, start + length).join('')),
  );
  return [...new Set(grams)];
}
