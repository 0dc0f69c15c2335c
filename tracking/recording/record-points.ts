import { emptyTripPoints, mergeTripPoints, pickTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { stays } from '../../models/places/visit.ts';
import { hasOpenRuleEvents, ruleEvents } from '../../models/rules/rule-event.ts';
import { loadMinutes, purgeMinutes, type Recorder, stampMinutes } from '../../models/trips/device-minute.ts';
import { accountAccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { loadPointsOfTrips } from '../../models/trips/trip-points-bucket.ts';
import { lastPoint, pointsOfTail, sizeOfTail } from '../../models/vehicles/device-tail.ts';
import { tripsChanged } from '../../models/vehicles/vehicle.ts';
import { DISCONNECTED_AFTER_MS } from '../../schema/vehicles/device.ts';
import { placesNow } from '../areas/known-places.ts';
import { rulesNow } from '../rules/known-rules.ts';

import type { AccountAreas } from '../areas/account-areas.ts';
import { announceChanges, type RecordedChange } from './announce-changes.ts';
import { addToMinutes } from './change-minutes.ts';
import { reopenTrips } from '../trips/change-trips.ts';
import { saysIgnitionOff } from '../trips/cut-recording.ts';
import { type DeviceLease, type RecordingDevice, withDeviceLease } from './device-lease.ts';
import { extendOpenTrips, hasMarks, tailsOf } from '../trips/extend-open-trips.ts';
import { recordReports } from './record-reports.ts';
import { segmentsOf } from '../trips/segments-of.ts';
import { rearrange, type Rearranged, removeStagedTrips, spanOf } from './rearrange.ts';
import { updateRuleEvents } from './update-rule-events.ts';
import { areVisitsSettled, updateVisits } from './update-visits.ts';
import {
  type KnownTrip,
  type LeasedRecorder,
  nextTrip,
  openTrips,
  stampOpenTrips,
  tripsAround,
} from '../trips/recorded-trips.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * Records positions of a device, in any order, and derives its trips from them, under its lease. Positions of one time are
 * one position. Returns, once everything is stored and visible, how many positions were new; ended trips are packed
 * afterwards.
 *
 * @param areas the places and rules of the account
 */
export async function recordPoints(
  service: Service,
  device: RecordingDevice,
  points: TripPoints,
  { places, rules }: Pick<AccountAreas, 'places' | 'rules'>,
): Promise<number> {
  const accepted = await withDeviceLease(service, device, { isRearranging: hasMarks(points) }, async (lease) => {
    const recorder = await recorderUnder(service, lease, device);
    const recorded: RecordedPart[] = [];
    for (const part of await segmentsOf(recorder, mergeTripPoints([points]))) {
      await recorded.at(-1)?.pack?.();
      const one = await recordPart(service, recorder, part);
      await updateVisits(service, recorder, one.changed, places);
      recorded.push(one);
    }
    const fresh = mergeTripPoints(recorded.map((one) => one.fresh));
    const changed = recorded.map((one) => one.changed);
    await updateRuleEvents(service, recorder, { fresh, changed }, rules);
    // Under the lease too, so that readers see all events of the positions together.
    await recordReports(service, [{ device, points }]);
    const repeated = { fresh: emptyTripPoints(0), changed: repeatedFromTail(lease, device, points) };
    await announceChanges(service, device, [...recorded, repeated]);
    const { tail = null, pack = null } = recorded.at(-1) ?? {};
    // A tracker that reports often while parked is never silent.
    const purge = async () => {
      if (saysIgnitionOff(points)) await purgeParked(recorder);
    };
    if (!pack) await purge();
    return {
      result: recorded.reduce((sum, { fresh }) => sum + fresh.length, 0),
      isSeen: true,
      dueIn: DISCONNECTED_AFTER_MS,
      // If an event is open, or a vehicle is about to arrive or leave, the next positions may end it, or complete it.
      tail:
        tail &&
        ((!rules.isEmpty && (await hasOpenRuleEvents(recorder))) || !(await areVisitsSettled(recorder, tail, places)))
          ? null
          : tail,
      afterwards: pack && (() => pack().then(purge)),
    };
  });
  return accepted ?? 0;
}

/** The positions that were already in the tail: their writer may have been killed before it announced them. */
function repeatedFromTail({ tail }: DeviceLease, { vehicle_key }: RecordingDevice, points: TripPoints): TripPoints {
  const mayBeThere = (time: number) => time <= (tail?.last.getTime() ?? -Infinity);
  if (tail?.vehicle_key !== vehicle_key || !points.time.some(mayBeThere)) return emptyTripPoints(0);
  const known = new Set(pointsOfTail(tail).time);
  const places = [...points.time.keys()].filter((at) => known.has(points.time[at] ?? Number.NaN));
  return pickTripPoints(points, places);
}

/** Moves the positions in the tail of a device to minutes, unless another worker is about to. */
export async function moveTail(service: Service, device: RecordingDevice): Promise<void> {
  await withDeviceLease(service, device, { onlyIfFree: true }, async (lease) => {
    await recorderUnder(service, lease, device);
    return { result: null, isSeen: false, dueIn: DISCONNECTED_AFTER_MS, tail: lease.isNewEpoch ? null : lease.tail };
  });
}

/** Retention of positions of a parked vehicle, which are in no trip, to recognize repeats; in milliseconds. */
export const PARKED_MS = 86_400_000;

/** Deletes positions of a parked vehicle after a day; none while a trip is open, since its positions are in minutes too. */
export async function purgeParked(recorder: LeasedRecorder): Promise<void> {
  if ((await openTrips(recorder, 1)).length > 0) return;
  await purgeMinutes(recorder, new Date(Date.now() - PARKED_MS));
}

/**
 * Makes a device's recorder under its lease: earlier holders' writes then fail, their work is completed, and the positions
 * in the tail are in minutes.
 */
export async function recorderUnder(
  service: Service,
  lease: DeviceLease,
  device: RecordingDevice,
): Promise<LeasedRecorder> {
  const { interrupted, tail, isNewEpoch } = lease;
  const recorderIn = (vehicle_key: string) => ({
    ...recorderOf(service, lease, { ...device, vehicle_key }),
    confirm: () => lease.confirm(),
  });
  if (isNewEpoch) {
    const vehicles = new Set(
      [device.vehicle_key, interrupted, tail?.vehicle_key].filter((key) => typeof key === 'string'),
    );
    for (const vehicle of vehicles) await takeOver(recorderIn(vehicle));
  }
  if (tail && sizeOfTail(tail) > 0) {
    await addToMinutes(recorderIn(tail.vehicle_key), pointsOfTail(tail), emptyTripPoints(0));
    await lease.clearTail();
  }
  if (interrupted !== null) await completeArrangement(service, recorderIn(interrupted));
  return recorderIn(device.vehicle_key);
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
  if (!places.isEmpty) await stays.removeStaged(recorder);
  const rules = await rulesNow(service, account_key);
  if (!rules.isEmpty) await ruleEvents.removeStaged(recorder);
  const minutes = await loadMinutes(recorder, -Infinity, Infinity);
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
interface RecordedPart extends RecordedChange, Partial<Pick<Rearranged, 'tail' | 'pack'>> {}

async function recordPart(service: Service, recorder: LeasedRecorder, points: TripPoints): Promise<RecordedPart> {
  const [from, until] = spanOf(points);
  const around = await tripsAround(recorder, from, until);
  const next = await nextTrip(recorder, until);
  const packed = await packedPoints(recorder, around, points);
  const known = await tailsOf(recorder, around, next, points);
  const { fresh, amended } = await addToMinutes(recorder, points, packed);
  if (fresh.length + amended.length === 0) return { fresh, changed: fresh };
  const changed = mergeTripPoints([fresh, amended]);
  const extended = extendOpenTrips(changed, known, next);
  if (extended === null) {
    const { moved, tail, pack } = await rearrange(service, recorder, ...spanOf(changed));
    return { fresh, changed: mergeTripPoints([changed, moved]), tail, pack };
  }
  await reopenTrips(recorder, extended.trips);
  const trip = around.at(-1);
  if (!trip || extended.last === null) return { fresh, changed };
  const { vehicle_key } = recorder.accessScope;
  const { engine_started } = trip.recording;
  return {
    fresh,
    changed,
    tail: { vehicle_key, last: new Date(extended.last), point: lastPoint(changed), engine_started },
  };
}

/** Positions in buckets of the trips in which some of the given ones may lie. */
function packedPoints(recorder: Recorder, trips: readonly KnownTrip[], points: TripPoints): Promise<TripPoints> {
  const mayHold = trips.filter(({ start, recording }) => {
    const end = recording.packed_until?.getTime();
    return end !== undefined && points.time.some((time) => time >= start && time <= end);
  });
  return loadPointsOfTrips(recorder.accessScope, mayHold);
}
