import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Access } from '../../auth/access.ts';
import { accessScopeOf, type Caller, type RequestContext } from '../../auth/caller.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { Deletion } from '../../schema/deletion.ts';
import { After, First, connectionOf, type Page } from '../../schema/page.ts';
import { notFound } from '../../schema/service-error.ts';
import { GeoPointInput } from '../../schema/trips/geo-point.ts';
import { NearbyVehicle, Vehicle, VehicleInput } from '../../schema/vehicles/vehicle.ts';
import { existingTagKeys } from '../../models/lookup/check-tag-keys.ts';
import { creationPage } from '../../models/lists/creation-page.ts';
import { timeSliceOf } from '../../tracking/scheduling/time-slice.ts';
import { completeVehicles, READ_TOO, type ReadVehicle } from './complete-vehicles.ts';
import { nearbyVehicles } from './nearby-vehicles.ts';
import { createVehicle, deleteVehicle, restoreVehicle, updateVehicle } from './write-vehicle.ts';
import type { Service } from '../../models/store/service.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { partSearch } from '../../models/lookup/part-search.ts';

/** Number of characters of a vehicle identification number. */
const VIN_LENGTH = 17;

/**
 * Condition on vehicles with a text in any part of their nickname, ignoring case, or if there is one, with that vehicle
 * identification number; none for an empty text.
 */
async function vehicleSearch(accessScope: AccessScope, text: string): Promise<Record<string, unknown>> {
  const vin = text.trim().toUpperCase();
  if (vin.length === VIN_LENGTH && (await VehicleStore.countDocuments(accessScope, { vin })) > 0) return { vin };
  return partSearch('nickname', text);
}

/** A vehicle; its last trip is read by a resolver of its own. */
type ShownVehicle = Omit<Vehicle, 'last_trip'>;

const VehicleConnection = connectionOf(Vehicle, 'Vehicle');

/** The vehicles whose trips are recorded. Fleet API: "Paths". */
@Resolver()
export class VehicleResolver {
  @Access('vehicles.read')
  @Query(() => VehicleConnection, { description: "The account's vehicles, in order of creation." })
  async vehicles(
    @Arg('q', () => String, {
      nullable: true,
      description: 'Any part of a nickname, or a complete VIN; case-insensitive.',
    })
    q: string | null | undefined,
    @Arg('group_keys', () => [String], {
      nullable: true,
      description: 'Only vehicles of these groups and the groups below them.',
    })
    group_keys: string[] | null | undefined,
    @Arg('tag_keys', () => [String], { nullable: true, description: 'Only vehicles with one of these tags.' })
    tag_keys: string[] | null | undefined,
    @First(50) first: number | null,
    @After() after: string | undefined,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Page<ShownVehicle>> {
    const accessScope = accessScopeOf({ service, caller });
    const narrowedTo = (tags: readonly string[] | null | undefined) => ({
      ...(group_keys && { group_path: { $in: group_keys } }),
      ...(tags && { tag_keys: { $in: tags } }),
    });
    const existing = tag_keys && (await existingTagKeys(accessScope, 'tag_keys', 'Car', tag_keys));
    const page = await creationPage(VehicleStore, {
      accessScope,
      first: first ?? 50,
      after,
      search: { ...(await vehicleSearch(accessScope, q ?? '')), ...narrowedTo(existing) },
      requested: { ...partSearch('nickname', q ?? ''), ...narrowedTo(tag_keys) },
      kind: 'vehicle',
      hidden: READ_TOO,
    });
    return { ...page, nodes: await completeVehicles(service, caller, page.nodes) };
  }

  @Access('vehicles.read')
  @Query(() => Vehicle, { nullable: true, description: 'One vehicle.' })
  vehicle(
    @Arg('key', () => String, { description: 'Key of the vehicle.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<ShownVehicle> {
    return oneVehicle(service, caller, key);
  }

  @Access('vehicles.read')
  @Query(() => [NearbyVehicle], {
    description: 'Vehicles that the caller can see, nearest to a point first, by their latest positions.',
  })
  nearbyVehicles(
    @Arg('point', () => GeoPointInput, { description: 'The point.' }) point: GeoPointInput,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: 5,
      description: 'Maximum number of vehicles, up to 200.',
    })
    first: number | null,
    @Ctx() context: RequestContext,
  ): Promise<Omit<NearbyVehicle, 'last_trip'>[]> {
    return nearbyVehicles(context.service, context.caller, point, first ?? 5, timeSliceOf(context));
  }

  @Access('vehicles.manage')
  @Mutation(() => Vehicle, { description: 'Creates a vehicle.' })
  async createVehicle(
    @Arg('input', () => VehicleInput, { description: 'Fields of the new record.' }) input: VehicleInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<ShownVehicle> {
    return completed(service, caller, await createVehicle(accessScopeOf({ service, caller }), input));
  }

  @Access('vehicles.manage')
  @Mutation(() => Vehicle, { description: 'Updates a vehicle. Omitted fields stay unchanged.' })
  async updateVehicle(
    @Arg('key', () => String, { description: 'Key of the vehicle.' }) key: string,
    @Arg('input', () => VehicleInput, { description: 'The fields to change.' }) input: VehicleInput,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<ShownVehicle> {
    if (!(await updateVehicle(accessScopeOf({ service, caller }), key, input))) throw notFound('vehicle');
    return oneVehicle(service, caller, key);
  }

  @Access('vehicles.manage', 'recent-sign-in')
  @Mutation(() => Deletion, {
    description:
      'Deletes a vehicle. It can be restored within 30 days; after that its positions and trips are deleted ' + 'too.',
  })
  deleteVehicle(
    @Arg('key', () => String, { description: 'Key of the vehicle.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Deletion> {
    return deleteVehicle(accessScopeOf({ service, caller }), key);
  }

  @Access('vehicles.manage')
  @Mutation(() => Vehicle, { description: 'Restores a deleted vehicle with its trips, groups and devices.' })
  async restoreVehicle(
    @Arg('key', () => String, { description: 'Key of the vehicle.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<ShownVehicle> {
    await restoreVehicle(accessScopeOf({ service, caller }), key);
    return oneVehicle(service, caller, key);
  }
}

async function oneVehicle(service: Service, caller: Caller, key: string): Promise<ShownVehicle> {
  const query = { accessScope: accessScopeOf({ service, caller }), filter: { key }, hidden: READ_TOO };
  return completed(service, caller, await VehicleStore.readOneShown(query));
}

async function completed(service: Service, caller: Caller, found: ReadVehicle | null): Promise<ShownVehicle> {
  const [vehicle] = await completeVehicles(service, caller, found ? [found] : []);
  if (!vehicle) throw notFound('vehicle');
  return vehicle;
}
