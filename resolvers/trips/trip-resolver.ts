import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Query, Resolver, Root } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { isPermitted, type RequestContext } from '../../auth/caller.ts';
import { TripWindow } from '../../auth/trip-window.ts';
import { type Page, pageOf } from '../../schema/page.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { TimedTripPath } from '../../schema/trips/timed-trip-path.ts';
import { Trip, TripConnection, type TripTag } from '../../schema/trips/trip.ts';
import { TripPath } from '../../schema/trips/trip-path.ts';
import { type TripPoint, TripPointConnection } from '../../schema/trips/trip-point.ts';

import { checkPageSize } from '../pages/creation-page.ts';
import { PathArgs, pathDetailOf } from '../pages/path-args.ts';
import { timeSliceOf } from '../scheduling/time-slice.ts';
import { geometrySchedulerOf } from './geometry-scheduler.ts';
import { pointsMeter } from './points-meter.ts';
import { FEWEST_FIELDS, type TripFields, tripFieldsOf } from './trip-fields.ts';
import { findTrip, type TripReading, tripPage } from './trip-page.ts';
import { tripPointPage } from './trip-point-page.ts';
import { TripVisibility, tripScopeOf, vehicleOfTrip } from './trip-visibility.ts';
import type { TripView } from './trip-view.ts';

/** Trips of a vehicle, for owners, apps and trip maps. */
@Resolver(() => Trip)
export class TripResolver {
  @Query(() => TripConnection, {
    description: "A vehicle's trips, ordered by start and then key. A trip map sees no longer span than one day.",
  })
  @Access('account_activity.read', 'embed')
  async trips(
    @Ctx() context: RequestContext,
    @Arg('vehicle_key', () => String, { description: 'Key of the vehicle.' }) vehicleKey: string,
    @Arg('trip_key', () => String, {
      nullable: true,
      description: 'Only this trip of the vehicle; `started_after` and `started_before` are ignored then.',
    })
    tripKey: string | null | undefined,
    @Arg('started_after', () => String, {
      nullable: true,
      description: 'Only trips that started at this date-time or later (ISO 8601, GMT unless stated).',
    })
    startedAfter: string | null | undefined,
    @Arg('started_before', () => String, {
      nullable: true,
      description: 'Only trips that started before this date-time (ISO 8601, GMT unless stated).',
    })
    startedBefore: string | null | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 50, description: 'Size of the page, 1 to 1000.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: '`end_cursor` of the page before.' })
    after: string | null | undefined,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<TripView>> {
    const { caller } = context;
    const fields = tripFieldsOf(info, 'nodes');
    const scope = tripScopeOf(caller, vehicleKey);
    const size = checkPageSize(first ?? 50);
    if (typeof tripKey === 'string')
      return pageOf([await oneTrip(context, vehicleKey, tripKey, fields)], 1, ({ key }) => key);

    const bounds = { started_after: startedAfter, started_before: startedBefore };
    const window = caller.kind === 'embed' ? TripWindow.oneDay(bounds) : TripWindow.plain(bounds);
    if (!window.isCoveredBy(scope)) {
      throw new ServiceError('FORBIDDEN', 'The token is more restrictive than started_after or started_before');
    }
    const accessScope = await TripVisibility.of(caller, vehicleKey);
    if (!accessScope) throw notFound('vehicle');
    return tripPage({ accessScope, window, first: size, after: after ?? null, ...readingOf(context, fields) });
  }

  @Query(() => Trip, { description: 'One trip.' })
  @Access('account_activity.read', 'embed')
  async trip(
    @Ctx() context: RequestContext,
    @Arg('key', () => String, { description: 'Key of the trip.' }) key: string,
    @Info() info: GraphQLResolveInfo,
  ): Promise<TripView> {
    return oneTrip(context, await vehicleOfTrip(context.caller, key), key, tripFieldsOf(info));
  }

  @Query(() => TripPointConnection, {
    description: 'The positions of a trip, in the order in which they were recorded.',
  })
  @Access('trippoints.read')
  async tripPoints(
    @Ctx() context: RequestContext,
    @Arg('trip_key', () => String, { description: 'Key of the trip.' }) tripKey: string,
    @Arg('first', () => Int, { nullable: true, defaultValue: 1000, description: 'Size of the page, 1 to 1000.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The `end_cursor` of the page before.' })
    after: string | null | undefined,
  ): Promise<Page<TripPoint>> {
    const size = checkPageSize(first ?? 1000);
    const trip = await oneTrip(context, await vehicleOfTrip(context.caller, tripKey), tripKey, FEWEST_FIELDS);
    return tripPointPage(
      await geometrySchedulerOf(context).at(trip, (geometry) => geometry.points()),
      size,
      after ?? null,
    );
  }

  /** To trip maps the marks of the account are nothing: they see location data only. */
  @FieldResolver()
  tags(@Root() trip: TripView, @Ctx() { caller }: RequestContext): TripTag[] {
    return isPermitted(caller, ['account_activity.read']) ? trip.tags : [];
  }

  @FieldResolver()
  encoded_polyline(@Root() trip: TripView, @Ctx() context: RequestContext): string | Promise<string> {
    return geometrySchedulerOf(context).at(trip, (geometry) => geometry.polyline());
  }

  @FieldResolver(() => TripPath)
  path(
    @Root() trip: TripView,
    @Ctx() context: RequestContext,
    @Args(() => PathArgs) args: PathArgs,
  ): TripPath | Promise<TripPath> {
    const detail = pathDetailOf(args);
    return trip.geometry.storedPath(detail) ?? geometrySchedulerOf(context).at(trip, (it) => it.path(detail));
  }

  @FieldResolver(() => TimedTripPath, { nullable: true })
  timed_path(
    @Root() trip: TripView,
    @Ctx() context: RequestContext,
    @Args(() => PathArgs) args: PathArgs,
  ): TimedTripPath | Promise<TimedTripPath> {
    const detail = pathDetailOf(args);
    return geometrySchedulerOf(context).at(trip, (geometry) => geometry.timedPath(detail));
  }
}

async function oneTrip(
  context: RequestContext,
  vehicleKey: string,
  key: string,
  fields: TripFields,
): Promise<TripView> {
  const accessScope = await TripVisibility.of(context.caller, vehicleKey);
  const trip = accessScope && (await findTrip(accessScope, key, readingOf(context, fields)));
  if (!trip) throw notFound('trip');
  return trip;
}

function readingOf(context: RequestContext, fields: TripFields): TripReading {
  return { fields, meter: pointsMeter(context.work), slice: timeSliceOf(context) };
}
