import { Arg, Ctx, Field, Int, Mutation, ObjectType, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { type AccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { ISO8601DateTime } from '../../schema/date-time-scalars.ts';
import { readWindow } from '../../schema/read-window.ts';
import { notFound } from '../../schema/service-error.ts';
import { recut, type RecutOptions } from '../../tracking/recording/recut.ts';

/** Numbers of trips before and after cutting. */
@ObjectType({ simpleResolvers: true, description: 'Trips of the devices of a vehicle, before and after cutting.' })
export class RecutResult {
  @Field(() => Int, { description: 'Number of trips before.' })
  readonly trips_before!: number;

  @Field(() => Int, { description: 'Number of trips after.' })
  readonly trips_after!: number;
}

/** Cutting of recordings into trips again. */
@Resolver()
export class RecutResolver {
  @Access('account_activity.manage', 'unrestricted')
  @Mutation(() => RecutResult, {
    description:
      'Cuts what devices recorded in a vehicle into trips again, by the present settings. A trip keeps its key, tags, driver ' +
      'and shares where most of it remains. Positions are kept; trips whose positions have expired stay. Idempotent.',
  })
  async recutTrips(
    @Arg('vehicle_key', () => String, { description: 'Key of the vehicle.' }) vehicle_key: string,
    @Arg('after', () => ISO8601DateTime, {
      nullable: true,
      description: 'Only positions at this date-time or later (ISO 8601, GMT unless stated).',
    })
    after: string | null | undefined,
    @Arg('before', () => ISO8601DateTime, {
      nullable: true,
      description: 'Only positions before this date-time (ISO 8601, GMT unless stated).',
    })
    before: string | null | undefined,
    @Arg('dry_run', () => Boolean, { defaultValue: false, description: 'True to count only.' }) dry_run: boolean,
    @Ctx() context: RequestContext,
  ): Promise<RecutResult> {
    const { $gte, $lt } = readWindow('', after, before) ?? {};
    const span = { after: $gte?.getTime() ?? -Infinity, before: $lt?.getTime() ?? Infinity };
    const accessScope = accessScopeOf(context);
    if (!(await VehicleStore.findOne(accessScope, { key: vehicle_key }, 'key'))) throw notFound('vehicle');
    return recutVehicle(accessScope, vehicle_key, { ...span, isDry: dry_run });
  }
}

/** Cuts what all devices recorded in a vehicle, one after another; those that are in another vehicle by now, too. */
export async function recutVehicle(
  accessScope: AccessScope,
  vehicle_key: string,
  options: RecutOptions,
): Promise<RecutResult> {
  const { service, account_key } = accessScope;
  const ofVehicle = vehicleAccessScope(accessScope, { key: vehicle_key });
  const inside = await DeviceStore.find(accessScope, { vehicle_key }, 'key');
  const keys = new Set(inside.map(({ key }) => key));
  for (;;) {
    const others = { vehicle_key, recording: { $ne: null }, device_key: { $gt: '', $nin: [...keys] } };
    const trip = await TripStore.findOne(ofVehicle, others, 'device_key');
    if (!trip?.device_key) break;
    keys.add(trip.device_key);
  }
  let [trips_before, trips_after] = [0, 0];
  for (const key of keys) {
    const counts = await recut(service, { key, account_key, vehicle_key }, options);
    trips_before += counts.before;
    trips_after += counts.after;
  }
  return { trips_before, trips_after };
}
