import { accessScopeOf } from '../../auth/caller.ts';
import { AccountStore } from '../../models/account/account.ts';
import { vehicleAccessScope } from '../../models/store/tenancy.ts';
import { tripLimits } from '../../models/trips/trip-limits.ts';
import { placedPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { once } from '../../schema/once.ts';
import type { DeviceReporting } from '../../schema/vehicles/device.ts';
import { metersBetween } from '../geometry/motion.ts';
import { readingAt } from '../geometry/readings.ts';
import { batched } from '../scheduling/batched.ts';
import { mapInBatches } from '../scheduling/map-in-batches.ts';

import { devicePoints } from './open-trip-points.ts';
import { COUNTED_MS, UsualInterval } from './usual-interval.ts';

/**
 * Reads a device's last 24 hours before its last position in its vehicle; null if it has sent none there. The devices of a whole
 * list are found by one query.
 */
export const deviceReporting = batched<string, DeviceReporting | null>(async (context, keys) => {
  const accessScope = accessScopeOf(context);
  const found = await DeviceStore.find(
    accessScope,
    { key: { $in: [...keys] } },
    'key vehicle_key lease_epoch position trip_settings',
  );
  const devices = new Map(found.map((device) => [device.key, device]));
  const settings = once(async () => (await AccountStore.findOne(accessScope, {}, 'trip_settings'))?.trip_settings);
  return mapInBatches(keys, async (key) => {
    const { vehicle_key, lease_epoch, position, trip_settings } = devices.get(key) ?? {};
    if (!vehicle_key || !position) return null;
    const ofVehicle = { ...vehicleAccessScope(accessScope, { key: vehicle_key }), vehicle_key };
    const last = position.at.getTime();
    const recorder = { accessScope: ofVehicle, device_key: key, epoch: lease_epoch ?? 0 };
    const points = placedPoints(await devicePoints(recorder, last - COUNTED_MS, last + 1));
    const { gap, sparse_gap } = tripLimits(await settings(), trip_settings);
    const usual = new UsualInterval([...points.time], []);
    const silence = Math.min(usual.silenceAfter(last), sparse_gap ?? gap);
    return {
      usual_interval_seconds: Math.round(usual.intervalUntil(last) / 1000) || null,
      gap_seconds: Math.round(Math.max(gap, silence) / 1000),
      is_ignition_connected: isIgnitionConnected(points),
    };
  });
});

/** Meters between two positions from which the vehicle has moved. */
const MOVED_METERS = 200;

/** False if the ignition was off while the vehicle drove, true if it was on otherwise; null if neither. */
function isIgnitionConnected(points: TripPoints): boolean | null {
  let wasOn = false;
  for (let at = 0; at < points.length; at++) {
    const isOff = readingAt(points, 'ignition', at) === 0;
    const hasMoved = at > 0 && metersBetween(points, at - 1, at) >= MOVED_METERS;
    if (isOff && hasMoved && readingAt(points, 'ignition', at - 1) === 0) return false;
    wasOn ||= readingAt(points, 'ignition', at) === 1;
  }
  return wasOn || null;
}
