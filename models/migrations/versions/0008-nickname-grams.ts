import { gramsOf } from '../../n-grams.ts';
import { changeEach } from './change-each.ts';
import type { Migration } from './migration.ts';

/** Makes every vehicle findable by the grams of its nickname. Older programs would add vehicles without them. */
export const nicknameGrams: Migration = {
  number: 8,
  name: 'nickname-grams',
  description: 'Gives every vehicle an index entry for each part of its nickname',
  ...changeEach({
    collection: 'vehicles',
    pending: { nickname_grams: { $exists: false } },
    reads: ['nickname'],
    update: ({ nickname }) => {
      const folded = typeof nickname === 'string' ? nickname.toLowerCase() : null;
      return { $set: { nickname_folded: folded, nickname_grams: gramsOf(folded ?? '') } };
    },
  }),
};
