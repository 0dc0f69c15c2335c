import { unrestricted, accountAccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { TripPointsBucketStore } from '../../models/trips/trip-points-bucket.ts';
import type { Service } from '../../models/store/service.ts';

/** Retention of staged trips of a killed run, in case the same command is repeated. */
const STAGED_FOR_MS = 7 * 24 * 3_600_000;

const TAKEN_BACK_AT_ONCE = 500;

/**
 * Shows the trips that a run has staged, of all vehicles of the account in one update, and returns how many became
 * visible. A database that is killed on the way may have shown some of them: importing again shows the others.
 */
export async function showTrips(service: Service, accountKey: string, run: string): Promise<number> {
  const staged = { account_key: accountKey, staged_by: run, staged: true };
  const { modifiedCount } = await TripStore.updateMany(unrestricted(service), staged, {
    staged: false,
    staged_by: [],
    staged_at: null,
    imported_by: run,
  });
  return modifiedCount;
}

/** Removes the trips that a run has staged, with their positions, unless another run will show them. */
export async function unstageTrips(service: Service, accountKey: string, run: string): Promise<void> {
  await takeBack(service, { account_key: accountKey, staged_by: run, staged: true }, async ({ key, vehicle_key }) => {
    const accessScope = vehicleAccessScope(accountAccessScope(service, accountKey), { key: vehicle_key });
    await TripStore.updateOne(accessScope, { key, staged: true }, { $pull: { staged_by: run } });
    return { key, vehicle_key, staged: true, staged_by: { $size: 0 } };
  });
}

/** Removes trips that killed runs staged in an account a week ago and no command has claimed since. */
export async function purgeStaleTrips(service: Service, accountKey: string, now = Date.now()): Promise<void> {
  const stale = { account_key: accountKey, staged: true, staged_at: { $lt: new Date(now - STAGED_FOR_MS) } };
  await takeBack(service, stale, async ({ key, vehicle_key }) => ({ ...stale, key, vehicle_key }));
}

/** The given trips of an account that the given run has made visible. */
export async function shownBy(
  service: Service,
  accountKey: string,
  keys: readonly string[],
  run: string,
): Promise<ReadonlySet<string>> {
  const filter = { account_key: accountKey, key: { $in: [...keys] }, imported_by: run };
  const trips = await TripStore.find(unrestricted(service), filter, 'key');
  return new Set(trips.map(({ key }) => key));
}

interface Place {
  readonly key: string;
  readonly vehicle_key: string;
}

/**
 * Deletes trips and then their positions, a few at a time, each if the condition that `conditionOf` gives still holds:
 * another run may have claimed it. The filter must not find a trip again for which `conditionOf` was called.
 */
async function takeBack(
  service: Service,
  filter: Record<string, unknown>,
  conditionOf: (place: Place) => Promise<Record<string, unknown>>,
): Promise<void> {
  for (;;) {
    const places = await TripStore.find(unrestricted(service), filter, 'key vehicle_key').limit(TAKEN_BACK_AT_ONCE);
    if (places.length === 0) return;
    for (const { key, vehicle_key } of places) {
      const condition = await conditionOf({ key, vehicle_key });
      const { deletedCount } = await TripStore.deleteOne(unrestricted(service), condition);
      if (deletedCount === 0) continue;
      await TripPointsBucketStore.deleteMany(unrestricted(service), { vehicle_key, trip_key: key });
    }
  }
}
