import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';

import { accessScopeOf, isPermitted, type RequestContext } from '../../auth/caller.ts';
import { Trip } from '../../schema/trips/trip.ts';
import { Vehicle } from '../../schema/vehicles/vehicle.ts';
import { batched } from '../../tracking/scheduling/batched.ts';
import type { TripView } from '../../tracking/views/trip-view.ts';

import { listTrips } from './list-trips.ts';
import { tripFieldsOf } from './selected-fields.ts';
import { type RelatedTrip, relatedTrips } from './trip-relations.ts';

/** Adds to the last trips of a whole list the records to which they refer, which are read together. */
const related = batched<TripView, RelatedTrip>(async (context, trips) =>
  relatedTrips(context.service, accessScopeOf(context).account_key, trips),
);

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
    const those = { vehicle_key: key, newest_first: true, first: 1 };
    const [trip] = (await listTrips(context, those, tripFieldsOf(info))).nodes;
    return trip ? related(context, trip) : null;
  }
}
