import { TripImport } from '../../schema/trips/trip-import.ts';

import { storeOf, type StoredIn } from '../store/store-of.ts';
import { required } from '../store/stored-fields.ts';

/** Seconds for which imports are kept. */
const KEPT_SECONDS = 30 * 86_400;

/** Imports of files that were sent to the service. */
export const TripImportStore = storeOf(TripImport, {
  collection: 'trip_imports',
  tenancy: 'account',
  hidden: {
    account_key: required(String),
    /** When its process last worked on it, so that an interrupted one is noticed. */
    touched: required(Date),
  },
  indexes: [[{ account_key: 1, _id: 1 }], [{ created: 1 }, { expireAfterSeconds: KEPT_SECONDS }]],
});

/** An import as it is read from the database. */
export type StoredTripImport = StoredIn<typeof TripImportStore>;
