import { firstMinutes } from '../../models/trips/device-minute.ts';
import { hasNoPlace } from '../../models/trips/position-marks.ts';
import { mergeTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { pointsOfTail } from '../../models/vehicles/device-tail.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { accountAccessScope, type AccessScope } from '../../models/store/tenancy.ts';

import { placeAt, type TimedPlace } from '../geometry/motion.ts';

/**
 * The first known position of a vehicle that is in no trip that has ended: of the devices that are in it now. Null if there is
 * none, or if all have expired.
 *
 * @param records the access scope of all trips of the vehicle
 */
export async function firstPosition(
  records: AccessScope & { readonly vehicle_key: string },
): Promise<TimedPlace | null> {
  const { service, account_key, vehicle_key } = records;
  const ofAccount = accountAccessScope(service, account_key);
  // Tails are read before minutes: positions that move there meanwhile are seen twice, not lost.
  const devices = await DeviceStore.find(ofAccount, { vehicle_key }, 'key lease_epoch tail');
  const found = await Promise.all(
    devices.map(async ({ key, lease_epoch, tail }) => {
      const recorder = { accessScope: records, device_key: key, epoch: lease_epoch };
      const inTail = tail?.vehicle_key === vehicle_key ? firstPlace(pointsOfTail(tail)) : null;
      return earlier(await firstInMinutes(recorder), inTail);
    }),
  );
  return found.reduce(earlier, null);
}

async function firstInMinutes(recorder: Parameters<typeof firstMinutes>[0]): Promise<TimedPlace | null> {
  let found: TimedPlace | null = null;
  for (let from: number | null = -Infinity; from !== null && from <= (found?.time ?? Infinity); ) {
    const { minutes, next } = await firstMinutes(recorder, from);
    found = earlier(found, firstPlace(mergeTripPoints(minutes.map(({ points }) => points))));
    from = next;
  }
  return found;
}

/** The first position that is believed. */
function firstPlace(points: TripPoints): TimedPlace | null {
  for (let at = 0; at < points.length; at++) if (!hasNoPlace(points.events.get(at))) return placeAt(points, at);
  return null;
}

function earlier(one: TimedPlace | null, other: TimedPlace | null): TimedPlace | null {
  return one && (!other || one.time <= other.time) ? one : other;
}
