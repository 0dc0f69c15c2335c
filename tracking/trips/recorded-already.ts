import { unrestricted, accountAccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { type StoredTrip, TripStore } from '../../models/trips/trip.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import { loadTripPoints, unpackTrip } from '../../models/trips/trip-points-bucket.ts';
import type { TripFacts } from '../geometry/trip-facts.ts';
import { loadOpenTripPoints } from './open-trip-points.ts';
import type { Service } from '../../models/store/service.ts';

interface FileTrip {
  readonly vehicle_key: string;
  readonly facts: Pick<TripFacts, 'start_point'>;
  readonly points: TripPoints;
}

type DeviceTrip = Pick<
  StoredTrip,
  'key' | 'account_key' | 'vehicle_key' | 'device_key' | 'start_point' | 'recording' | 'pack' | 'epoch'
>;

/**
 * Finds trips that a device has recorded, or still records, and that begin with the positions of a trip of a file: the file
 * was exported before the trip ended. Returns their keys by the trips of the file. One query if no device has
 * recorded these vehicles.
 */
export async function recordedAlready<Trip extends FileTrip>(
  service: Service,
  trips: readonly Trip[],
): Promise<Map<Trip, string>> {
  const keys = new Map<Trip, string>();
  const vehicle_key = { $in: [...new Set(trips.map((trip) => trip.vehicle_key))] };
  const byDevice = TripStore.findOne(unrestricted(service), { vehicle_key, device_key: { $gt: '' } }, 'key');
  if (!(await byDevice)) return keys;
  const filter = {
    vehicle_key,
    staged: false,
    'start_point.timestamp': { $in: trips.map(({ facts }) => facts.start_point.timestamp) },
    recording: { $ne: null },
  };
  const fields = 'key account_key vehicle_key device_key start_point recording pack epoch';
  const found = await TripStore.find(unrestricted(service), filter, fields);
  for (const recorded of found) {
    const start = recorded.start_point.timestamp.getTime();
    const starting = trips.filter(
      (trip) => trip.vehicle_key === recorded.vehicle_key && trip.facts.start_point.timestamp.getTime() === start,
    );
    if (starting.length === 0) continue;
    const positions = await positionsOf(service, recorded);
    for (const trip of starting) if (contains(positions, trip.points)) keys.set(trip, recorded.key);
  }
  return keys;
}

async function positionsOf(service: Service, trip: DeviceTrip): Promise<TripPoints> {
  const { key, account_key, vehicle_key } = trip;
  const accessScope = vehicleAccessScope(accountAccessScope(service, account_key ?? ''), { key: vehicle_key });
  const open = (await loadOpenTripPoints(accessScope, [trip])).get(key);
  return open ?? unpackTrip((await loadTripPoints(accessScope, [trip])).get(key) ?? []);
}

function contains(all: TripPoints, some: TripPoints): boolean {
  const places = new Map([...all.time].map((time, at) => [time, at]));
  return some.time.every((time, at) => {
    const place = places.get(time) ?? -1;
    return all.lat[place] === some.lat[at] && all.lon[place] === some.lon[at];
  });
}
