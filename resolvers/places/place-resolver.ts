import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { PlaceStore, type FormerArea, placesChanged, type StoredPlace } from '../../models/places/place.ts';
import { Deletion } from '../../schema/deletion.ts';
import { After, First, type Page } from '../../schema/page.ts';
import { Place, PlaceConnection, PlaceInput } from '../../schema/places/place.ts';
import { shownRecord } from '../../models/lookup/shown-record.ts';
import { creationPage } from '../../models/lists/creation-page.ts';
import { newKey } from '../../models/key.ts';
import { type AccessScope, tripsAccessScope } from '../../models/store/tenancy.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { VisitStore } from '../../models/places/visit.ts';
import { ringFault, ringOf } from '../../tracking/geometry/ring.ts';

/** Areas that an account has named. They are the account's: users who are restricted to groups see all of them. */
@Resolver()
export class PlaceResolver {
  @Access('places.read')
  @Query(() => PlaceConnection, { description: "The account's places, in order of creation." })
  places(
    @First(50) first: number | null,
    @After() after: string | undefined,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Page<Place>> {
    return creationPage(PlaceStore, { accessScope: accessScopeOf({ service, caller }), first: first ?? 50, after });
  }

  @Access('places.read')
  @Query(() => Place, { nullable: true, description: 'One place.' })
  async place(
    @Arg('key', () => String, { description: 'Key of the place.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Place> {
    return shownRecord(PlaceStore, { accessScope: accessScopeOf({ service, caller }), filter: { key } }, 'place');
  }

  @Access('places.manage', 'unrestricted')
  @Mutation(() => Place, { description: 'Creates a place. Visits to it are recorded from now on.' })
  createPlace(
    @Arg('input', () => PlaceInput, { description: 'The fields of the place.' }) input: PlaceInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Place> {
    return createPlace(accessScopeOf({ service, caller }), input);
  }

  @Access('places.manage', 'unrestricted')
  @Mutation(() => Place, {
    description: 'Updates a place. Omitted fields stay unchanged. A new area applies to positions from now on.',
  })
  updatePlace(
    @Arg('key', () => String, { description: 'Key of the place.' }) key: string,
    @Arg('input', () => PlaceInput, { description: 'The fields to change.' }) input: PlaceInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Place> {
    return updatePlace(accessScopeOf({ service, caller }), key, input);
  }

  @Access('places.manage', 'unrestricted')
  @Mutation(() => Deletion, { description: 'Deletes a place with all visits to it.' })
  async deletePlace(
    @Arg('key', () => String, { description: 'Key of the place.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Deletion> {
    await deletePlace(accessScopeOf({ service, caller }), key);
    return { key, deleted: true };
  }
}

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
  const fields = PlaceInput.read(input);
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
 * Changes the given fields of a place. A new area, or border, is for positions from now on.
 * @throws ServiceError NOT_FOUND, or BAD_REQUEST naming the parameter
 */
async function updatePlace(accessScope: AccessScope, key: string, input: PlaceInput): Promise<StoredPlace> {
  const fields = PlaceInput.read(input);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await PlaceStore.findOne(accessScope, { key });
    if (!before) throw notFound('place');
    const now = new Date(Math.max(Date.now(), before.area_since.getTime()));
    const area = readArea(input, before);
    const next = { ...borderOf({ ...before, ...fields }), ...(area ?? shapeOf(before)) };
    const moved = isSameArea(next, before) ? null : movedTo(next, before, now);
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
type Border = Pick<StoredPlace, 'border_meters' | 'border_seconds' | 'dwell_seconds'>;

function shapeOf({ point, radius, polygon }: Area): Area {
  return { point, radius, polygon };
}

function borderOf({ border_meters, border_seconds, dwell_seconds }: Border): Border {
  return { border_meters, border_seconds, dwell_seconds };
}

/** The new area, with the one before among the former ones. */
function movedTo(area: Area & Border, before: StoredPlace, now: Date) {
  const { area_since, former_areas } = before;
  if (former_areas.length >= MAX_FORMER_AREAS) {
    throw new ServiceError(
      'BAD_REQUEST',
      `A place can be moved, or its border changed, at most ${MAX_FORMER_AREAS} times`,
    );
  }
  const former: FormerArea = { ...shapeOf(before), ...borderOf(before), since: area_since, until: now };
  return { ...area, area_since: now, former_areas: [...former_areas, former] };
}

/** The area that an input describes, given the one before; null if it describes none. */
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
  const { min, max } = RADIUS_METERS;
  return { point: checkPoint('point', center), radius: checkRange('radius', meters, min, max), polygon: [] };
}

function isSameArea(a: Area & Border, b: Area & Border): boolean {
  const corners = ({ point, polygon }: Area) => [...(point ? [point] : []), ...polygon];
  const isSame = (one: GeoPoint, other: GeoPoint | undefined) => one.lat === other?.lat && one.lon === other.lon;
  const [those, others] = [corners(a), corners(b)];
  const isShaped = a.radius === b.radius && those.length === others.length;
  if (!isShaped || !those.every((corner, at) => isSame(corner, others[at]))) return false;
  return (['border_meters', 'border_seconds', 'dwell_seconds'] as const).every((name) => a[name] === b[name]);
}

/**
 * Deletes a place with its visits. They go before it, so that it is still there to be deleted again if that is interrupted,
 * and once more after it, since positions may have made others.
 * @throws ServiceError NOT_FOUND
 */
async function deletePlace(accessScope: AccessScope, key: string): Promise<void> {
  const ofAll = tripsAccessScope(accessScope, null);
  const deleteVisits = () => VisitStore.deleteMany(ofAll, { place_key: key });
  await deleteVisits();
  const { deletedCount } = await PlaceStore.deleteOne(accessScope, { key });
  if (deletedCount === 0) throw notFound('place');
  await placesChanged(ofAll.service, accessScope.account_key);
  await deleteVisits();
}

const RADIUS_METERS = { min: 1, max: 100_000 } as const;
const MAX_CORNERS = 1000;
const MIN_CORNERS = 3;

/** @throws ServiceError BAD_REQUEST naming the parameter */
function checkPoint(parameter: string, { lat, lon }: GeoPoint): GeoPoint {
  return { lat: checkRange(`${parameter}.lat`, lat, -90, 90), lon: checkRange(`${parameter}.lon`, lon, -180, 180) };
}

/**
 * Returns the corners of a polygon, without the first one again at the end.
 * @throws ServiceError BAD_REQUEST naming the parameter
 */
function checkPolygon(points: readonly GeoPoint[]): GeoPoint[] {
  const [first, last] = [points[0], points.at(-1)];
  const isClosed = points.length > 1 && first?.lat === last?.lat && first?.lon === last?.lon;
  const corners = isClosed ? points.slice(0, -1) : points;
  if (corners.length < MIN_CORNERS || corners.length > MAX_CORNERS) {
    throw bad('polygon', `must have ${MIN_CORNERS} to ${MAX_CORNERS} points`);
  }
  const checked = corners.map((corner, at) => checkPoint(`polygon[${at}]`, corner));
  const fault = ringFault(ringOf(checked));
  if (fault !== null) throw bad('polygon', fault);
  return checked;
}

/** @throws ServiceError BAD_REQUEST naming the parameter, if it is not a number in the range */
function checkRange(parameter: string, value: number, min: number, max: number): number {
  if (value >= min && value <= max) return value;
  throw bad(parameter, `must be a number from ${min} to ${max}`);
}

function bad(parameter: string, fault: string): ServiceError {
  return new ServiceError('BAD_REQUEST', `${parameter} ${fault}`);
}
