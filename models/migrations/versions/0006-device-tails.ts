import type { Migration } from './migration.ts';

/**
 * Excludes programs that do not know the positions at the end of open trips, which are stored with devices: they would neither
 * show nor pack them. No data is changed.
 */
export const deviceTails: Migration = {
  number: 6,
  name: 'device-tails',
  description: 'Lets devices hold the latest positions of their open trips',
  pending: async () => 0,
  run: async () => undefined,
};
