import { AccountStore } from '../../models/account/account.ts';
import { ListCursors, type PageStart } from '../../models/lists/list-cursors.ts';
import { type AccessScope, accountAccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { isMarkWord, markedValue, markOf, shownEvents } from '../../models/trips/position-marks.ts';
import { tripLimits } from '../../models/trips/trip-limits.ts';
import { emptyTripPoints, placedNumbers, type TripPoints } from '../../models/trips/trip-points.ts';
import type { StoredDevice } from '../../models/vehicles/device.ts';
import { parseDateTime } from '../../schema/date-time.ts';
import { type Page, unknownCursor } from '../../schema/page.ts';
import { type RejectionReason, REJECTIONS } from '../../schema/vehicles/ingest-rejection.ts';
import type { MarkedPosition } from '../../schema/vehicles/marked-position.ts';

import { withSentSpeeds } from '../geometry/marked-speeds.ts';
import { withoutJumps } from '../geometry/motion.ts';
import { odometerAt } from '../geometry/readings.ts';
import { doubtedOdometers } from '../geometry/reading-bases.ts';
import { milesPerHour, toTenths } from '../geometry/speeds.ts';
import { devicePoints } from '../trips/open-trip-points.ts';
import { sizesWithin } from '../trips/recorded-trips.ts';
import type { PointsMeter } from './points-meter.ts';

/** A page of the marked positions of a device in its vehicle. */
export interface MarkedPositionQuery {
  /** Only positions from this instant on, in milliseconds since 1970. */
  readonly from: number;
  /** Only positions before this instant. */
  readonly until: number;
  /** Number of positions; negative for those before the cursor. */
  readonly first: number;
  readonly after: string | null | undefined;
  readonly meter: PointsMeter;
}

/** Time before the first position within which others show that it jumps, in milliseconds. */
const LOOK_BACK_MS = 3_600_000;

/** Maximum number of trips whose positions are charged. */
const MAX_COUNTED = 1000;

/** Marks of positions without a place of their own. */
const WITHOUT_FIX: readonly RejectionReason[] = ['invalid', 'stale'];

/**
 * A page of the marked positions of a device, in the order of their times, for the owner: places within privacy zones are not
 * omitted. Jumps, and odometers that are not believed, are found when this is read, since later positions decide.
 *
 * @throws ServiceError BAD_REQUEST for a cursor of another list
 */
export async function markedPositionPage(
  accessScope: AccessScope,
  device: Pick<StoredDevice, 'key' | 'vehicle_key' | 'lease_epoch' | 'trip_settings'>,
  { from, until, first, after, meter }: MarkedPositionQuery,
): Promise<Page<MarkedPosition>> {
  const cursors = await ListCursors.of<number>(accessScope.service, ['MarkedPosition', device.key], {
    write: String,
    read: Number,
    // A position has no key: its time stands for it.
    find: (text) => {
      const read = parseDateTime(text);
      if (!read) throw unknownCursor();
      return read.instant;
    },
  });
  const start = await cursors.start(after);
  const [isBackward, size] = [first < 0, Math.abs(first)];
  const follows = (time: number, { place, isAfter }: PageStart<number>) =>
    isBackward ? time < place : isAfter ? time > place : time >= place;
  const isWanted = (time: number) => time >= from && (!start || follows(time, start));
  // Later positions decide about those before a cursor, too.
  const begin = (isBackward ? from : Math.max(from, start?.place ?? from)) - LOOK_BACK_MS;
  const points = await pointsOfDevice(accessScope, device, [begin, until], meter);
  const account = await AccountStore.findOne(accessScope, {}, 'trip_settings');
  const { maximum_speed } = tripLimits(account?.trip_settings, device.trip_settings);
  const jumps = new Set(withoutJumps(points, placedNumbers(points), maximum_speed).jumps);
  const doubted = doubtedOdometers(points);
  const marksAt = (at: number): RejectionReason[] => [
    ...(points.events.get(at) ?? []).filter(isMarkWord).map(markOf),
    ...(jumps.has(at) ? (['jump'] as const) : []),
    ...(doubted.has(at) ? (['odometer'] as const) : []),
  ];
  const marked = [...points.time.entries()].flatMap(([at, time]) =>
    isWanted(time) && marksAt(at).length > 0 ? [at] : [],
  );
  const page = cursors.page({
    found: isBackward ? marked.slice(-size - 1).reverse() : marked.slice(0, size + 1),
    size,
    start,
    placeOf: (at) => points.time[at] ?? Number.NaN,
    isBackward,
  });
  const sent = withSentSpeeds(points);
  return { ...page, nodes: page.nodes.map((at) => markedPositionAt(sent, at, marksAt(at), points.events.get(at))) };
}

/** All positions of a device in its vehicle in `[from, until)`. */
async function pointsOfDevice(
  { service, account_key }: AccessScope,
  { key, vehicle_key, lease_epoch }: Pick<StoredDevice, 'key' | 'vehicle_key' | 'lease_epoch'>,
  [from, until]: readonly [number, number],
  meter: PointsMeter,
): Promise<TripPoints> {
  if (vehicle_key === null) return emptyTripPoints(0);
  const ofVehicle = vehicleAccessScope(accountAccessScope(service, account_key), { key: vehicle_key });
  const recorder = { accessScope: { ...ofVehicle, vehicle_key }, device_key: key, epoch: lease_epoch };
  const sizes = await sizesWithin(recorder, from, until, MAX_COUNTED);
  await meter.charge(sizes.reduce((sum, { count }) => sum + count, 0));
  return devicePoints(recorder, from, until);
}

function markedPositionAt(
  points: TripPoints,
  at: number,
  marks: readonly RejectionReason[],
  words: readonly string[] | undefined,
): MarkedPosition {
  const { time, lat, lon, speed, events } = points;
  const sentSpeed = speed[at] ?? Number.NaN;
  const hasFix = !marks.some((mark) => WITHOUT_FIX.includes(mark));
  return {
    timestamp: new Date(time[at] ?? 0),
    point: hasFix ? { lat: lat[at] ?? 0, lon: lon[at] ?? 0 } : null,
    marks: [...marks],
    reasons: marks.map((mark) => REJECTIONS[mark].text),
    accuracy: markedValue(words, 'inaccurate'),
    speed: Number.isNaN(sentSpeed) ? null : toTenths(milesPerHour(sentSpeed)),
    odometer: odometerAt(points, at),
    events: shownEvents(events.get(at)),
  };
}
