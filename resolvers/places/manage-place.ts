import { newKey } from '../../models/key.ts';
import { type FormerArea, placesChanged, PlaceStore, type StoredPlace } from '../../models/places/place.ts';
import { type AccessScope, tripsAccessScope } from '../../models/store/tenancy.ts';
import type { PlaceInput } from '../../schema/places/place.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { checkName } from '../../schema/check-name.ts';
import { checkPoint, checkPolygon, checkRadius, checkTimeOfDay, checkTimeZone, checkWeekdays } from './check-place.ts';
import { VisitStore } from '../../models/places/visit.ts';

/** Places that an account may have: all of them are in the memory of a process that records its positions. */
const MAX_PLACES = 10_000;
/** Areas that a place may have had: positions that come late are compared with each. */
const MAX_FORMER_AREAS = 100;

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

/**
 * Creates a place, for positions from now on.
 * @throws ServiceError BAD_REQUEST naming the parameter
 */
export async function createPlace(accessScope: AccessScope, input: PlaceInput): Promise<StoredPlace> {
  if (input.name == null) throw new ServiceError('BAD_REQUEST', 'name is required');
  const area = readArea(input, { point: null, radius: null, polygon: [] });
  if (area === null) throw new ServiceError('BAD_REQUEST', 'point with radius, or polygon, is required');
  const fields = readFields(input);
  const count = await PlaceStore.countDocuments(accessScope);
  if (count >= MAX_PLACES) throw new ServiceError('BAD_REQUEST', `An account has at most ${MAX_PLACES} places`);
  const now = new Date();
  const { account_key } = accessScope;
  const place = await PlaceStore.create(accessScope, {
    category: 'other',
    active_weekdays: EVERY_DAY,
    ...fields,
    ...area,
    ...{ key: newKey(), account_key, created: now, updated: now, area_since: now },
  });
  await placesChanged(accessScope.service, account_key);
  return place;
}

/** Attempts at a change that others keep overtaking. */
const MAX_ATTEMPTS = 10;

/**
 * Changes the given fields of a place. Where it is moved, the new area is for positions from now on.
 * @throws ServiceError NOT_FOUND, or BAD_REQUEST naming the parameter
 */
export async function updatePlace(accessScope: AccessScope, key: string, input: PlaceInput): Promise<StoredPlace> {
  const fields = readFields(input);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await PlaceStore.findOne(accessScope, { key });
    if (!before) throw notFound('place');
    const now = new Date(Math.max(Date.now(), before.area_since.getTime()));
    const area = readArea(input, before);
    const moved = area && !isSameArea(area, before) ? movedTo(area, before, now) : null;
    const change = { ...fields, ...moved, updated: now };
    const asRead = { key, area_since: before.area_since, former_areas: { $size: before.former_areas.length } };
    const place = await PlaceStore.findOneAndUpdate(accessScope, asRead, change, { returnDocument: 'after' });
    if (!place) continue;
    await placesChanged(accessScope.service, accessScope.account_key);
    return place;
  }
  throw new ServiceError('SERVICE_UNAVAILABLE', 'The place was modified concurrently; retry');
}

type Area = Pick<StoredPlace, 'point' | 'radius' | 'polygon'>;

/** The new area, with the one before among the former ones. */
function movedTo(area: Area, before: StoredPlace, now: Date) {
  const { point, radius, polygon, area_since, former_areas } = before;
  if (former_areas.length >= MAX_FORMER_AREAS) {
    throw new ServiceError('BAD_REQUEST', `A place is moved at most ${MAX_FORMER_AREAS} times`);
  }
  const former: FormerArea = { point, radius, polygon, since: area_since, until: now };
  return { ...area, area_since: now, former_areas: [...former_areas, former] };
}

/** The area that an input describes, given the one before; null where it describes none. */
function readArea(input: PlaceInput, before: Area): Area | null {
  const { point, radius, polygon } = input;
  if (polygon != null) {
    if (point != null || radius != null)
      throw new ServiceError('BAD_REQUEST', 'polygon cannot be combined with point or radius');
    return { point: null, radius: null, polygon: checkPolygon(polygon) };
  }
  if (point == null && radius == null) return null;
  const [center, meters] = [point ?? before.point, radius ?? before.radius];
  if (center === null) throw new ServiceError('BAD_REQUEST', 'point is required with radius');
  if (meters === null) throw new ServiceError('BAD_REQUEST', 'radius is required with point');
  return { point: checkPoint('point', center), radius: checkRadius(meters), polygon: [] };
}

function isSameArea(a: Area, b: Area): boolean {
  const corners = ({ point, polygon }: Area) => [...(point ? [point] : []), ...polygon];
  const isSame = (one: GeoPoint, other: GeoPoint | undefined) => one.lat === other?.lat && one.lon === other.lon;
  const [those, others] = [corners(a), corners(b)];
  const isShaped = a.radius === b.radius && those.length === others.length;
  return isShaped && those.every((corner, at) => isSame(corner, others[at]));
}

/** The given fields beside the area. */
function readFields(input: PlaceInput) {
  const { name, category, active_weekdays, from_time, to_time, time_zone } = input;
  const { notifying_arrival, notifying_departure } = input;
  const timeOf = (parameter: string, time: string | null) => (time === null ? null : checkTimeOfDay(parameter, time));
  return {
    ...(name != null && { name: checkName('name', name) }),
    ...(category != null && { category }),
    ...(active_weekdays != null && { active_weekdays: checkWeekdays(active_weekdays) }),
    ...(from_time !== undefined && { from_time: timeOf('from_time', from_time) }),
    ...(to_time !== undefined && { to_time: timeOf('to_time', to_time) }),
    ...(time_zone != null && { time_zone: checkTimeZone(time_zone) }),
    ...(notifying_arrival != null && { notifying_arrival }),
    ...(notifying_departure != null && { notifying_departure }),
  };
}

/**
 * Deletes a place with its visits. They go before it, so that it is still there to be deleted again if that is interrupted,
 * and once more after it, since positions may have made others.
 * @throws ServiceError NOT_FOUND
 */
export async function deletePlace(accessScope: AccessScope, key: string): Promise<void> {
  const ofAll = tripsAccessScope(accessScope, null);
  const deleteVisits = () => VisitStore.deleteMany(ofAll, { place_key: key });
  await deleteVisits();
  const { deletedCount } = await PlaceStore.deleteOne(accessScope, { key });
  if (deletedCount === 0) throw notFound('place');
  await placesChanged(ofAll.service, accessScope.account_key);
  await deleteVisits();
}
