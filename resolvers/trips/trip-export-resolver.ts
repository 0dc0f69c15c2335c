import { GraphQLScalarType } from 'graphql';
import { Arg, Ctx, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { actsAsOwner, type RequestContext } from '../../auth/caller.ts';

import { type ExportFormat, exportPoints, exportTrip } from '../../tracking/export/export-trip.ts';
import { FEWEST_FIELDS } from '../../tracking/views/trip-fields.ts';
import { vehicleOfTrip } from '../../tracking/visibility/trip-visibility.ts';
import { oneTrip } from './list-trips.ts';

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

/**
 * A trip as a file, as a caller sees it: all of it for the owner; for others the visible positions, read into memory.
 * @throws ServiceError NOT_FOUND or TOO_MANY_REQUESTS
 */
async function exportTripFor(
  context: RequestContext,
  key: string,
  format: ExportFormat,
): Promise<AsyncIterable<string>> {
  const { caller, work } = context;
  if (actsAsOwner(caller)) return exportTrip(context.service, caller.account_key, key, format, work);
  const vehicle_key = await vehicleOfTrip(context.service, caller, key);
  const { geometry } = await oneTrip(context, vehicle_key, key, FEWEST_FIELDS);
  return exportPoints({ key, vehicle_key }, await geometry.points(), format);
}

function describe(format: string): string {
  return `A trip as ${format}\n\nAll recorded positions of a trip with times, speeds (m/s), headings and events, as ${format}. For the account's owner; for a driver, the visible positions of a trip that it drove.`;
}
