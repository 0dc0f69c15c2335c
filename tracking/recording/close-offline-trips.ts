import { DeviceStore, type StoredDevice } from '../../models/vehicles/device.ts';
import { purgeStaleMinutes } from '../../models/trips/device-minute.ts';
import { unrestricted } from '../../models/store/tenancy.ts';

import { DISCONNECTED_AFTER_MS } from '../../schema/vehicles/device.ts';
import { rulesNow } from '../rules/known-rules.ts';
import { takeFromMinutes } from './change-minutes.ts';
import { closeTrips } from '../trips/change-trips.ts';
import { type RecordingDevice, withDeviceLease } from './device-lease.ts';
import { mapInBatches } from '../scheduling/map-in-batches.ts';
import { noteMarkedSpeeds } from './note-rejections.ts';
import { pieceOfTrip, recordedPoints } from '../trips/open-trip-points.ts';
import { recorderUnder } from './record-points.ts';
import { type LeasedRecorder, nextTrip, openTrips } from '../trips/recorded-trips.ts';
import { endSilences, noticeSilence } from './update-rule-events.ts';
import { settleVisits } from './update-visits.ts';
import type { Service } from '../../models/store/service.ts';

const AT_A_TIME = 100;

/** Number of devices whose trips are closed at the same time: most of the work is waiting for the database. */
const CLOSED_TOGETHER = 8;

/** Maximum number of open trips of a device that are closed under one lease. */
const CLOSED_AT_ONCE = 50;

const MAX_NAMED = 10;

/** Time after which minutes of workers that were presumed dead are purged, in milliseconds. */
const STALE_MS = 86_400_000;

type DueDevice = Pick<StoredDevice, 'key' | 'account_key' | 'vehicle_key' | 'lease_vehicle'>;

/**
 * Closes the open trips of devices that have been silent for 15 minutes, and completes interrupted work; any number of
 * servers may do so at a time. A trip that continues later is reopened. Nobody is notified: to its viewers a closed trip
 * is unchanged, and the time at which a vehicle stopped may be hidden. A signal ends it after the current devices.
 * @throws AggregateError at the end, of devices with which it failed; the others are done
 */
export async function closeOfflineTrips(service: Service, signal?: AbortSignal): Promise<void> {
  const failures = new Map<string, unknown>();
  for (;;) {
    const due = await dueDevices(service, [...failures.keys()]);
    if (due.length === 0) break;
    const close = async (device: DueDevice) => {
      if (signal?.aborted) return;
      await closeTripsOf(service, device).catch((error: unknown) => failures.set(device.key, error));
    };
    await mapInBatches(due, close, CLOSED_TOGETHER);
    if (signal?.aborted) return;
  }
  if (failures.size === 0) return;
  const named = [...failures.keys()].slice(0, MAX_NAMED).join(', ');
  throw new AggregateError(failures.values(), `${failures.size} silent devices whose trips stay open: ${named}`);
}

function dueDevices(service: Service, exceptKeys: string[]): Promise<DueDevice[]> {
  const inVehicle = { $or: [{ lease_vehicle: { $ne: null } }, { vehicle_key: { $ne: null } }] };
  const due = { 'care.until': { $lte: new Date() }, ...inVehicle, key: { $nin: exceptKeys } };
  return DeviceStore.find(unrestricted(service), due, 'key account_key vehicle_key lease_vehicle')
    .limit(AT_A_TIME)
    .exec();
}

/**
 * Closes trips of the vehicle for which a device sent; it may be in another one by now, or in none. Programs of earlier versions
 * did not name it: then it is the one that the device is in.
 */
async function closeTripsOf(
  service: Service,
  { key, account_key, lease_vehicle, vehicle_key }: DueDevice,
): Promise<void> {
  const sentFor = lease_vehicle ?? vehicle_key;
  if (sentFor !== null) await closeTripsIn(service, { key, account_key, vehicle_key: sentFor }, true);
  // The last positions were of a vehicle that it has left.
  if (vehicle_key !== null && vehicle_key !== sentFor)
    await closeTripsOnLeaving(service, { key, account_key, vehicle_key });
}

/**
 * Closes the open trips that a device has in a vehicle, since it leaves it.
 * @throws ServiceError SERVICE_UNAVAILABLE if others work on the device for too long
 */
export async function closeTripsOnLeaving(service: Service, device: RecordingDevice): Promise<void> {
  while (await closeTripsIn(service, device, false)) {
    // The next call closes more of them.
  }
}

/** Closes open trips of a device in a vehicle, under one lease; returns true if there are more. */
async function closeTripsIn(service: Service, device: RecordingDevice, onlyIfDue: boolean): Promise<boolean> {
  const isMore = await withDeviceLease(service, device, { onlyIfDue }, async (lease) => {
    const recorder = await recorderUnder(service, lease, device);
    const isMoreOpen = await closeOpenTrips(service, recorder);
    const rules = await rulesNow(service, device.account_key);
    if (onlyIfDue) await settleVisits(service, recorder);
    const silentIn = onlyIfDue ? await noticeSilence(service, recorder, rules) : null;
    if (!onlyIfDue && !rules.isEmpty) await endSilences(recorder);
    await purgeStaleMinutes(recorder);
    // A worker that was presumed dead may still write a minute, which is then purged.
    const waits = [lease.isNewEpoch ? STALE_MS : null, silentIn].filter((wait) => wait !== null);
    if (device.hasLeft) waits.push(DISCONNECTED_AFTER_MS);
    const dueIn = isMoreOpen ? 0 : waits.length > 0 ? Math.min(...waits) : null;
    return { result: isMoreOpen, isSeen: false, dueIn };
  });
  return isMore ?? false;
}

/** Closes a limited number of open trips, so that requests of the device do not wait; returns true if there are more. */
async function closeOpenTrips(service: Service, recorder: LeasedRecorder): Promise<boolean> {
  const open = await openTrips(recorder, CLOSED_AT_ONCE + 1);
  const read = await mapInBatches(open.slice(0, CLOSED_AT_ONCE), async (trip) => {
    const next = await nextTrip(recorder, trip.start);
    const { all, minutes } = await recordedPoints(recorder, [trip], trip.start, next?.start ?? Infinity);
    return { trip, piece: pieceOfTrip(trip, all), all, minutes };
  });
  const ended = read.filter(({ piece }) => piece.points.length > 0);
  await closeTrips(service, recorder, ended);
  for (const { all, piece } of ended) await noteMarkedSpeeds(recorder, all, [piece.points]);
  // A minute in which one trip ends and another begins is read for both.
  const minutes = new Map(ended.flatMap((one) => one.minutes.map((minute) => [minute.minute, minute])));
  await takeFromMinutes(
    recorder,
    [...minutes.values()],
    ended.map(({ piece }) => piece.points),
  );
  return ended.length > 0 && open.length > CLOSED_AT_ONCE;
}
