import { loadMinutes } from '../../models/trips/device-minute.ts';
import { leaseLost } from '../../models/trips/lease-lost.ts';
import { sharesLose } from '../../models/shares/share.ts';
import { TripStore } from '../../models/trips/trip.ts';
import type { NewTail } from '../../models/vehicles/device-tail.ts';
import { emptyTripPoints, pickTripPoints, placedPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { loadPointsOfTrips, TripPointsBucketStore } from '../../models/trips/trip-points-bucket.ts';
import { SETTLED_LIMITS, type TripLimits } from '../../models/trips/trip-limits.ts';
import { isJump, placeAt } from '../geometry/motion.ts';
import { addToMinutes, takeFromMinutes } from './change-minutes.ts';
import { closeTrips, openTripAt } from '../trips/change-trips.ts';
import { tailOf } from '../trips/continue-tail.ts';
import { cutRecording, type CutRecording, type RecordedPiece } from '../trips/cut-recording.ts';
import { mapInBatches } from '../scheduling/map-in-batches.ts';
import { noteMarkedSpeeds } from './note-rejections.ts';
import { recordedPoints } from '../trips/open-trip-points.ts';
import {
  type KnownTrip,
  type LeasedRecorder,
  nextTrip,
  tripsAround,
  tripsBefore,
  upTo,
} from '../trips/recorded-trips.ts';
import { showPieces, stagePieces } from '../trips/stage-pieces.ts';
import { COUNTED_MS, POSITIONS_BEFORE_SILENCE } from '../trips/usual-interval.ts';
import type { Service } from '../../models/store/service.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';

/** A piece of a recording, and the trip in which it stays; null if it becomes a separate trip. */
interface PlacedPiece {
  readonly piece: RecordedPiece;
  readonly trip: KnownTrip | null;
}

/**
 * The positions of a recording, in the order of their times, that are in another trip than before or no longer in one.
 * The earlier trips are in order: an open one lasts until the next.
 */
function movedPoints(all: TripPoints, trips: readonly KnownTrip[], pieces: readonly PlacedPiece[]): TripPoints {
  const after = new Map(
    pieces.flatMap(({ piece, trip }) => [...piece.points.time].map((time) => [time, trip?.key ?? NEW] as const)),
  );
  const before = (time: number) => {
    const trip = trips.findLast(({ start }) => start <= time);
    const isOver = trip && !trip.recording.open && (trip.recording.packed_until?.getTime() ?? -Infinity) < time;
    return isOver ? undefined : trip?.key;
  };
  const places = Array.from({ length: all.length }, (_, at) => at);
  return pickTripPoints(
    all,
    places.filter((at) => before(all.time[at] ?? Number.NaN) !== after.get(all.time[at] ?? Number.NaN)),
  );
}

const NEW = 'new';

/** Outcome of cutting a recording again. */
export interface Rearranged {
  /** The positions that are in another trip than before. */
  readonly moved: TripPoints;
  /** The end of the recording, if positions may continue it without another cut; else null. */
  readonly tail: NewTail | null;
  /** Milliseconds after which the last trip is over if nothing follows. */
  readonly restsIn: number;
  /** Times of positions that are, or may be, jumps. */
  readonly jumps: ReadonlySet<number>;
  /** Packs the trips that have ended, whose positions are visible anyway; null if there is nothing to pack. */
  readonly pack: (() => Promise<void>) | null;
}

/** Options for cutting a recording again. */
export interface RearrangeOptions {
  /** True to keep the key of the trip that a new one overlaps longest. */
  readonly isRecut?: boolean;
  /** True if the positions are the last ones of the recording. */
  readonly isLatest?: boolean;
  /** If they are, all positions from the beginning of the stay before them on; null if they are not known. */
  readonly stay?: TripPoints | null;
}

/**
 * Cuts the recording of a device again where positions came between two instants, and makes its trips the result. Trips
 * that the positions do not concern stay as they are; a trip keeps its key while its first position is in it, or with `isRecut`,
 * if most of it is.
 *
 * Each step leaves every position in the minutes, or in the buckets of an existing trip, so that it may be repeated
 * from the beginning after a kill. Until the lease is confirmed nothing visible is done; what is done afterwards
 * concerns trips near positions in minutes, which every later holder of the lease takes over first.
 */
export async function rearrange(
  service: Service,
  recorder: LeasedRecorder,
  from: number,
  until: number,
  { isRecut = false, isLatest = false, stay = null }: RearrangeOptions = {},
): Promise<Rearranged> {
  const limits = await recorder.limits();
  const stretch = (stay && departure(stay, limits)) ?? (await stretchAround(recorder, from, until, isLatest));
  const { trips, all, cut, inMinutes, next } = stretch;
  const unused = new Set(trips);
  const changed: { readonly piece: RecordedPiece; readonly trip: KnownTrip }[] = [];
  const added: RecordedPiece[] = [];
  const placed: PlacedPiece[] = [];
  const last = next === null && cut.end.motion === 'driving' ? cut.pieces.at(-1) : undefined;
  const goesOn = (piece: RecordedPiece) => piece === last;
  for (const piece of cut.pieces) {
    const [start, end] = spanOf(piece.points);
    const trip = isRecut
      ? mainTripIn(unused, start, end)
      : [...unused].find((known) => known.start >= start && known.start <= end);
    if (trip) unused.delete(trip);
    placed.push({ piece, trip: trip ?? null });
    if (!trip) added.push(piece);
    else if (!(goesOn(piece) ? isOpenAsStored(trip, piece) : isAsStored(trip, piece, inMinutes)))
      changed.push({ piece, trip });
  }
  const end = {
    tail: next === null ? tailOf(recorder.accessScope.vehicle_key, all, cut.end) : null,
    restsIn: cut.end.isOff ? limits.ignition_off : limits.gap,
    jumps: cut.jumps,
  };

  const shrunk = changed.filter(
    ({ piece, trip }) =>
      (trip.recording.packed_until?.getTime() ?? -Infinity) > spanOf(piece.points)[1] ||
      (trip.recording.packed_until !== null && trip.start < spanOf(piece.points)[0]),
  );
  const unpacked = [...unused, ...shrunk.map(({ trip }) => trip)];
  if (changed.length + added.length + unpacked.length === 0) {
    return { ...end, moved: emptyTripPoints(0), pack: null };
  }
  const reopened = changed.filter(({ piece, trip }) => !isOpenAsStored(trip, piece));
  for (const trip of unpacked) await unpackIntoMinutes(recorder, trip);
  const minutes =
    unpacked.length > 0 ? await loadMinutes(recorder, stretch.from, next?.start ?? Infinity) : stretch.minutes;
  const closed = added.filter((piece) => !goesOn(piece));
  const driverOf = added.length > 0 ? await driversOf(service, recorder, trips) : () => null;
  const staged = await stagePieces(recorder, { open: added.filter(goesOn), closed, driverOf });
  const removed = [...unused].map(({ key }) => key);

  // An open trip that ends is the same for readers until it is packed.
  if (reopened.length + staged.count + removed.length > 0) await recorder.confirm();
  await mapInBatches(reopened, ({ piece, trip }) => openTripAt(recorder, trip, piece));
  await showPieces(recorder, staged);
  await removeTrips(recorder, removed);
  if (removed.length > 0) await sharesLose(service, recorder.accessScope.account_key, removed);
  const ended = changed.filter(({ piece }) => !goesOn(piece));
  const over = [...ended.map(({ piece }) => piece), ...closed].map(({ points }) => points);
  const pack = async () => {
    await closeTrips(service, recorder, ended);
    await takeFromMinutes(recorder, minutes, over);
    await noteMarkedSpeeds(recorder, all, over);
  };
  return { ...end, moved: movedPoints(all, trips, placed), pack: over.length > 0 ? pack : null };
}

/** The trip of which most lies in a span of time; undefined if none does. */
function mainTripIn(trips: ReadonlySet<KnownTrip>, from: number, until: number): KnownTrip | undefined {
  const shared = ({ start, recording }: KnownTrip) =>
    Math.min(until, recording.packed_until?.getTime() ?? Infinity) - Math.max(from, start);
  const overlapping = [...trips].filter((trip) => shared(trip) >= 0);
  return overlapping.toSorted((a, b) => shared(b) - shared(a))[0];
}

/** Counts the trips that would begin in a span of time if it were cut now. */
export async function countTrips(recorder: LeasedRecorder, from: number, until: number): Promise<number> {
  const { cut } = await stretchAround(recorder, from, until - 1);
  const starts = cut.pieces.map(({ points }) => points.time[0] ?? Number.NaN);
  return starts.filter((start) => start >= from && start < until).length;
}

/** Removes remains of trips that were added but never shown because of a kill; their positions are in the minutes. */
export async function removeStagedTrips(recorder: LeasedRecorder): Promise<void> {
  const { accessScope, device_key } = recorder;
  const filter = { vehicle_key: accessScope.vehicle_key, device_key, staged: true };
  const staged = await TripStore.find(accessScope, filter, 'key');
  await removeTrips(
    recorder,
    staged.map(({ key }) => key),
  );
}

/** The stretch after the beginning of a stay, of which all positions are known, if at most one trip begins and none ends. */
function departure(all: TripPoints, limits: TripLimits): Awaited<ReturnType<typeof stretchAround>> | null {
  const cut = cutRecording(all, limits);
  const isKnown = !cut.needsEarlier && cut.pieces.length === (cut.end.motion === 'driving' ? 1 : 0);
  return isKnown ? { trips: [], all, cut, inMinutes: all, minutes: [], from: all.time[0] ?? 0, next: null } : null;
}

/** Time before positions in which a vehicle may have departed: as many gaps as this. */
const GAPS_BEFORE = 4;

/**
 * Loads the stretch of a recording that positions between two instants may concern: its trips, and further ones until one is
 * unaffected; all of its positions in the order of their times, and those in minutes; and all of its minutes.
 */
async function stretchAround(recorder: LeasedRecorder, from: number, until: number, isLatest = false) {
  const limits = await recorder.limits();
  const around = isLatest ? await tripsBefore(recorder, from) : await tripsAround(recorder, from, until);
  const trips = around.filter((trip) => !isOver(trip, from, limits));
  const before = around.findLast((trip) => isOver(trip, from, limits))?.recording.packed_until?.getTime() ?? -Infinity;
  const first = Math.min(trips.find(({ start }) => start <= from)?.start ?? from, from);
  const lookBack = (gap: number) => (first < from ? first : Math.max(before + 1, from - GAPS_BEFORE * gap));
  let begin = lookBack(limits.gap);
  let earlier: ArrayLike<number> | undefined;
  let next = isLatest ? null : await nextTrip(recorder, until);
  for (;;) {
    const end = endOfStretch(next);
    const known = next !== null && next.start < end ? [...trips, next] : trips;
    const { all, ...read } = await recordedPoints(recorder, known, begin, end);
    const cut = cutRecording(all, limits, earlier);
    if (cut.needsEarlier) {
      begin = lookBack(limits.sparse_gap ?? limits.gap);
      earlier = await timesBefore(recorder, begin);
    } else if (!next || isOwnTrip(next, until, all, cut, limits)) {
      return { trips, all, cut, ...read, from: begin, next };
    } else {
      trips.push(next);
      next = await nextTrip(recorder, next.start);
    }
  }
}

/** Times of the last positions before an instant. */
async function timesBefore(recorder: LeasedRecorder, instant: number): Promise<Float64Array> {
  const since = instant - COUNTED_MS;
  const trips = (await tripsAround(recorder, since, instant)).filter(({ start }) => start < instant);
  const { time } = placedPoints((await recordedPoints(recorder, trips, since, instant)).all);
  return time.slice(-POSITIONS_BEFORE_SILENCE);
}

/** The first position of the next trip is read as well: it shows that the vehicle stood before. */
function endOfStretch(next: KnownTrip | null): number {
  if (next === null) return Infinity;
  return next.recording.engine_started ? next.start : next.start + 1;
}

/** Returns true if a trip is closed and no position from an instant on can belong to it. */
function isOver({ recording }: KnownTrip, instant: number, { gap, stop }: TripLimits): boolean {
  const { open, packed_until } = recording;
  if (open || packed_until === null || packed_until.getTime() >= instant) return false;
  // The vehicle may have stood after the end of its trip, for less than a stop, and drive on after less than a gap.
  // So may one whose engine was reported to stop: the report may have come later, and without a place.
  return instant - packed_until.getTime() >= Math.max(gap, recording.limits?.gap ?? 0) + stop;
}

/** Returns true if the next trip is the same whatever was recorded until an instant. */
function isOwnTrip(
  next: KnownTrip,
  until: number,
  all: TripPoints,
  { end }: CutRecording,
  limits: TripLimits,
): boolean {
  // Silences at its beginning are judged by the positions before.
  const isKnown = next.start - until >= COUNTED_MS || (all.time.at(-POSITIONS_BEFORE_SILENCE) ?? -Infinity) > until;
  if (!isKnown || end.isUndecided) return false;
  if (!next.recording.engine_started) return end.motion === 'standing';
  if (end.last === null || next.point === null) return true;
  return !isJump(placeAt(all, end.last), { ...next.point, time: next.start }, limits.maximum_speed);
}

/** Returns true if a trip is closed and has exactly these positions: no minute has any of them. */
function isAsStored({ start, recording }: KnownTrip, piece: RecordedPiece, inMinutes: TripPoints): boolean {
  const [first, last] = spanOf(piece.points);
  if (recording.open || start !== first || recording.packed_until?.getTime() !== last) return false;
  if (gapOf(recording) < gapOf(piece)) return false;
  return !inMinutes.time.some((time) => time >= first && time <= last);
}

/** Returns true if a trip is open and begins like this; what follows its beginning is derived when it is read. */
function isOpenAsStored({ start, recording }: KnownTrip, piece: RecordedPiece): boolean {
  const { points, engine_started } = piece;
  if (gapOf(recording) < gapOf(piece)) return false;
  const isPacked = (recording.packed_until?.getTime() ?? -Infinity) <= spanOf(points)[1];
  return recording.open && start === spanOf(points)[0] && recording.engine_started === engine_started && isPacked;
}

function gapOf({ limits }: Pick<RecordedPiece, 'limits'>): number {
  return (limits ?? SETTLED_LIMITS).gap;
}

async function unpackIntoMinutes(recorder: LeasedRecorder, trip: KnownTrip): Promise<void> {
  const points = await loadPointsOfTrips(recorder.accessScope, [trip]);
  if (points.length > 0) await addToMinutes(recorder, points, emptyTripPoints(0));
}

/** Removes trips and then their positions; those that a later holder of the lease has read are kept. */
async function removeTrips({ accessScope, epoch }: LeasedRecorder, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const { vehicle_key } = accessScope;
  const those = { vehicle_key, key: { $in: keys }, ...upTo(epoch) };
  const { deletedCount } = await TripStore.deleteMany(accessScope, those);
  if (deletedCount < keys.length) throw leaseLost();
  await TripPointsBucketStore.deleteMany(accessScope, { vehicle_key, trip_key: { $in: keys } });
}

/** The times of the first and the last of some positions. */
export function spanOf({ time, length }: TripPoints): readonly [first: number, last: number] {
  return [time[0] ?? 0, time[length - 1] ?? 0];
}

/**
 * Returns who drove pieces of a recording that become trips: the driver of the ended trip in which one was before, else
 * the driver of the vehicle now; null if unknown.
 *
 * @param before the trips that the recording had, in order
 */
async function driversOf(
  service: Service,
  { accessScope: { account_key, vehicle_key } }: LeasedRecorder,
  before: readonly KnownTrip[],
): Promise<(piece: RecordedPiece) => string | null> {
  const accessScope = accountAccessScope(service, account_key);
  const vehicle = await VehicleStore.findOne(accessScope, { key: vehicle_key }, 'driver_key');
  return ({ points }) => {
    const start = points.time[0] ?? Number.NaN;
    const trip = before.findLast((known) => known.start <= start);
    const wasThere = trip && (trip.recording.packed_until?.getTime() ?? -Infinity) >= start;
    return wasThere ? trip.user_key : (vehicle?.driver_key ?? null);
  };
}
