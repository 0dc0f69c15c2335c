import { inParts } from '../../models/grouped-by.ts';
import { AccountStore } from '../../models/account/account.ts';
import { VisitStore } from '../../models/places/visit.ts';
import { RuleEventStore } from '../../models/rules/rule-event.ts';
import {
  type AccessScope,
  accountAccessScope,
  tripsAccessScope,
  unrestricted,
  vehicleAccessScope,
} from '../../models/store/tenancy.ts';
import { ENDED, OF_ALL_VEHICLES, OPEN_END, TripStore, WITH_POSITIONS } from '../../models/trips/trip.ts';
import { TripPointsBucketStore } from '../../models/trips/trip-points-bucket.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { VehicleEventStore } from '../../models/vehicles/vehicle-event.ts';
import { tripsChanged, VehicleStore } from '../../models/vehicles/vehicle.ts';
import { DeviceMinuteStore, hourOf } from '../../models/trips/device-minute.ts';
import { WebhookDeliveryStore } from '../../models/webhooks/webhook-delivery.ts';
import type { ExpiredTrips } from '../../schema/account/retention.ts';

import { deleteAll } from './delete-all.ts';
import { applyPendingRetentions } from './change-retention.ts';
import { retainedSince } from './retained-points.ts';
import type { Service } from '../../models/store/service.ts';

/** Maximum number of trips and devices that one command changes, so that no request waits long for it. */
const AT_ONCE = 100;

/** Maximum number of a pack and epoch of a lease, so that no worker changes the trip that it has read. */
const LAST_NUMBER = Number.MAX_SAFE_INTEGER;

/**
 * Deletes the positions that are older than their accounts keep them: those of trips, stays and visits that were over before, of
 * events that were stored with one, and of devices that have been silent since. First a trip loses everything that tells of positions by one write, then these are
 * deleted; an interrupted call is completed by the next. Returns true if there was anything to delete.
 *
 * @param now milliseconds since 1970
 */
export async function purgeExpired(service: Service, signal?: AbortSignal, now: number = Date.now()): Promise<boolean> {
  await applyPendingRetentions(service, now);
  let isAny = await deleteExpiring(service);
  const limited = { 'retention.positions_days': { $gt: 0 } };
  const accounts = await AccountStore.find(unrestricted(service), limited, 'key retention');
  for (const { key, retention } of accounts) {
    if (retention === null || retention.positions_days === null || signal?.aborted) continue;
    const since = new Date(retainedSince(retention.positions_days, now));
    const accessScope = tripsAccessScope(accountAccessScope(service, key), null);
    // Before their trips: a webhook is notified that an event no longer exists if there is a delivery of it.
    if (await deleteAll(WebhookDeliveryStore, accessScope, { timestamp: { $lt: since } })) isAny = true;
    while (!signal?.aborted && (await expireTrips(accessScope, since, retention.trips))) {
      isAny = true;
      await deleteExpiring(service);
    }
    if (await expireStays(accessScope, since)) isAny = true;
    if (await deleteAll(VisitStore, accessScope, { until: { $lt: since } })) isAny = true;
    if (await deleteAll(RuleEventStore, accessScope, { until: { $lt: since } })) isAny = true;
    if (await deleteAll(VehicleEventStore, accessScope, { timestamp: { $lt: since } })) isAny = true;
    if (await expirePositions(accessScope, since)) isAny = true;
  }
  return isAny;
}

/** Removes all traces of positions from some trips that ended before an instant; returns true if there were any. */
async function expireTrips(accessScope: AccessScope, since: Date, become: ExpiredTrips): Promise<boolean> {
  const over = { 'end_point.timestamp': { $lt: since } };
  // The whole condition of the index must be named, since other conditions do not imply it.
  const indexed = become === 'remove' ? { ...OF_ALL_VEHICLES, $and: [ENDED] } : WITH_POSITIONS;
  const filter = { ...over, ...indexed };
  const trips = await TripStore.find(accessScope, filter, 'key vehicle_key').limit(AT_ONCE);
  const updates = trips.map(({ key, vehicle_key }) => ({
    filter: { key, vehicle_key, ...over },
    // A trip that is to be removed stays hidden until then.
    update: { $set: { ...WITHOUT_POSITIONS, fingerprint: key, ...(become === 'remove' && { staged: true }) } },
  }));
  if (updates.length === 0) return false;
  await TripStore.updateEach(accessScope, updates);
  await tripsChanged(accessScope.service, accessScope.account_key, [
    ...new Set(trips.map(({ vehicle_key }) => vehicle_key)),
  ]);
  return true;
}

const NOWHERE = { point: null, address: null, place: null };

/** The fields of a trip that reveal its positions, cleared when these are deleted. */
const WITHOUT_POSITIONS = {
  ...Object.fromEntries(
    ['start_point', 'end_point'].flatMap((end) =>
      Object.entries(NOWHERE).map(([name, value]) => [`${end}.${name}`, value]),
    ),
  ),
  point_count: 0,
  bounding_box: [],
  stops: [],
  gaps: [],
  outline: Buffer.alloc(0),
  paths: null,
  recording: null,
  pack: LAST_NUMBER,
  epoch: LAST_NUMBER,
  expiring: true,
} as const;

/** Deletes the positions of trips from which all traces of them were removed; returns true if there were any. */
async function deleteExpiring(service: Service): Promise<boolean> {
  for (let isAny = false; ; isAny = true) {
    const trips = await TripStore.find(unrestricted(service), { expiring: true }, 'key account_key vehicle_key').limit(
      AT_ONCE,
    );
    if (trips.length === 0) return isAny;
    for (const { key, account_key, vehicle_key } of trips) {
      const accessScope = vehicleAccessScope(accountAccessScope(service, account_key ?? ''), { key: vehicle_key });
      await deleteAll(TripPointsBucketStore, accessScope, { trip_key: key });
    }
    const those = { key: { $in: trips.map(({ key }) => key) }, expiring: true };
    await TripStore.deleteMany(unrestricted(service), { ...those, staged: true });
    await TripStore.updateMany(unrestricted(service), those, { expiring: null });
  }
}

/** Deletes old positions of vehicles that stood; those of open trips stay until these end. Returns true if there were any. */
async function expireStays(accessScope: AccessScope, since: Date): Promise<boolean> {
  let isAny = false;
  const open = { ...WITH_POSITIONS, 'end_point.timestamp': OPEN_END, 'start_point.timestamp': { $lt: since } };
  const driving = new Set((await TripStore.find(accessScope, open, 'vehicle_key')).map((trip) => trip.vehicle_key));
  for (const { key } of await VehicleStore.find(accessScope, {}, 'key')) {
    if (driving.has(key)) continue;
    const ofVehicle = vehicleAccessScope(accessScope, { key });
    const old = { vehicle_key: key, minute: { $lt: hourOf(since.getTime()) } };
    if (await deleteAll(DeviceMinuteStore, ofVehicle, old)) isAny = true;
  }
  return isAny;
}

/** Removes the last positions of devices that have been silent since before an instant; returns true if there were any. */
async function expirePositions(accessScope: AccessScope, since: Date): Promise<boolean> {
  let isAny = false;
  for (const path of ['position', 'seen_outside.position', 'left.position', 'left.seen_outside.position']) {
    const old = { [`${path}.at`]: { $lt: since } };
    const devices = await DeviceStore.find(accessScope, old, 'key');
    for (const some of inParts(devices, AT_ONCE)) {
      const those = { ...old, key: { $in: some.map(({ key }) => key) } };
      await DeviceStore.updateMany(accessScope, those, { [path]: null });
      isAny = true;
    }
  }
  return isAny;
}
