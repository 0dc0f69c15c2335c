import { accountAccessScope } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';

import type { RecordedPiece } from './cut-recording.ts';
import type { KnownTrip, LeasedRecorder } from './recorded-trips.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Returns who drove pieces of a recording that become trips: the driver of the ended trip in which one was before, else
 * the driver of the vehicle now; null for nobody known.
 *
 * @param before the trips that the recording had, in order
 */
export async function driversOf(
  service: Service,
  { accessScope: { account_key, vehicle_key } }: LeasedRecorder,
  before: readonly KnownTrip[],
): Promise<(piece: RecordedPiece) => string | null> {
  const accessScope = accountAccessScope(service, account_key);
  const vehicle = await VehicleStore.findOne(accessScope, { key: vehicle_key }, 'driver_key');
  return ({ points }) => {
    const start = points.time[0] ?? Number.NaN;
    const trip = before.findLast((known) => known.start <= start);
    const wasThere = trip && (trip.recording.packed_until?.getTime() ?? -Infinity) >= start;
    return wasThere ? trip.user_key : (vehicle?.driver_key ?? null);
  };
}
