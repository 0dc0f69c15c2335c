import { Arg, Ctx, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import { DateTime } from '../../schema/date-time-scalars.ts';
import { After, First, type Page } from '../../schema/page.ts';
import { readWindow } from '../../schema/read-window.ts';
import { notFound } from '../../schema/service-error.ts';
import { type Stay, StayConnection } from '../../schema/trips/stay.ts';

import { checkPageSize } from '../../models/lists/creation-page.ts';
import { stayPage } from '../../tracking/views/stay-page.ts';
import { TripVisibility } from '../../tracking/visibility/trip-visibility.ts';
import { arranged } from './list-trips.ts';

/** Stays of a vehicle between its trips. */
@Resolver()
export class StayResolver {
  @Access('account_activity.read', 'driver')
  @Query(() => StayConnection, {
    nullable: true,
    description:
      'Stays of a vehicle between its trips, latest start first. In an account with privacy zones, only the owner sees any.',
  })
  async stays(
    @Arg('vehicle_key', () => String, { description: 'Key of the vehicle.' }) vehicle_key: string,
    @Arg('started_after', () => DateTime, {
      nullable: true,
      description: 'Only stays that started at this date-time or later (ISO 8601, GMT unless stated).',
    })
    started_after: string | null | undefined,
    @Arg('started_before', () => DateTime, {
      nullable: true,
      description: 'Only stays that started before this date-time (ISO 8601, GMT unless stated).',
    })
    started_before: string | null | undefined,
    @First(10) first: number | null,
    @After() after: string | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<Page<Stay>> {
    const window = readWindow('started_', started_after, started_before);
    checkPageSize(first ?? 10);
    const visibility = await TripVisibility.of(context, vehicle_key);
    if (!visibility) throw notFound('vehicle');
    await arranged(context, vehicle_key);
    return stayPage({ context, visibility, window, first: first ?? 10, after });
  }
}
