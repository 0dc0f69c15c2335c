import { Arg, Ctx, Float, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { listPrivacyZones } from '../../models/vehicles/privacy-zone.ts';
import { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';
import { notFound } from '../../schema/service-error.ts';

import { createPrivacyZone } from './create-privacy-zone.ts';
import { deletePrivacyZone } from './delete-privacy-zone.ts';

/** Places where apps and trip maps do not see the account's vehicles; for its owner. */
@Resolver()
export class PrivacyZoneResolver {
  @Access('owner')
  @Query(() => [PrivacyZone], { description: "The account's privacy zones, in order of creation." })
  privacyZones(@Ctx() { caller }: RequestContext): Promise<PrivacyZone[]> {
    return listPrivacyZones(accessScopeOf(caller));
  }

  @Access('owner')
  @Mutation(() => PrivacyZone, {
    description: 'Makes a privacy zone. It holds from the next request on, for trips of the past too.',
  })
  createPrivacyZone(
    @Arg('lat', () => Float, { description: 'Latitude of the centre in degrees.' }) lat: number,
    @Arg('lon', () => Float, { description: 'Longitude of the centre in degrees.' }) lon: number,
    @Arg('radius_meters', () => Float, { description: 'Radius in metres, 1 to 100000.' }) radius_meters: number,
    @Arg('name', () => String, { nullable: true, description: 'What people call it.' })
    name: string | null | undefined,
    @Arg('trips', () => String, {
      nullable: true,
      defaultValue: 'cut',
      description:
        '`cut` leaves out positions inside; `hide` leaves out trips with a position inside, and every trip for 15 minutes.',
    })
    trips: string | null,
    @Ctx() { caller }: RequestContext,
  ): Promise<PrivacyZone> {
    return createPrivacyZone(accessScopeOf(caller), { lat, lon, radius_meters, name, trips });
  }

  @Access('owner')
  @Mutation(() => Boolean, {
    description: 'Deletes a privacy zone; what it hid is seen again from the next request on. Always true.',
  })
  async deletePrivacyZone(
    @Arg('key', () => String, { description: 'Key of the zone.' }) key: string,
    @Ctx() { caller }: RequestContext,
  ): Promise<boolean> {
    if (!(await deletePrivacyZone(accessScopeOf(caller), key))) throw notFound('privacy zone');
    return true;
  }
}
