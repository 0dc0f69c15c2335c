import { dropIndex } from './drop-index.ts';
import type { Migration } from './migration.ts';

/** Lets a trip have several packs, of which it names one. Older programs would read all, and ignore lease epochs. */
export const tripPointPacks: Migration = {
  number: 1,
  name: 'trip-point-packs',
  description: 'Drops the index that limited a trip to one pack of positions',
  ...dropIndex('trip_points', 'vehicle_key_1_trip_key_1_number_1'),
};
