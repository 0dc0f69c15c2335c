import { GraphQLScalarType } from 'graphql';
import { Arg, Ctx, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';

import { exportTrip } from './export-trip.ts';

const TextStream = new GraphQLScalarType({ name: 'TextStream', description: 'Text in pieces, as it is produced.' });

/** Trips as files, for the account's owner; REST only. Order of errors: an app 403, the trip 404, the work budget 429. */
@Resolver()
export class TripExportResolver {
  @Query(() => TextStream, { description: describe('GPX 1.1') })
  @Access('owner')
  exportTripAsGpx(
    @Ctx() { caller, work }: RequestContext,
    @Arg('key', () => String, { description: 'Key of the trip.' }) key: string,
  ): Promise<AsyncIterable<string>> {
    return exportTrip(accessScopeOf(caller).account_key, key, 'gpx', work);
  }

  @Query(() => TextStream, { description: describe('GeoJSON') })
  @Access('owner')
  exportTripAsGeoJson(
    @Ctx() { caller, work }: RequestContext,
    @Arg('key', () => String, { description: 'Key of the trip.' }) key: string,
  ): Promise<AsyncIterable<string>> {
    return exportTrip(accessScopeOf(caller).account_key, key, 'geojson', work);
  }
}

function describe(format: string): string {
  return `A trip as ${format}\n\nAll recorded positions of a trip with times, speeds (m/s), headings and events, as ${format}. For the account's owner.`;
}
