import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { PrivacyZoneStore } from '../../models/vehicles/privacy-zone.ts';
import { PrivacyZone, PrivacyZoneChange, PrivacyZoneInput, ZoneTrips } from '../../schema/vehicles/privacy-zone.ts';
import { Deletion } from '../../schema/deletion.ts';
import { connectionOf, type Page, PageArgs } from '../../schema/page.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { shownRecord } from '../../models/lookup/shown-record.ts';
import { creationPage } from '../../models/lists/creation-page.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { checkName } from '../../schema/check-name.ts';
import { rejectNull } from '../../models/lookup/unknown-key.ts';
import { newKey } from '../../models/key.ts';
import { permissionsChanged } from '../../models/store/permission-stamp.ts';

const PrivacyZoneConnection = connectionOf(PrivacyZone, 'PrivacyZone');

const KEY = 'Key of the zone.';

/** Places where apps and trip maps do not see the account's vehicles; for its owner. */
@Resolver()
export class PrivacyZoneResolver {
  @Access('owner')
  @Query(() => PrivacyZoneConnection, { description: "The account's privacy zones, in order of creation." })
  privacyZones(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Page<PrivacyZone>> {
    return creationPage(PrivacyZoneStore, { accessScope: accessScopeOf({ service, caller }), ...page });
  }

  @Access('owner')
  @Query(() => PrivacyZone, { nullable: true, description: 'One privacy zone.' })
  async privacyZone(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<PrivacyZone> {
    return shownRecord(
      PrivacyZoneStore,
      { accessScope: accessScopeOf({ service, caller }), filter: { key } },
      'privacy zone',
    );
  }

  @Access('owner')
  @Mutation(() => PrivacyZone, {
    description: 'Creates a privacy zone. It applies from the next request on, also to past trips.',
  })
  createPrivacyZone(
    @Arg('input', () => PrivacyZoneInput, { description: 'Fields of the new record.' }) input: PrivacyZoneInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<PrivacyZone> {
    return createPrivacyZone(accessScopeOf({ service, caller }), factsOf(input));
  }

  @Access('owner', 'recent-sign-in')
  @Mutation(() => PrivacyZone, {
    description:
      'Updates a privacy zone. Omitted fields stay unchanged. A new area applies from the next request on, ' +
      'also to past trips.',
  })
  updatePrivacyZone(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Arg('input', () => PrivacyZoneChange, { description: 'The fields to change.' }) input: PrivacyZoneChange,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<PrivacyZone> {
    rejectNull(input, ['point', 'radius', 'trips']);
    return updatePrivacyZone(accessScopeOf({ service, caller }), key, factsOf(input));
  }

  @Access('owner', 'recent-sign-in')
  @Mutation(() => Deletion, {
    description: 'Deletes a privacy zone. What it hid is visible again from the next request on.',
  })
  async removePrivacyZone(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Deletion> {
    if (!(await deletePrivacyZone(accessScopeOf({ service, caller }), key))) throw notFound('privacy zone');
    return { key, deleted: true };
  }
}

/** Least and greatest value of each number of a zone. */
const RANGES = { lat: [-90, 90], lon: [-180, 180], radius: [1, 100_000] } as const;

/** Numbers of a zone by the names of their parameters; absent ones stay as they are. */
type Circle = { readonly [Parameter in keyof typeof RANGES]?: number | undefined };

/** Facts of a zone; of one that changes, absent ones stay as they are. */
interface ZoneFacts {
  readonly lat: number;
  readonly lon: number;
  readonly radius_meters: number;
  readonly name?: string | null;
  readonly trips?: ZoneTrips | null;
}

function factsOf(input: PrivacyZoneInput): ZoneFacts;
function factsOf(input: PrivacyZoneChange): Partial<ZoneFacts>;
function factsOf({ point, radius, ...others }: PrivacyZoneChange | PrivacyZoneInput): Partial<ZoneFacts> {
  return { ...others, ...point, ...(radius !== undefined && { radius_meters: radius }) };
}

/**
 * Checks the numbers of a privacy zone.
 *
 * @throws ServiceError BAD_REQUEST naming a parameter
 */
function checkCircle(circle: Circle): void {
  for (const parameter of ['lat', 'lon', 'radius'] as const) {
    const value = circle[parameter];
    const [min, max] = RANGES[parameter];
    if (value === undefined || (value >= min && value <= max)) continue;
    throw new ServiceError('BAD_REQUEST', `${parameter} must be a number from ${min} to ${max}`);
  }
}

/** Zones an account may have; each is looked at for every trip that leaves. */
const MAX_ZONES = 100;

/**
 * Creates a privacy zone, for past trips too, from now on.
 *
 * @throws ServiceError BAD_REQUEST naming a parameter
 */
export async function createPrivacyZone(accessScope: AccessScope, input: ZoneFacts): Promise<PrivacyZone> {
  const { lat, lon, radius_meters } = input;
  checkCircle({ lat, lon, radius: radius_meters });
  const trips = input.trips ?? ZoneTrips.cut;
  const name = input.name == null ? null : checkName('name', input.name);
  if (!(await hasAtMost(accessScope, MAX_ZONES - 1))) throw tooMany();
  const zone = { key: newKey(), name, point: { lat, lon }, radius_meters, trips, created: new Date() };
  await PrivacyZoneStore.create(accessScope, { ...zone, account_key: accessScope.account_key });
  // Of those who found room at once, the last to look finds the others there too.
  if (await hasAtMost(accessScope, MAX_ZONES)) {
    await permissionsChanged(accessScope.service);
    return zone;
  }
  await PrivacyZoneStore.deleteOne(accessScope, { key: zone.key });
  throw tooMany();
}

async function hasAtMost(accessScope: AccessScope, max: number): Promise<boolean> {
  return (await PrivacyZoneStore.countDocuments(accessScope)) <= max;
}

function tooMany(): ServiceError {
  return new ServiceError('BAD_REQUEST', `An account has at most ${MAX_ZONES} privacy zones`);
}

/**
 * Changes the given fields of a privacy zone by one write, for past trips too, from now on.
 *
 * @throws ServiceError NOT_FOUND, or BAD_REQUEST naming a parameter
 */
export async function updatePrivacyZone(
  accessScope: AccessScope,
  key: string,
  input: Partial<ZoneFacts>,
): Promise<PrivacyZone> {
  const { lat, lon, radius_meters, trips, name } = input;
  checkCircle({ lat, lon, radius: radius_meters });
  const hidden = {
    ...(lat !== undefined && { 'point.lat': lat }),
    ...(lon !== undefined && { 'point.lon': lon }),
    ...(radius_meters !== undefined && { radius_meters }),
    ...(trips !== undefined && { trips }),
  };
  const named = name === undefined ? {} : { name: name === null ? null : checkName('name', name) };
  const hidesOthers = Object.keys(hidden).length > 0;
  const change = { $set: { ...hidden, ...named }, ...(hidesOthers && { $inc: { revision: 1 } }) };
  const zone = await PrivacyZoneStore.findOneAndUpdate(accessScope, { key }, change, {
    returnDocument: 'after',
  });
  if (!zone) throw notFound('privacy zone');
  return zone;
}

/** Deletes a visible privacy zone; what it hid is visible from the next request on. Returns false if there is none. */
export async function deletePrivacyZone(accessScope: AccessScope, key: string): Promise<boolean> {
  const { deletedCount } = await PrivacyZoneStore.deleteOne(accessScope, { key });
  return deletedCount > 0;
}
