import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';

import { accessScopeOf, isPermitted, type RequestContext } from '../../auth/caller.ts';
import { Trip } from '../../schema/trips/trip.ts';
import { Vehicle } from '../../schema/vehicles/vehicle.ts';

import { listTrips } from './list-trips.ts';
import { tripFieldsOf } from './selected-fields.ts';
import { type RelatedTrip, relatedTrips } from './trip-relations.ts';

/** The latest trips of vehicles. */
@Resolver(() => Vehicle)
export class LastTripResolver {
  @FieldResolver(() => Trip, { nullable: true })
  async last_trip(
    @Root() { key }: Vehicle,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RelatedTrip | null> {
    const { caller } = context;
    if (!isPermitted(caller, ['account_activity.read'])) return null;
    const { nodes } = await listTrips(context, { vehicle_key: key, newest_first: true, first: 1 }, tripFieldsOf(info));
    return relatedTrips(context.service, accessScopeOf(context).account_key, nodes)[0] ?? null;
  }
}
