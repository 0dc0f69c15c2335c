import type { RequestContext } from '../../auth/caller.ts';
import type { WorkMeter } from '../../auth/work-meter.ts';
import { unrestricted, accountAccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import { streamTripPoints } from '../../models/trips/trip-points-bucket.ts';
import { notFound } from '../../schema/service-error.ts';

import { awaitArrangement } from '../../tracking/recording/complete-interrupted.ts';
import { loadOpenTripPoints } from '../../tracking/trips/open-trip-points.ts';
import { oneTrip } from '../trips/list-trips.ts';
import { FEWEST_FIELDS } from '../trips/trip-fields.ts';
import { vehicleOfTrip } from '../trips/trip-visibility.ts';
import type { ExportedTrip } from './exported-trip.ts';
import { geoJsonOf } from './geo-json-of.ts';
import { gpxOf } from './gpx-of.ts';
import type { Service } from '../../models/store/service.ts';

/** Formats in which a trip can be exported. */
export type ExportFormat = 'gpx' | 'geojson';

/**
 * Reads a whole trip as a file, written while it is read, with a few buckets in memory at most; an open trip as far as
 * its device has sent it. For those from whom nothing is hidden: the account's owner, and the operator (`accountKey`
 * null).
 *
 * @param work is charged with the positions of the trip before they are read
 * @throws ServiceError NOT_FOUND where there is no such trip in sight, or TOO_MANY_REQUESTS, before anything is written
 */
export async function exportTrip(
  service: Service,
  accountKey: string | null,
  key: string,
  format: ExportFormat,
  work?: WorkMeter,
): Promise<AsyncIterable<string>> {
  const filter = { key, staged: false, ...(accountKey !== null && { account_key: accountKey }) };
  const find = () => TripStore.findOne(unrestricted(service), filter).exec();
  const found = await find();
  if (found) await awaitArrangement(service, found.account_key ?? '', [found.vehicle_key]);
  const trip = found && (await find());
  if (!trip || trip.point_count === 0) throw notFound('trip');
  await work?.demand();
  await work?.charge(trip.point_count);
  const records = vehicleAccessScope(accountAccessScope(service, trip.account_key ?? ''), { key: trip.vehicle_key });
  const open = (await loadOpenTripPoints(records, [trip])).get(key);
  const exported = {
    key,
    vehicle_key: trip.vehicle_key,
    length: open?.length ?? trip.point_count,
    read: () => (open ? once(open) : inFull(streamTripPoints(records, trip), trip.point_count)),
  };
  return fileOf(exported, format);
}

/**
 * A trip as a file, as a caller sees it: all of it for the owner; for others the visible positions, read into memory.
 * @throws ServiceError NOT_FOUND or TOO_MANY_REQUESTS
 */
export async function exportTripFor(
  context: RequestContext,
  key: string,
  format: ExportFormat,
): Promise<AsyncIterable<string>> {
  const { caller, work } = context;
  if (caller.kind === 'owner') return exportTrip(context.service, caller.account_key, key, format, work);
  const vehicle_key = await vehicleOfTrip(context.service, caller, key);
  const { geometry } = await oneTrip(context, vehicle_key, key, FEWEST_FIELDS);
  const points = await geometry.points();
  return fileOf({ key, vehicle_key, length: points.length, read: () => once(points) }, format);
}

function fileOf(trip: ExportedTrip, format: ExportFormat): AsyncIterable<string> {
  return format === 'gpx' ? gpxOf(trip) : geoJsonOf(trip);
}

/** @throws Error at the end where there were fewer positions or more: the trip has grown since, and columns would not fit */
async function* inFull(pieces: AsyncIterable<TripPoints>, length: number): AsyncGenerator<TripPoints> {
  let read = 0;
  for await (const points of pieces) {
    read += points.length;
    yield points;
  }
  if (read !== length) throw new Error(`A trip of ${length} positions had ${read} while it was exported`);
}

async function* once(points: TripPoints): AsyncGenerator<TripPoints> {
  yield points;
}
