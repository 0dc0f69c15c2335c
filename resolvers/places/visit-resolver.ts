import { Arg, Ctx, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { PlaceStore } from '../../models/places/place.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { DateTime } from '../../schema/date-time-scalars.ts';
import { After, First, type Page } from '../../schema/page.ts';
import { Visit, VisitConnection } from '../../schema/places/visit.ts';
import { notFound } from '../../schema/service-error.ts';

import { readWindow } from '../../schema/read-window.ts';
import { checkPageSize } from '../../models/lists/creation-page.ts';
import { visibleVehicles } from '../../tracking/visibility/visible-vehicles.ts';
import { findVisit, visitPage } from './visit-page.ts';

/** Stays of vehicles in places. */
@Resolver()
export class VisitResolver {
  @Access('places.read', 'driver')
  @Query(() => VisitConnection, {
    description: 'Visits of vehicles to places, latest entry first, then by key.',
  })
  async visits(
    @Arg('vehicle_key', () => String, { nullable: true, description: 'Only visits of this vehicle.' })
    vehicle_key: string | null | undefined,
    @Arg('driver_key', () => String, { nullable: true, description: 'Only visits that began while this user drove.' })
    driver_key: string | null | undefined,
    @Arg('place_key', () => String, { nullable: true, description: 'Only visits to this place.' })
    place_key: string | null | undefined,
    @Arg('entry_after', () => DateTime, {
      nullable: true,
      description: 'Only visits that began at this date-time or later (ISO 8601, GMT unless stated).',
    })
    entry_after: string | null | undefined,
    @Arg('entry_before', () => DateTime, {
      nullable: true,
      description: 'Only visits that began before this date-time (ISO 8601, GMT unless stated).',
    })
    entry_before: string | null | undefined,
    @First(10) first: number | null,
    @After() after: string | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<Page<Visit>> {
    const entry = readWindow('entry_', entry_after, entry_before);
    checkPageSize(first ?? 10);
    if (place_key != null) await requirePlace(accessScopeOf(context), place_key);
    const visible = await visibleVehicles(context, vehicle_key);
    const filter = { ...(place_key != null && { place_key }), ...(driver_key != null && { driver_key }) };
    return visitPage({ context, visible, filter, entry, first: first ?? 10, after });
  }

  @Access('places.read', 'driver')
  @Query(() => Visit, { nullable: true, description: 'One visit.' })
  async visit(
    @Arg('key', () => String, { description: 'Key of the visit.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<Visit> {
    const visit = await findVisit(await visibleVehicles(context, null), key);
    if (!visit) throw notFound('visit');
    return visit;
  }
}

/** @throws ServiceError NOT_FOUND for a place that the account does not have */
async function requirePlace(accessScope: AccessScope, key: string): Promise<void> {
  if (!(await PlaceStore.findOne(accessScope, { key }, 'key'))) throw notFound('place');
}
