import { TripStore } from '../../models/trips/trip.ts';
import { DeviceMinuteStore, endOfMinute } from '../../models/trips/device-minute.ts';
import type { Service } from '../../models/store/service.ts';
import { accountAccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { DISCONNECTED_AFTER_MS } from '../../schema/vehicles/device.ts';
import { tripsChanged } from '../../models/vehicles/vehicle.ts';
import { withoutPosting } from '../../models/store/change-mark.ts';
import { emptyTripPoints } from '../../models/trips/trip-points.ts';
import type { LeasedRecorder } from '../trips/recorded-trips.ts';

import { placesNow } from '../areas/known-places.ts';
import { rulesNow } from '../rules/known-rules.ts';
import { type RecordingDevice, withDeviceLease } from './device-lease.ts';
import { countTrips, rearrange } from './rearrange.ts';
import { recorderUnder, tailLeft } from './record-points.ts';
import { updateRuleEvents } from './update-rule-events.ts';
import { updateVisits } from './update-visits.ts';

/** Span of time that is cut under one lease, in milliseconds: requests of the device do not wait for longer than for a day. */
const PART_MS = 86_400_000;

/** Options of {@link recut}. */
export interface RecutOptions {
  /** Only positions from this instant on, in milliseconds since 1970. */
  readonly after: number;
  /** Only positions before this instant. */
  readonly before: number;
  /** True to count only. */
  readonly isDry: boolean;
  /** Is called after each part, with the share that is done, 0 to 1. */
  readonly onPart?: (share: number) => void;
}

/**
 * Cuts what a device has recorded in a vehicle into trips again, with the present limits, day by day. Each day is whole whenever
 * it is interrupted, and repeating it changes nothing. Positions are kept; trips whose positions have expired stay.
 * Nothing is posted to webhooks, since nothing has happened.
 *
 * @throws ServiceError SERVICE_UNAVAILABLE if others work on the device for too long
 */
export async function recut(service: Service, device: RecordingDevice, options: RecutOptions) {
  const [first, last] = await recordedSpan(service, device);
  const from = Math.max(first, options.after);
  const until = Math.min(last + 1, options.before);
  const count = () => countStored(service, device, from, until);
  const before = await count();
  let after = 0;
  for (let begin = from; begin < until; begin += PART_MS) {
    const end = Math.min(begin + PART_MS, until);
    const cut = await withDeviceLease(service, device, { isRearranging: !options.isDry }, async (lease) => {
      const recorder = await recorderUnder(service, lease, device);
      const result = options.isDry ? await countTrips(recorder, begin, end) : 0;
      const outcome = { result, isSeen: false, dueIn: DISCONNECTED_AFTER_MS };
      if (options.isDry) return { ...outcome, tail: tailLeft(lease) };
      const { tail, pack } = await withoutPosting(() => recutPart(service, recorder, begin, end - 1));
      const afterwards = pack && (() => withoutPosting(pack));
      return { ...outcome, tail: tail && { ...tail, leased: true }, afterwards };
    });
    after += cut ?? 0;
    options.onPart?.((end - from) / (until - from));
  }
  return { before, after: options.isDry ? after : await count() };
}

/** Cuts what was recorded between two instants; no position is new. */
async function recutPart(service: Service, recorder: LeasedRecorder, from: number, until: number) {
  const { account_key, vehicle_key } = recorder.accessScope;
  const { moved, ...rearranged } = await rearrange(service, recorder, from, until, { isRecut: true });
  await updateVisits(service, recorder, moved, await placesNow(service, account_key));
  const positions = { fresh: emptyTripPoints(0), changed: [moved] };
  await updateRuleEvents(service, recorder, positions, await rulesNow(service, account_key));
  if (moved.length > 0) await tripsChanged(service, account_key, [vehicle_key]);
  return rearranged;
}

/** Counts the trips of a device in a vehicle that begin in a span of time. */
async function countStored(service: Service, device: RecordingDevice, from: number, until: number): Promise<number> {
  const { key, account_key, vehicle_key } = device;
  if (!(from < until)) return 0;
  const accessScope = vehicleAccessScope(accountAccessScope(service, account_key), { key: vehicle_key });
  const begun = { 'start_point.timestamp': { $gte: new Date(from), $lt: new Date(until) } };
  const recorded = { vehicle_key, device_key: key, recording: { $ne: null }, staged: false };
  return TripStore.countDocuments(accessScope, { ...recorded, ...begun });
}

/** The first and the last instant of which a device has positions in a vehicle. */
async function recordedSpan(service: Service, { key, account_key, vehicle_key }: RecordingDevice) {
  const accessScope = vehicleAccessScope(accountAccessScope(service, account_key), { key: vehicle_key });
  const ofDevice = { vehicle_key, device_key: key };
  const instants: number[] = [];
  for (const direction of [1, -1] as const) {
    const minute = await DeviceMinuteStore.findOne(accessScope, ofDevice, 'minute').sort({ minute: direction });
    if (minute) instants.push(minute.minute, endOfMinute(minute.minute));
    const recorded = { ...ofDevice, recording: { $ne: null }, staged: false };
    const trip = await TripStore.findOne(accessScope, recorded, 'start_point recording').sort({
      'start_point.timestamp': direction,
    });
    if (trip) instants.push(trip.start_point.timestamp.getTime());
    if (trip?.recording?.packed_until) instants.push(trip.recording.packed_until.getTime());
  }
  return [Math.min(...instants, Infinity), Math.max(...instants, -Infinity)] as const;
}
