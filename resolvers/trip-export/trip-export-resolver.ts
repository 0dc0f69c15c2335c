import { GraphQLScalarType } from 'graphql';
import { Arg, Ctx, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';

import { exportTripFor } from './export-trip.ts';

const TextStream = new GraphQLScalarType({ name: 'TextStream', description: 'Text in pieces, as it is produced.' });

/**
 * Trips as files, for the account's owner, and for drivers those that they drove; REST only. Order of errors: another app 403,
 * the trip 404, the work budget 429.
 */
@Resolver()
export class TripExportResolver {
  @Query(() => TextStream, { description: describe('GPX 1.1') })
  @Access('owner', 'trippoints.read', 'drivers-only')
  exportTripAsGpx(
    @Ctx() context: RequestContext,
    @Arg('key', () => String, { description: 'Key of the trip.' }) key: string,
  ): Promise<AsyncIterable<string>> {
    return exportTripFor(context, key, 'gpx');
  }

  @Query(() => TextStream, { description: describe('GeoJSON') })
  @Access('owner', 'trippoints.read', 'drivers-only')
  exportTripAsGeoJson(
    @Ctx() context: RequestContext,
    @Arg('key', () => String, { description: 'Key of the trip.' }) key: string,
  ): Promise<AsyncIterable<string>> {
    return exportTripFor(context, key, 'geojson');
  }
}

function describe(format: string): string {
  return `A trip as ${format}\n\nAll recorded positions of a trip with times, speeds (m/s), headings and events, as ${format}. For the account's owner; for a driver, the visible positions of a trip that it drove.`;
}
