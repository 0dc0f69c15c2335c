import { channel } from 'node:diagnostics_channel';

import type { Caller } from '../../auth/caller.ts';
import type { SendingDevice } from '../../models/vehicles/device-tail.ts';
import { hasNoPlace, shownEvents } from '../../models/trips/position-marks.ts';
import { accuracyLimit, tripLimits } from '../../models/trips/trip-limits.ts';
import { ServiceError } from '../../schema/service-error.ts';
import type { RejectionReason } from '../../schema/vehicles/ingest-rejection.ts';
import type { IngestResult } from '../../schema/vehicles/ingest-result.ts';

import { placesAt } from '../areas/known-places.ts';
import type { DeviceInVehicle, SentPositions } from '../recording/append-points.ts';
import { positionsByVehicle } from '../recording/former-vehicles.ts';
import { recordPositions } from '../recording/record-positions.ts';
import { pointsSince, retainedSince } from '../retention/retained-points.ts';
import { rulesAt } from '../rules/known-rules.ts';
import { noteRejections } from '../recording/note-rejections.ts';
import { type Received, rejectionsIn, type Sender } from './received.ts';
import { pointsOf, type SentReport } from './sent-report.ts';
import type { Service } from '../../models/store/service.ts';

/** Positions of a request that were recorded, for metrics. */
export interface RecordedPositions {
  readonly accepted: number;
  readonly duplicates: number;
  /** For each device, the seconds from its newest position until the response. */
  readonly lags: readonly number[];
}

/** Reports to metrics {@link RecordedPositions}. */
export const positionsRecorded = channel('waybridge:positions-recorded');

/** A caller with this permission. */
export function senderOf(caller: Caller): Sender {
  if (caller.kind === 'device' || caller.kind === 'forwarder') return caller;
  throw new TypeError(`Positions come from devices and forwarders, not from ${caller.kind}`);
}

/** Reports of a device. */
export interface DeviceReports {
  readonly device: DeviceInVehicle;
  readonly reports: readonly SentReport[];
}

/** Records what a device reports. */
export function recordOne(
  service: Service,
  sender: Sender,
  received: Received,
  sent: DeviceReports,
): Promise<IngestResult> {
  return recordEach(service, sender, received, [sent]);
}

/** Records what devices report, each device once. */
export function recordEach(
  service: Service,
  sender: Sender,
  received: Received,
  sent: readonly DeviceReports[],
): Promise<IngestResult> {
  const positions = sent.map(({ device, reports }) => {
    const accuracy = accuracyLimit(sender.trip_settings, device.trip_settings);
    return { device, points: pointsOf(reports, accuracy) };
  });
  return recordSent(service, sender, received, positions);
}

/** Records positions of devices, each device once. */
export async function recordSent(
  service: Service,
  { account_key, zones, places_revision, rules_revision, retention_days, trip_settings }: Sender,
  received: Received,
  sent: readonly SentPositions[],
): Promise<IngestResult> {
  const places = await placesAt(service, account_key, places_revision);
  const rules = await rulesAt(service, account_key, rules_revision);
  const since = retainedSince(retention_days);
  const placed = sent.flatMap(positionsByVehicle).map(withPlaces);
  const retained = placed.map(({ device, points }) => ({
    device: { ...device, limits: tripLimits(trip_settings, device.trip_settings) },
    points: pointsSince(points, since),
  }));
  // A device whose positions are all too old counts as seen no more than one whose messages cannot be read.
  const recorded = retained.filter(({ points }, at) => points.length > 0 || placed[at]?.points.length === 0);
  const result = await recordPositions(service, account_key, recorded, { zones, places, rules });
  if (positionsRecorded.hasSubscribers) {
    const { accepted, duplicates } = result;
    positionsRecorded.publish({ accepted, duplicates, lags: lagsOf(sent) } satisfies RecordedPositions);
  }
  const rejections = placed.map(({ points }) => rejectionsIn(points, since, received));
  for (const [at, { device }] of placed.entries()) await noteRejections(service, device, rejections[at] ?? []);
  const countOf = (reason: RejectionReason) =>
    rejections.flat().reduce((sum, one) => sum + (one.reason === reason ? (one.count ?? 1) : 0), 0);
  const [expired, moved] = [countOf('expired'), countOf('same_time')];
  const older = `${expired} of the positions are older than the ${retention_days} days for which the account keeps them`;
  const repeated = `${moved} of the positions have the time of another one at another place; send milliseconds`;
  const refused = [...(expired > 0 ? [older] : []), ...(moved > 0 ? [repeated] : [])].join('; ');
  return refused === '' ? result : { ...result, refused };
}

/**
 * Gives positions without a place that of the device before them: 0, 0 if there is none. If that one has the same time, they
 * are one position with a place.
 */
function withPlaces({ device, points }: SentPositions): SentPositions {
  if (!points.lat.some(Number.isNaN)) return { device, points };
  const [lat, lon, events] = [points.lat.slice(), points.lon.slice(), new Map(points.events)];
  const { position } = device;
  let last = position ? { ...position, time: position.at.getTime() } : { lat: 0, lon: 0, time: Number.NaN };
  for (const [at, time] of points.time.entries()) {
    const isPlaced = !Number.isNaN(lat[at]);
    if (isPlaced && !hasNoPlace(events.get(at))) last = { lat: lat[at] ?? 0, lon: lon[at] ?? 0, time };
    if (isPlaced) continue;
    [lat[at], lon[at]] = [last.lat, last.lon];
    if (time === last.time) events.set(at, shownEvents(events.get(at)));
  }
  return { device, points: { ...points, lat, lon, events } };
}

/** For each device, the seconds since its newest position. */
function lagsOf(sent: readonly SentPositions[]): number[] {
  const now = Date.now();
  return sent.flatMap(({ points: { time } }) => {
    if (time.length === 0) return [];
    return [Math.max(0, now - time.reduce((newest, one) => Math.max(newest, one), -Infinity)) / 1000];
  });
}

/** Returns true if a device has trips to which positions may be added. */
export function isInVehicle(device: SendingDevice): device is SendingDevice & DeviceInVehicle {
  return device.vehicle_key !== null;
}

/**
 * Records a message of a sender that repeats messages until they succeed: if `read` rejects it, as it would every
 * time, the answer is a success with the reason.
 */
export async function refusedOr<Read>(
  read: () => Promise<Read>,
  record: (read: Read) => Promise<IngestResult>,
): Promise<IngestResult> {
  let found: Read;
  try {
    found = await read();
  } catch (error) {
    const isFinal = error instanceof ServiceError && (error.code === 'BAD_REQUEST' || error.code === 'NOT_FOUND');
    if (!isFinal) throw error;
    return { accepted: 0, duplicates: 0, refused: error.message };
  }
  return record(found);
}
