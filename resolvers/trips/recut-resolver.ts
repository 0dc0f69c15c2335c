import { Arg, Ctx, Field, InputType, Int, Mutation, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { type AccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { DateTime } from '../../schema/date-time-scalars.ts';
import { readWindow } from '../../schema/read-window.ts';
import { notFound } from '../../schema/service-error.ts';
import { recut, type RecutOptions } from '../../tracking/recording/recut.ts';
import { NullableField, RecordType } from '../../schema/field-decorators.ts';

/** Numbers of trips before and after cutting. */
@RecordType('Trips of the devices of a vehicle, before and after cutting.')
export class RecutResult {
  @Field(() => Int, { description: 'Number of trips before.' })
  readonly trips_before!: number;

  @Field(() => Int, { description: 'Number of trips after.' })
  readonly trips_after!: number;
}

/** Positions that are cut again. */
@InputType({ description: 'The positions that are cut again; all by default.' })
export class RecutInput {
  @NullableField(() => DateTime, 'Only positions at this date-time or later (ISO 8601, GMT unless stated).')
  readonly recorded_after?: string | null;

  @NullableField(() => DateTime, 'Only positions before this date-time (ISO 8601, GMT unless stated).')
  readonly recorded_before?: string | null;

  @NullableField(() => Boolean, 'True to count only.')
  readonly dry_run?: boolean | null;
}

/** Cutting of recordings into trips again. */
@Resolver()
export class RecutResolver {
  @Access('owner')
  @Mutation(() => RecutResult, {
    description:
      'Cuts what devices recorded in a vehicle into trips again, by the present settings. A trip keeps its key, tags, driver ' +
      'and shares where most of it remains. Positions are kept; trips whose positions have expired stay. Idempotent.',
  })
  async recutTrips(
    @Arg('vehicle_key', () => String, { description: 'Key of the vehicle.' }) vehicle_key: string,
    @Arg('input', () => RecutInput, { nullable: true, description: 'The positions to cut again.' })
    input: RecutInput | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<RecutResult> {
    const { $gte, $lt } = readWindow('recorded_', input?.recorded_after, input?.recorded_before) ?? {};
    const span = { after: $gte?.getTime() ?? -Infinity, before: $lt?.getTime() ?? Infinity };
    const accessScope = accessScopeOf(context);
    if (!(await VehicleStore.findOne(accessScope, { key: vehicle_key }, 'key'))) throw notFound('vehicle');
    return recutVehicle(accessScope, vehicle_key, { ...span, isDry: input?.dry_run ?? false });
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
