import timeZoneAt from '@photostructure/tz-lookup';
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Mutation, Query, Resolver, Root } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { accessScopeOf, isTripMap, type RequestContext } from '../../auth/caller.ts';
import { After, First, type Page } from '../../schema/page.ts';
import { notFound } from '../../schema/service-error.ts';
import { TimedTripPath } from '../../schema/trips/timed-trip-path.ts';
import { Driver } from '../../schema/account/driver.ts';
import type { Tag } from '../../schema/account/tag.ts';
import { Trip, TripConnection, TripVehicle } from '../../schema/trips/trip.ts';
import { TripInput } from '../../schema/trips/trip-input.ts';
import { TripPath } from '../../schema/trips/trip-path.ts';
import { type TripPoint, TripPointConnection } from '../../schema/trips/trip-point.ts';

import { checkPageSize } from '../../models/lists/creation-page.ts';
import { toTenths } from '../../tracking/geometry/speeds.ts';
import { geometrySchedulerOf } from '../../tracking/views/geometry-scheduler.ts';
import { FEWEST_FIELDS } from '../../tracking/views/trip-fields.ts';
import { tripFieldsOf } from './selected-fields.ts';
import { listTrips, oneTrip, tripOfAny } from './list-trips.ts';
import { PathArgs, pathDetailOf, TripListArgs } from './trip-args.ts';
import { type RelatedTrip, relatedTrips } from './trip-relations.ts';
import { tripPointPage } from '../../tracking/views/trip-point-page.ts';
import { vehicleOfTrip } from '../../tracking/visibility/trip-visibility.ts';
import type { TripView } from '../../tracking/views/trip-view.ts';
import { updateTrip } from './update-trip.ts';

/** Trips of a vehicle, for owners, apps and trip maps. */
@Resolver(() => Trip)
export class TripResolver {
  @Query(() => TripConnection, {
    description:
      'Trips of one vehicle, or of every vehicle the caller can see, ordered by start, then key. Trip-map ' +
      'tokens are limited to one day.',
  })
  @Access('account_activity.read', 'embed', 'driver')
  async trips(
    @Ctx() context: RequestContext,
    @Args(() => TripListArgs) args: TripListArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<RelatedTrip>> {
    const fields = tripFieldsOf(info, ['nodes'], ['edges', 'node']);
    const page = await listTrips(context, args, fields);
    return { ...page, nodes: related(context, page.nodes) };
  }

  @Query(() => Trip, { nullable: true, description: 'One trip.' })
  @Access('account_activity.read', 'embed', 'driver')
  async trip(
    @Ctx() context: RequestContext,
    @Arg('key', () => String, { description: 'Key of the trip.' }) key: string,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RelatedTrip> {
    return oneRelated(
      context,
      oneTrip(context, await vehicleOfTrip(context.service, context.caller, key), key, tripFieldsOf(info)),
    );
  }

  @Mutation(() => Trip, { description: 'Changes the tags of a trip, or sets its driver.' })
  @Access('account_activity.manage')
  async updateTrip(
    @Ctx() context: RequestContext,
    @Arg('key', () => String, { description: 'Key of the trip.' }) key: string,
    @Arg('input', () => TripInput, { description: 'The fields to change.' }) input: TripInput,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RelatedTrip> {
    const vehicleKey = await vehicleOfTrip(context.service, context.caller, key);
    const trip = await oneTrip(context, vehicleKey, key, FEWEST_FIELDS);
    await updateTrip(accessScopeOf(context), trip, input);
    return oneRelated(context, oneTrip(context, vehicleKey, key, tripFieldsOf(info)));
  }

  @Query(() => TripPointConnection, {
    nullable: true,
    description: 'The positions of a trip, in the order in which they were recorded.',
  })
  @Access('trippoints.read', 'driver')
  async tripPoints(
    @Ctx() context: RequestContext,
    @Arg('trip_key', () => String, { description: 'Key of the trip.' }) tripKey: string,
    @First(1000) first: number | null,
    @After() after: string | null | undefined,
  ): Promise<Page<TripPoint>> {
    const size = first ?? 1000;
    checkPageSize(size);
    const trip = await tripOfAny(context, tripKey);
    if (!trip) throw notFound('trip');
    const points = await geometrySchedulerOf(context).at(trip, (geometry) => geometry.points());
    return tripPointPage(context.service, points, { tripKey, first: size, after });
  }

  /** To trip maps the marks of the account are nothing: they see location data only. */
  @FieldResolver()
  async tags(@Root() { relations, tag_keys }: RelatedTrip, @Ctx() { caller }: RequestContext): Promise<Tag[]> {
    if (isTripMap(caller) || tag_keys.length === 0) return [];
    const tags = await relations.tags();
    return tag_keys.flatMap((key) => tags.get(key) ?? []);
  }

  @FieldResolver(() => Driver, { nullable: true })
  async user(@Root() { relations, user_key }: RelatedTrip): Promise<Driver | null> {
    return user_key === null ? null : ((await relations.users()).get(user_key) ?? null);
  }

  @FieldResolver(() => TripVehicle, { nullable: true })
  async vehicle(@Root() { relations, vehicle_key }: RelatedTrip): Promise<TripVehicle | null> {
    return (await relations.vehicles()).get(vehicle_key) ?? null;
  }

  /** Of what is visible of the trip. */
  @FieldResolver()
  time_zone(@Root() { start_point: { point } }: RelatedTrip): string | null {
    return point && timeZoneAt(point.lat, point.lon);
  }

  /** Miles and miles per hour are shown with one decimal, meters as they are. Fleet API: "Records", Trip. */
  @FieldResolver()
  gps_distance(@Root() { gps_distance }: TripView): number {
    return toTenths(gps_distance);
  }

  @FieldResolver()
  max_speed(@Root() { max_speed }: TripView): number | null {
    return max_speed === null ? null : toTenths(max_speed);
  }

  @FieldResolver()
  mean_speed(@Root() { mean_speed }: TripView): number | null {
    return mean_speed === null ? null : toTenths(mean_speed);
  }

  @FieldResolver()
  encoded_polyline(@Root() trip: TripView, @Ctx() context: RequestContext): string | null | Promise<string> {
    if (trip.point_count === 0) return null;
    return geometrySchedulerOf(context).at(trip, (geometry) => geometry.polyline());
  }

  @FieldResolver(() => TripPath, { nullable: true })
  path(
    @Root() trip: TripView,
    @Ctx() context: RequestContext,
    @Args(() => PathArgs) args: PathArgs,
  ): TripPath | null | Promise<TripPath> {
    if (trip.point_count === 0) return null;
    const detail = pathDetailOf(args);
    return trip.geometry.storedPath(detail) ?? geometrySchedulerOf(context).at(trip, (it) => it.path(detail));
  }

  @FieldResolver(() => TimedTripPath, { nullable: true })
  timed_path(
    @Root() trip: TripView,
    @Ctx() context: RequestContext,
    @Args(() => PathArgs) args: PathArgs,
  ): TimedTripPath | null | Promise<TimedTripPath> {
    if (trip.point_count === 0) return null;
    const detail = pathDetailOf(args);
    return geometrySchedulerOf(context).at(trip, (geometry) => geometry.timedPath(detail));
  }
}

function related({ service, caller }: RequestContext, trips: readonly TripView[]): RelatedTrip[] {
  return relatedTrips(service, accessScopeOf({ service, caller }).account_key, trips);
}

async function oneRelated(context: RequestContext, trip: Promise<TripView>): Promise<RelatedTrip> {
  const [found] = related(context, [await trip]);
  if (!found) throw notFound('trip');
  return found;
}
