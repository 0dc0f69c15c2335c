import type { Migration } from './migration.ts';

/**
 * Excludes programs that write comments, terms, users or settings of the website without a stamp, which tells other servers
 * that their cached answers are outdated. No data is changed.
 */
export const contentStamps: Migration = {
  number: 7,
  name: 'content-stamps',
  description: 'Lets servers cache responses with website content until it changes',
  pending: async () => 0,
  run: async () => undefined,
};
