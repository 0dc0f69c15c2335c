import type { QueryFilter } from 'mongoose';

import type { TripWindow } from '../../auth/trip-window.ts';
import { BATCH_SIZE } from '../../models/batch-size.ts';
import type { AccessScope } from '../../models/tenancy.ts';
import { type StoredTrip, TripModel } from '../../models/trips/trip.ts';
import { type Page, pageOf } from '../../schema/page.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { awaitArrangement } from '../recording/complete-interrupted.ts';
import type { TripFields } from './trip-fields.ts';
import type { GeometryWork } from './trip-geometry.ts';
import type { TripVisibility } from './trip-visibility.ts';
import { type TripView, viewTrips } from './trip-view.ts';

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;

/** Maximum number of trips that one query reads, however many of them are not visible. */
const MAX_AT_ONCE = 1001;

/** Trips of a vehicle that are requested, and the visible part of them. */
export interface TripPageRequest extends TripReading {
  readonly accessScope: TripVisibility;
  readonly window: TripWindow;
  readonly first: number;
  /** Key of the trip with which the page begins. */
  readonly after: string | null;
}

/** A place in the list, which is ordered by start and then key. */
interface Place {
  readonly start: number;
  readonly key: string;
}

/**
 * Reads a page of a vehicle's trips, as the caller sees them: a trip whose beginning is not visible is listed where its
 * visible part starts.
 *
 * @throws ServiceError BAD_REQUEST where `after` is no trip of the list
 */
export async function tripPage(request: TripPageRequest): Promise<Page<TripView>> {
  const { accessScope, window, first, after, fields } = request;
  await awaitArrangement(accessScope.records.account_key, accessScope.records.vehicle_key ?? '');
  const from = Math.max(window.from, accessScope.gte);
  const until = Math.min(window.until, accessScope.lt);
  const cursor = after === null ? null : await readTrip(accessScope, after, request);
  const begin = cursor ? placeOfTrip(cursor) : { start: from, key: '' };
  if (after !== null && !(cursor && begin.start >= from && begin.start < until)) {
    throw new ServiceError('BAD_REQUEST', 'after is not a cursor of this list');
  }
  if (until <= from) return pageOf<TripView>([], first, ({ key }) => key);

  const listed: (Place & { readonly view: TripView })[] = [];
  const add = async (trips: readonly StoredTrip[]) => {
    const placed = (await viewTrips(accessScope, trips, request)).map((view) => ({ ...placeOfTrip(view), view }));
    listed.push(...placed.filter((trip) => trip.start < until && compare(trip, begin) >= 0));
    listed.sort(compare);
  };

  // What remains of a trip starts no earlier than the trip: past the last trip looked at, no earlier place is filled.
  if (accessScope.mayShorten) await add(await tripsAcross(accessScope.records, begin.start, fields));
  let last: Place | null = accessScope.mayShorten ? { start: begin.start, key: '' } : begin;
  let isFirst = true;
  for (let count = first + 1; last && countUpTo(listed, last) <= first; count = Math.min(2 * count, MAX_AT_ONCE)) {
    const range = { from: last, until, isInclusive: isFirst, count, fields };
    const started: StoredTrip[] = await tripsStarted(accessScope.records, range);
    await add(started);
    const end = started.at(-1);
    last = end && started.length === count ? placeOfTrip(end) : null;
    isFirst = false;
  }
  const { nodes, page_info } = pageOf(listed, first, ({ key }) => key);
  return { nodes: nodes.map(({ view }) => view), page_info };
}

/** One trip of a vehicle as seen by a caller, or null where it does not exist for it. */
export async function findTrip(
  accessScope: TripVisibility,
  key: string,
  reading: TripReading,
): Promise<TripView | null> {
  await awaitArrangement(accessScope.records.account_key, accessScope.records.vehicle_key ?? '');
  return readTrip(accessScope, key, reading);
}

/** Stored fields to read of trips, and the means to work on their geometry. */
export interface TripReading extends GeometryWork {
  readonly fields: TripFields;
}

async function readTrip(accessScope: TripVisibility, key: string, reading: TripReading): Promise<TripView | null> {
  const trip = await TripModel.findOne({ key, staged: false }, reading.fields, { accessScope: accessScope.records })
    .lean<StoredTrip>()
    .exec();
  const [view] = trip ? await viewTrips(accessScope, [trip], reading) : [];
  return view ?? null;
}

function placeOfTrip({ start_point, key }: Pick<StoredTrip, 'start_point' | 'key'>): Place {
  return { start: start_point.timestamp.getTime(), key };
}

function countUpTo(listed: readonly Place[], last: Place): number {
  return listed.filter((trip) => compare(trip, last) <= 0).length;
}

/** Trips by their start. */
interface StartRange {
  readonly from: Place;
  /** True to include the trip at `from` itself. */
  readonly isInclusive: boolean;
  readonly until: number;
  readonly count: number;
  readonly fields: TripFields;
}

function tripsStarted(records: AccessScope, range: StartRange): Promise<StoredTrip[]> {
  const { from, isInclusive, until, count, fields } = range;
  const start = {
    ...(from.start > -Infinity && { $gte: new Date(from.start) }),
    ...(until < Infinity && { $lt: new Date(until) }),
  };
  const filter = {
    vehicle_key: records.vehicle_key ?? '',
    staged: false,
    ...(Object.keys(start).length > 0 && { 'start_point.timestamp': start }),
    ...(from.key !== '' && {
      $or: [
        { 'start_point.timestamp': { $gt: new Date(from.start) } },
        { key: isInclusive ? { $gte: from.key } : { $gt: from.key } },
      ],
    }),
  };
  return TripModel.find(filter, fields, { accessScope: records })
    .sort({ 'start_point.timestamp': 1, key: 1 })
    .limit(count)
    .batchSize(BATCH_SIZE)
    .lean<StoredTrip[]>()
    .exec();
}

/**
 * The trips that started before an instant and ended at it or later. Nearly all trips are shorter than a day, so only a
 * day of starts is looked at; the few longer ones have an index.
 */
async function tripsAcross(records: AccessScope, instant: number, fields: TripFields): Promise<StoredTrip[]> {
  if (instant === -Infinity) return [];
  const moment = new Date(instant);
  const dayBefore = new Date(instant - DAY_MS);
  const across = { vehicle_key: records.vehicle_key ?? '', staged: false, 'end_point.timestamp': { $gte: moment } };
  const find = (filter: QueryFilter<StoredTrip>) =>
    TripModel.find({ ...across, ...filter }, fields, { accessScope: records })
      .lean<StoredTrip[]>()
      .exec();
  const [recent, long] = await Promise.all([
    find({ 'start_point.timestamp': { $gte: dayBefore, $lt: moment } }),
    find({ duration_seconds: { $gt: DAY_SECONDS }, 'start_point.timestamp': { $lt: dayBefore } }),
  ]);
  return [...recent, ...long];
}

function compare(a: Place, b: Place): number {
  return a.start - b.start || (a.key < b.key ? -1 : Number(a.key > b.key));
}
