import type { Migration } from './migration.ts';

/**
 * Keeps programs away that do not know the positions at the end of open trips, which devices hold: they would neither show
 * nor pack them. There is nothing to change.
 */
export const deviceTails: Migration = {
  number: 6,
  name: 'device-tails',
  description: 'Lets devices hold the latest positions of their open trips',
  pending: async () => 0,
  run: async () => undefined,
};
