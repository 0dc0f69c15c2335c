import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { GroupModel } from '../../models/account/group.ts';
import { readOneShown } from '../../models/read-shown.ts';
import type { AccessScope } from '../../models/tenancy.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';
import { connectionOf, type Page } from '../../schema/page.ts';
import { notFound } from '../../schema/service-error.ts';
import { Vehicle } from '../../schema/vehicles/vehicle.ts';

import { creationPage } from '../pages/creation-page.ts';

const VehicleConnection = connectionOf(Vehicle, 'Vehicle');

/** The vehicles whose trips are recorded; for GraphQL clients. */
@Resolver()
export class VehicleResolver {
  @Access('vehicles.read')
  @Query(() => VehicleConnection, { description: "The account's vehicles, in order of creation." })
  async vehicles(
    @Arg('first', () => Int, { nullable: true, defaultValue: 50, description: 'Size of the page, 1 to 1000.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The `end_cursor` of the page before.' })
    after: string | undefined,
    @Ctx() { caller }: RequestContext,
  ): Promise<Page<Vehicle>> {
    const accessScope = accessScopeOf(caller);
    const page = await creationPage(VehicleModel, { accessScope, first: first ?? 50, after });
    return { ...page, nodes: await completed(page.nodes, accessScope) };
  }

  @Access('vehicles.read')
  @Query(() => Vehicle, { description: 'One vehicle.' })
  async vehicle(
    @Arg('key', () => String, { description: 'Key of the vehicle.' }) key: string,
    @Ctx() { caller }: RequestContext,
  ): Promise<Vehicle> {
    const accessScope = accessScopeOf(caller);
    const found = await readOneShown(VehicleModel, { accessScope, filter: { key } });
    const [vehicle] = await completed(found ? [found] : [], accessScope);
    if (!vehicle) throw notFound('vehicle');
    return vehicle;
  }
}

/** Adds to vehicles the keys of the devices in them, and leaves out groups that are out of sight. */
async function completed(
  vehicles: readonly Omit<Vehicle, 'device_keys'>[],
  accessScope: AccessScope,
): Promise<Vehicle[]> {
  const [devices, groups] = await Promise.all([
    DeviceModel.find(
      { vehicle_key: { $in: vehicles.map((vehicle) => vehicle.key) }, status: { $ne: 'removed' } },
      { key: 1, vehicle_key: 1 },
      { accessScope },
    ).lean(),
    accessibleGroups(vehicles, accessScope),
  ]);
  // Sorted here: a database that is told to sort may go through all devices of the account in that order.
  devices.sort((a, b) => (a._id.toString() < b._id.toString() ? -1 : 1));
  const keysByVehicle = new Map<string | null, string[]>(vehicles.map((vehicle) => [vehicle.key, []]));
  for (const device of devices) keysByVehicle.get(device.vehicle_key)?.push(device.key);
  return vehicles.map((vehicle) => ({
    ...vehicle,
    device_keys: keysByVehicle.get(vehicle.key) ?? [],
    group_keys: vehicle.group_keys.filter((key) => groups === null || groups.has(key)),
  }));
}

async function accessibleGroups(
  vehicles: readonly Pick<Vehicle, 'group_keys'>[],
  accessScope: AccessScope,
): Promise<ReadonlySet<string> | null> {
  if (accessScope.group_keys === null) return null;
  const key = { $in: vehicles.flatMap((vehicle) => vehicle.group_keys) };
  const groups = await GroupModel.find({ key }, { key: 1 }, { accessScope }).lean();
  return new Set(groups.map((group) => group.key));
}
