import {
  emptyTripPoints,
  mergeTripPoints,
  pickTripPoints,
  placedNumbers,
  pointsBetween,
  type TripPoints,
} from '../../models/trips/trip-points.ts';
import { visitSpans } from '../../models/places/visit.ts';
import { hasOpenRuleEvents, ruleEvents } from '../../models/rules/rule-event.ts';
import { loadLastWritten, type Recorder, stampMinutes } from '../../models/trips/device-minute.ts';
import { accountAccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { type TripLimits, tripLimits } from '../../models/trips/trip-limits.ts';
import { AccountStore } from '../../models/account/account.ts';
import { DeviceStore, type LastSeen, type StoredTail } from '../../models/vehicles/device.ts';
import { loadPointsOfTrips } from '../../models/trips/trip-points-bucket.ts';
import { emptiedTail, type NewTail, pointsOfTail, sizeOfTail } from '../../models/vehicles/device-tail.ts';
import { stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import { tripsChanged } from '../../models/vehicles/vehicle.ts';
import { once } from '../../schema/once.ts';
import { DISCONNECTED_AFTER_MS } from '../../schema/vehicles/device.ts';
import { followOdometer, isDoubted, newReading } from '../geometry/reading-bases.ts';
import { placesNow } from '../areas/known-places.ts';
import { rulesNow } from '../rules/known-rules.ts';

import type { AccountAreas } from '../areas/account-areas.ts';
import { type Added, addToMinutes } from './change-minutes.ts';
import { type DeviceLease, type RecordingDevice, withDeviceLease } from './device-lease.ts';
import { continueTail, stayWith } from '../trips/continue-tail.ts';
import { seenAfter } from './last-position.ts';
import { noteRejections } from './note-rejections.ts';
import { announceStoredPositions, isFollowed, noticePositions } from './position-notices.ts';
import { recordReports } from './record-reports.ts';
import { segmentsOf } from '../trips/segments-of.ts';
import { rearrange, type Rearranged, removeStagedTrips, spanOf } from './rearrange.ts';
import { shownVehicles } from './shown-vehicles.ts';
import { updateRuleEvents } from './update-rule-events.ts';
import { areVisitsSettled, updateVisits } from './update-visits.ts';
import { type LeasedRecorder, stampOpenTrips, tripsAround } from '../trips/recorded-trips.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Records positions of a device, in any order, and derives its trips from them, under its lease. Positions of one time are
 * one position. Returns, once everything is stored and visible, how many positions were new; ended trips are packed
 * afterwards.
 *
 * @param areas the privacy zones, places and rules of the account
 */
export async function recordPoints(
  service: Service,
  device: RecordingDevice,
  points: TripPoints,
  { zones, places, rules }: AccountAreas,
): Promise<number> {
  const { key, account_key, vehicle_key, hasLeft = false } = device;
  const recorded = await withDeviceLease(service, device, { isRearranging: true }, async (lease) => {
    const inOrder = mergeTripPoints([points]);
    const tail = lease.tail?.vehicle_key === vehicle_key ? lease.tail : null;
    // What an interrupted holder has left may come after the tail.
    const known = lease.isNewEpoch ? null : tail;
    const latest =
      known && (inOrder.time[0] ?? 0) > known.last.getTime() ? { tail: known, points: pointsOfTail(known) } : null;
    const recorder = await recorderUnder(service, lease, device, latest !== null);
    const parts: RecordedPart[] = [];
    let end: NewTail | null = known && emptiedTail(known);
    for (const part of latest ? [inOrder] : await segmentsOf(recorder, inOrder)) {
      await parts.at(-1)?.pack?.();
      const one = await recordPart(service, recorder, part, end, latest);
      end = one.tail;
      await updateVisits(service, recorder, one.changed, places);
      parts.push(one);
    }
    const fresh = mergeTripPoints(parts.map((one) => one.fresh));
    const changed = parts.map((one) => one.changed);
    await updateRuleEvents(service, recorder, { fresh, changed }, rules);
    // Under the lease too, so that readers see all events of the positions together.
    await recordReports(service, [{ device, points }]);
    const before = hasLeft ? UNSEEN : lease.seen;
    const odometer = followOdometer(before.odometer, inOrder);
    if (isDoubted(before.odometer, odometer)) await noteRejections(service, device, [{ reason: 'odometer' }]);
    // Positions in the tail may not have been announced: their writer may have been killed before.
    const all = mergeTripPoints([...changed, ...(tail && !latest ? [repeatedIn(tail, points)] : [])]);
    const reading = newReading(vehicle_key, before.odometer, odometer);
    const changes = all.length > 0 ? [{ vehicle_key, points: all }] : [];
    const shown = await shownVehicles(service, account_key, changes, zones);
    // Otherwise the device itself tells.
    if (hasLeft || reading) await tripsChanged(service, account_key, shown, reading ? [reading] : []);
    const seen = { ...seenAfter(before, mergeTripPoints(parts.map((one) => one.believed)), zones), odometer };
    const { pack = null, restsIn = DISCONNECTED_AFTER_MS } = parts.at(-1) ?? {};
    // If an event is open, or a vehicle is about to arrive or leave, the next positions may end it, or complete it.
    const leased =
      end !== null &&
      ((!rules.isEmpty && (await hasOpenRuleEvents(recorder))) || !(await areVisitsSettled(recorder, end, places)));
    return {
      result: { fresh: fresh.length, isChanged: all.length > 0, moved: { key, vehicle_key, ...seen } },
      isSeen: true,
      dueIn: restsIn,
      tail: end && { ...end, leased },
      ...(!hasLeft && { seen, isShown: shown.length > 0 && !reading }),
      afterwards: pack,
    };
  });
  if (recorded?.isChanged) {
    announceStoredPositions(service, account_key, [vehicle_key]);
    if (!hasLeft && recorded.moved.position && isFollowed(service, account_key))
      noticePositions(service, account_key, [recorded.moved], stateOfZones(zones));
  }
  return recorded?.fresh ?? 0;
}

/** State of a device in a vehicle that it has left. */
const UNSEEN: LastSeen = { position: null, seen_outside: null, odometer: null };

/** The end of a recording whose tail is still to be moved to minutes: the positions in it, and the stay if all of it is there. */
interface KnownLatest {
  readonly tail: StoredTail;
  readonly points: TripPoints;
}

/** The positions that were already in a tail. */
function repeatedIn(tail: StoredTail, points: TripPoints): TripPoints {
  if (!points.time.some((time) => time <= tail.last.getTime())) return emptyTripPoints(0);
  const known = new Set(pointsOfTail(tail).time);
  const places = [...points.time.keys()].filter((at) => known.has(points.time[at] ?? Number.NaN));
  return pickTripPoints(points, places);
}

/** Moves the positions in the tail of a device to minutes, unless another worker is about to. */
export async function moveTail(service: Service, device: RecordingDevice): Promise<void> {
  await withDeviceLease(service, device, { onlyIfFree: true }, async (lease) => {
    await recorderUnder(service, lease, device);
    return { result: null, isSeen: false, dueIn: DISCONNECTED_AFTER_MS, tail: tailLeft(lease) };
  });
}

/** The tail of a device after its positions were moved to minutes, if the lease was not taken over. */
export function tailLeft({ isNewEpoch, tail }: DeviceLease): NewTail | null {
  return tail && !isNewEpoch ? emptiedTail(tail) : null;
}

/**
 * Makes a device's recorder under its lease: earlier holders' writes then fail, their work is completed, and the positions
 * in the tail are in minutes, unless the caller moves them.
 */
export async function recorderUnder(
  service: Service,
  lease: DeviceLease,
  device: RecordingDevice,
  isTailKept = false,
): Promise<LeasedRecorder> {
  const { interrupted, tail, isNewEpoch } = lease;
  const limits = once(async () => device.limits ?? (await limitsOf(service, device)));
  const recorderIn = (vehicle_key: string) => ({
    ...recorderOf(service, lease, { ...device, vehicle_key }),
    limits,
    confirm: () => lease.confirm(),
  });
  if (isNewEpoch) {
    const vehicles = new Set(
      [device.vehicle_key, interrupted, tail?.vehicle_key].filter((key) => typeof key === 'string'),
    );
    for (const vehicle of vehicles) await takeOver(recorderIn(vehicle));
  }
  if (tail && !isTailKept && sizeOfTail(tail) > 0) {
    await addToMinutes(recorderIn(tail.vehicle_key), pointsOfTail(tail), emptyTripPoints(0));
    await lease.clearTail();
  }
  if (interrupted !== null) await completeArrangement(service, recorderIn(interrupted));
  return recorderIn(device.vehicle_key);
}

async function limitsOf(service: Service, { key, account_key }: RecordingDevice): Promise<TripLimits> {
  const accessScope = accountAccessScope(service, account_key);
  const account = await AccountStore.findOne(accessScope, {}, 'trip_settings');
  const device = await DeviceStore.findOne(accessScope, { key }, 'trip_settings');
  return tripLimits(account?.trip_settings, device?.trip_settings);
}

function recorderOf(
  service: Service,
  { epoch }: DeviceLease,
  { key, account_key, vehicle_key }: RecordingDevice,
): Recorder {
  const accessScope = {
    ...vehicleAccessScope(accountAccessScope(service, account_key), { key: vehicle_key }),
    vehicle_key,
  };
  return { accessScope, device_key: key, epoch };
}

/** Takes over everything that earlier holders of the lease have read and may still write. */
async function takeOver(recorder: LeasedRecorder): Promise<void> {
  await stampMinutes(recorder);
  await stampOpenTrips(recorder);
}

/**
 * Completes work that was interrupted by a fault or a kill, possibly half visible: all of its positions are still in the
 * minutes.
 */
async function completeArrangement(service: Service, recorder: LeasedRecorder): Promise<void> {
  const { account_key } = recorder.accessScope;
  await removeStagedTrips(recorder);
  const places = await placesNow(service, account_key);
  if (!places.isEmpty) await visitSpans.removeStaged(recorder);
  const rules = await rulesNow(service, account_key);
  if (!rules.isEmpty) await ruleEvents.removeStaged(recorder);
  const minutes = await loadLastWritten(recorder);
  const all = mergeTripPoints(minutes.map(({ points }) => points));
  for (const part of await segmentsOf(recorder, all)) {
    const { moved, pack } = await rearrange(service, recorder, ...spanOf(part));
    const changed = mergeTripPoints([part, moved]);
    await updateVisits(service, recorder, changed, places);
    await updateRuleEvents(service, recorder, { fresh: part, changed: [changed] }, rules);
    await pack?.();
  }
  await tripsChanged(service, account_key, [recorder.accessScope.vehicle_key]);
}

/** Outcome of recording a part of the positions. */
interface RecordedPart extends Pick<Rearranged, 'tail'>, Partial<Pick<Rearranged, 'restsIn' | 'pack'>> {
  /** All new positions, believed or not. */
  readonly fresh: TripPoints;
  /** Positions of the part whose places are believed, at least the new ones. */
  readonly believed: TripPoints;
  /** Believed positions that are new, or have new events, or are in another trip than before. */
  readonly changed: TripPoints;
}

/**
 * Records a part of the positions, given the end of the recording before it; null if that is not known.
 *
 * @param latest the end of the recording, if all positions come after it; those in its tail are recorded as well
 */
async function recordPart(
  service: Service,
  recorder: LeasedRecorder,
  points: TripPoints,
  end: NewTail | null,
  latest: KnownLatest | null,
): Promise<RecordedPart> {
  const { fresh, amended, elsewhere } = latest
    ? await addLatest(recorder, points, latest)
    : await addToMinutes(recorder, points, await packedPoints(recorder, points));
  const device = { account_key: recorder.accessScope.account_key, key: recorder.device_key };
  if (elsewhere > 0) await noteRejections(service, device, [{ reason: 'same_time', count: elsewhere }]);
  if (fresh.length + amended.length === 0) return { fresh, believed: fresh, changed: fresh, tail: end };
  const changed = mergeTripPoints([fresh, amended]);
  const known = () => end?.points ?? latest?.points ?? emptyTripPoints(0);
  const limits = await recorder.limits();
  const tail = end && continueTail(end, changed, known, limits);
  if (tail?.anchor) return { fresh, believed: changed, changed, tail: { ...tail, whole: false, points: null } };
  const { moved, jumps, ...rearranged } = await rearrange(service, recorder, ...spanOf(changed), {
    isLatest: latest !== null,
    stay: latest && stayWith(latest.tail, latest.points, changed, limits),
  });
  const believed = (some: TripPoints) =>
    pickTripPoints(
      some,
      placedNumbers(some).filter((at) => !jumps.has(some.time[at] ?? 0)),
    );
  const jumped = fresh.time.filter((time) => jumps.has(time)).length;
  if (jumped > 0) await noteRejections(service, device, [{ reason: 'jump', count: jumped }]);
  return {
    ...rearranged,
    fresh,
    believed: believed(points),
    changed: mergeTripPoints([believed(changed), moved]),
  };
}

/** Adds positions that come after all others to the minutes of a device, with those in its tail. */
async function addLatest(
  recorder: Recorder,
  points: TripPoints,
  { tail, points: inTail }: KnownLatest,
): Promise<Added> {
  const last = tail.last.getTime();
  const { fresh, amended } = await addToMinutes(recorder, mergeTripPoints([inTail, points]), emptyTripPoints(0));
  return {
    elsewhere: 0,
    fresh: pointsBetween(fresh, last + 1, Infinity),
    amended: pointsBetween(amended, last + 1, Infinity),
  };
}

/** Positions in buckets of the trips in which some of the given ones may lie. */
async function packedPoints(recorder: LeasedRecorder, points: TripPoints): Promise<TripPoints> {
  const trips = await tripsAround(recorder, ...spanOf(points));
  const mayHold = trips.filter(({ start, recording }) => {
    const end = recording.packed_until?.getTime();
    return end !== undefined && points.time.some((time) => time >= start && time <= end);
  });
  return loadPointsOfTrips(recorder.accessScope, mayHold);
}
