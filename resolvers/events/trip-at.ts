import type { AccessScope } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';

import { batched } from '../../tracking/scheduling/batched.ts';
import { groupedBy } from '../../models/grouped-by.ts';

/** Something that happened at a position of a device. */
export interface Happening {
  readonly accessScope: AccessScope;
  readonly vehicle_key: string;
  readonly device_key: string | null;
  readonly timestamp: Date;
}

/** Trips that one query reads at most. */
const MAX_AT_ONCE = 500;
/** Trips that are read for each happening, unless one alone is looked for: others have had none between. */
const TRIPS_EACH = 10;

/**
 * Finds the trip in which something happened; null if the vehicle was parked. What happened to one device is looked for
 * together, mostly by one query.
 */
export const tripAt = batched<Happening, string | null>(async (_context, happenings) => {
  const ofDevices = groupedBy(happenings, ({ accessScope, vehicle_key, device_key }) =>
    JSON.stringify([accessScope, vehicle_key, device_key]),
  );
  const found = new Map((await Promise.all([...ofDevices.values()].map(tripsAt))).flat());
  return happenings.map((happening) => found.get(happening) ?? null);
});

/** Finds the trips of what happened to one device. */
async function tripsAt(happenings: readonly Happening[]): Promise<(readonly [Happening, string | null])[]> {
  const found: (readonly [Happening, string | null])[] = [];
  let others = happenings.toSorted((a, b) => b.timestamp.getTime() - a.timestamp.getTime());
  for (let [last] = others; last !== undefined; [last] = others) {
    const limit = others.length === 1 ? 1 : Math.min(TRIPS_EACH * others.length, MAX_AT_ONCE);
    const trips = await tripsBegunUntil(last, limit);
    const oldest = trips.length < limit ? -Infinity : (trips.at(-1)?.start_point.timestamp.getTime() ?? -Infinity);
    const isKnown = ({ timestamp }: Happening) => timestamp.getTime() >= oldest;
    for (const happening of others.filter(isKnown)) {
      const { timestamp } = happening;
      const trip = trips.find(({ start_point }) => start_point.timestamp <= timestamp);
      found.push([happening, trip && trip.end_point.timestamp >= timestamp ? trip.key : null]);
    }
    others = others.filter((happening) => !isKnown(happening));
  }
  return found;
}

/** Trips of a device that had begun when something happened, the latest first. */
function tripsBegunUntil({ accessScope, vehicle_key, device_key, timestamp }: Happening, limit: number) {
  const begun = { vehicle_key, device_key, staged: false, 'start_point.timestamp': { $lte: timestamp } };
  return TripStore.find(accessScope, begun, 'key start_point.timestamp end_point.timestamp')
    .sort({ 'start_point.timestamp': -1 })
    .limit(limit)
    .exec();
}
