import { insertMissing } from '../../models/duplicate-key.ts';
import { type StoredTrip, TripModel } from '../../models/trips/trip.ts';

/** A trip to insert; what is not given is stored as the model says. */
export type NewTrip = Partial<StoredTrip> & Pick<StoredTrip, 'key' | 'account_key' | 'vehicle_key' | 'fingerprint'>;

/**
 * Inserts trips in one command.
 *
 * @returns the places of those whose vehicle has a trip of their fingerprint already; they are not inserted
 */
export function insertTrips(trips: readonly NewTrip[]): Promise<ReadonlySet<number>> {
  // Plain documents with the model's defaults: making Mongoose's own of them takes longer than all the rest.
  const { _id, ...defaults } = new TripModel().toObject();
  const complete = trips.map((trip) => ({ ...defaults, ...trip }));
  return insertMissing(() => TripModel.insertMany(complete, { ordered: false, lean: true }));
}
