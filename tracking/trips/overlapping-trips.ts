import { accountAccessScope, unrestricted, vehicleAccessScope } from '../../models/store/tenancy.ts';
import type { Service } from '../../models/store/service.ts';
import { LONGER_THAN_A_DAY, type StoredTrip, TripStore, WITH_POSITIONS } from '../../models/trips/trip.ts';
import { loadTripPoints, unpackTrip } from '../../models/trips/trip-points-bucket.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import type { TripFacts } from '../geometry/trip-facts.ts';

import { loadOpenTripPoints } from './open-trip-points.ts';

const DAY_MS = 86_400_000;

const FIELDS = 'key account_key vehicle_key device_key fingerprint start_point end_point recording pack epoch';

/** A visible trip of a vehicle. */
export type VisibleTrip = Pick<
  StoredTrip,
  | 'key'
  | 'account_key'
  | 'vehicle_key'
  | 'device_key'
  | 'fingerprint'
  | 'start_point'
  | 'end_point'
  | 'recording'
  | 'pack'
  | 'epoch'
>;

interface TripOfVehicle {
  readonly account_key: string;
  readonly vehicle_key: string;
  readonly facts: Pick<TripFacts, 'start_point' | 'end_point'>;
}

/** Finds the visible trips of the vehicles of some trips that are between the first start and the last end of these. */
export async function overlappingTrips(service: Service, trips: readonly TripOfVehicle[]): Promise<VisibleTrip[]> {
  const conditions = [...spansOf(trips)].flatMap(([vehicle_key, { account_key, from, until }]) => {
    const span = { account_key, vehicle_key, staged: false, 'end_point.timestamp': { $gte: new Date(from) } };
    return [
      { ...span, 'start_point.timestamp': { $gte: new Date(from - DAY_MS), $lte: new Date(until) } },
      {
        ...span,
        duration_seconds: LONGER_THAN_A_DAY,
        'start_point.timestamp': { $lt: new Date(from - DAY_MS) },
      },
    ];
  });
  const found: VisibleTrip[] = [];
  for (const condition of conditions) {
    found.push(...(await TripStore.find(unrestricted(service), { ...condition, ...WITH_POSITIONS }, FIELDS)));
  }
  return found;
}

/** All positions of a trip; of one that a device still records, those so far. */
export async function positionsOf(service: Service, trip: VisibleTrip): Promise<TripPoints> {
  const { key, account_key, vehicle_key } = trip;
  const accessScope = vehicleAccessScope(accountAccessScope(service, account_key ?? ''), { key: vehicle_key });
  const open = (await loadOpenTripPoints(accessScope, [trip])).get(key);
  return open ?? unpackTrip((await loadTripPoints(accessScope, [trip])).get(key) ?? []);
}

function spansOf(trips: readonly TripOfVehicle[]) {
  const spans = new Map<string, { readonly account_key: string; from: number; until: number }>();
  for (const { account_key, vehicle_key, facts } of trips) {
    const [start, end] = [facts.start_point.timestamp.getTime(), facts.end_point.timestamp.getTime()];
    const known = spans.get(vehicle_key) ?? { account_key, from: start, until: end };
    spans.set(vehicle_key, { account_key, from: Math.min(known.from, start), until: Math.max(known.until, end) });
  }
  return spans;
}
