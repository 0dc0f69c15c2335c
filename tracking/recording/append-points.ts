import { accountAccessScope } from '../../models/store/tenancy.ts';
import { pickTripPoints, pointsBetween, type TripPoints } from '../../models/trips/trip-points.ts';
import {
  appendToTails,
  pointsOfTail,
  type SendingDevice,
  sizeOfTail,
  type TailFacts,
  type TailPiece,
} from '../../models/vehicles/device-tail.ts';
import { stateOfZones } from '../../models/vehicles/privacy-zone.ts';
import { tripsChanged } from '../../models/vehicles/vehicle.ts';
import type { StoredTail } from '../../models/vehicles/device.ts';
import { once } from '../../schema/once.ts';
import { DISCONNECTED_AFTER_MS } from '../../schema/vehicles/device.ts';
import { TRIP_LIMITS, type TripLimits } from '../../models/trips/trip-limits.ts';
import { placeAt } from '../geometry/motion.ts';
import { followOdometer, isDoubted, newReading } from '../geometry/reading-bases.ts';
import type { PlaceIndex } from '../areas/place-index.ts';
import { staysInPlaces } from '../areas/near-places.ts';

import type { AccountAreas } from '../areas/account-areas.ts';
import { announceStoredPositions, isFollowed, type MovedDevice, noticePositions } from './position-notices.ts';
import { countElsewhere } from './change-minutes.ts';
import type { RecordingDevice } from './device-lease.ts';
import { continueTail } from '../trips/continue-tail.ts';
import { mayCut } from '../trips/cut-recording.ts';
import { seenAfter, timesOutside } from './last-position.ts';
import { noteRejections } from './note-rejections.ts';
import { shownVehicles } from './shown-vehicles.ts';
import { moveTail } from './record-points.ts';
import type { Service } from '../../models/store/service.ts';

/** A device in a vehicle, as read for a request. */
export type DeviceInVehicle = RecordingDevice &
  Pick<
    SendingDevice,
    'serial_folded' | 'tail' | 'position' | 'seen_outside' | 'trip_settings' | 'odometer' | 'former_vehicles'
  >;

/** Positions that a device sent, in the order of their times, which are distinct. */
export interface SentPositions {
  readonly device: DeviceInVehicle;
  readonly points: TripPoints;
}

/**
 * Size from which the positions of a tail are moved to minutes, in bytes: that of some hundred requests, or of ten large ones.
 */
const MOVED_FROM = 8192;
/** Size from which nothing is appended: the tail should have been moved before. */
const MAX_SIZE = 4 * MOVED_FROM;

/**
 * Records positions of devices of one account, by two commands for all of them, if they only continue the trip or the stay
 * of their device, or are among the positions in its tail. Returns those, with the number of positions that were new; the
 * others are not stored yet, and are recorded under the lease of their device.
 */
export async function appendPoints(
  service: Service,
  account_key: string,
  sent: readonly SentPositions[],
  areas: AccountAreas,
): Promise<ReadonlyMap<SentPositions, number>> {
  const pieces = new Map(sent.flatMap((one) => piecesOf(one, areas).map((piece) => [piece, one] as const)));
  if (pieces.size === 0) return new Map();
  const { zones } = areas;
  const now = Date.now();
  const keys = await appendToTails(accountAccessScope(service, account_key), [...pieces.keys()], {
    now: new Date(now),
    due: new Date(now + DISCONNECTED_AFTER_MS),
  });
  const appended = new Map([...pieces].flatMap(([piece, one]) => (keys.has(piece.device_key) ? [[one, piece]] : [])));
  // An appended one looks like an omitted one if its tail has been moved since. The others have announced themselves.
  const readings = [...pieces].flatMap(
    ([{ seen }, { device }]) => newReading(device.vehicle_key, device.odometer, seen.odometer) ?? [],
  );
  const isRead = new Set(readings.map(({ vehicle_key }) => vehicle_key));
  const changed = [...pieces]
    .filter(([{ isShown }, { device }]) => !isShown || isRead.has(device.vehicle_key))
    .map(([, { device, points }]) => ({ vehicle_key: device.vehicle_key, points }));
  if (changed.length > 0)
    await tripsChanged(service, account_key, await shownVehicles(service, account_key, changed, zones), readings);
  for (const [{ device, points }, { tail, seen }] of appended) {
    if (isDoubted(device.odometer, seen.odometer)) await noteRejections(service, device, [{ reason: 'odometer' }]);
    const isLate = (points.time[0] ?? Infinity) <= tail.last.getTime();
    const count = isLate ? countElsewhere(points, pointsOfTail(tail)) : 0;
    if (count > 0) await noteRejections(service, device, [{ reason: 'same_time', count }]);
  }
  announceStoredPositions(
    service,
    account_key,
    [...appended.keys()].flatMap(({ device }) => device.vehicle_key ?? []),
  );
  if (isFollowed(service, account_key))
    noticePositions(service, account_key, movedBy(pieces, appended), stateOfZones(zones));
  for (const { device } of appended.keys()) {
    // No request waits for it. If it fails, the next request does it, or eventually the check for silent devices.
    if (device.tail && sizeOfTail(device.tail) >= MOVED_FROM) void moveTail(service, device).catch(() => undefined);
  }
  return new Map([...appended].map(([one, { points }]) => [one, points.length]));
}

