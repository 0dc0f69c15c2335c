import type { Migration } from './migration.ts';

/**
 * Keeps programs away that write comments, terms, users or settings of the website without a stamp, from which other servers
 * know that the answers they keep are outdated. There is nothing to change.
 */
export const contentStamps: Migration = {
  number: 7,
  name: 'content-stamps',
  description: 'Lets servers cache responses with website content until it changes',
  pending: async () => 0,
  run: async () => undefined,
};