/** Devices as they are after pieces were appended. */
function movedBy(
  pieces: ReadonlyMap<TailPiece, SentPositions>,
  appended: ReadonlyMap<SentPositions, TailPiece>,
): readonly MovedDevice[] {
  return [...pieces].flatMap(([{ seen }, one]) => {
    const { key, vehicle_key } = one.device;
    return appended.has(one) ? [{ key, vehicle_key, ...seen }] : [];
  });
}

/** The piece of a device's positions that is appended: all new ones, or none. */
function piecesOf({ device, points }: SentPositions, { zones, places, rules }: AccountAreas): TailPiece[] {
  const { tail, vehicle_key } = device;
  if (!tail || tail.leased || tail.vehicle_key !== vehicle_key || sizeOfTail(tail) >= MAX_SIZE) return [];
  const mayMakeEvents = mayCut(points) || rules.of(vehicle_key).isAnyAbove(points);
  const appended = mayMakeEvents ? null : freshPoints(tail, points, { places, rules }, device.limits ?? TRIP_LIMITS);
  if (appended === null) return [];
  const seen = { ...seenAfter(device, points, zones), odometer: followOdometer(device.odometer, points) };
  const isShown = timesOutside(zones, points).length > 0;
  return [{ device_key: device.key, serial_folded: device.serial_folded, tail, ...appended, isShown, seen }];
}

/**
 * The positions that are not in the tail yet, if they have no other effect than being stored: they come after the
 * last one, or between two in the tail. Null if trips, visits or events of rules may change.
 */
function freshPoints(
  tail: StoredTail,
  points: TripPoints,
  { places, rules }: Pick<AccountAreas, 'places' | 'rules'>,
  limits: TripLimits,
): Pick<TailPiece, 'points' | 'facts'> | null {
  const last = tail.last.getTime();
  const known = once(() => pointsOfTail(tail));
  // Nearly all requests have none: nothing is copied for them.
  const late = (points.time[0] ?? Infinity) > last ? null : pointsBetween(points, -Infinity, last + 1);
  const later = late === null ? points : pointsBetween(points, last + 1, Infinity);
  if (!continuesVisits(tail, later, places) || rules.of(tail.vehicle_key).isAnySilent(last, later)) return null;
  if (points.length === 0 || late?.readings) return null;
  const isAmong = (time: number, at: number) => isBetween(known(), time, pickTripPoints(points, [at]), places);
  if (late !== null && !late.time.every(isAmong)) return null;
  const added = late === null ? points : withoutTimes(points, new Set(known().time));
  const facts = continueTail(tail, added, known, limits);
  return facts && { points: added, facts };
}

function withoutTimes(points: TripPoints, times: ReadonlySet<number>): TripPoints {
  return pickTripPoints(
    points,
    [...points.time.keys()].filter((at) => !times.has(points.time[at] ?? Number.NaN)),
  );
}

/** Returns true if a position is known and adds nothing, or is between two positions in the same places. */
function isBetween(known: TripPoints, time: number, point: TripPoints, places: PlaceIndex): boolean {
  const after = known.time.findIndex((other) => other >= time);
  if (known.time[after] === time) return point.events.size === 0;
  if (after <= 0 || places.isEmpty) return after > 0;
  const isDrawnAround = places.drawnAround(placeAt(point, 0), known.time[after] ?? time).length > 0;
  return !isDrawnAround && [after - 1, after].every((at) => staysInPlaces(places, placeAt(known, at), point));
}

/** Returns true if positions that continue a trip neither begin nor end a visit. */
function continuesVisits({ last, point }: TailFacts, points: TripPoints, places: PlaceIndex): boolean {
  if (places.isEmpty) return true;
  return point != null && staysInPlaces(places, { ...point, time: last.getTime() }, points);
}
