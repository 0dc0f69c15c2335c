import { Arg, Ctx, Float, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { type StoredTripImport, TripImportStore } from '../../models/trips/trip-import.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { notFound } from '../../schema/service-error.ts';
import { TripImport } from '../../schema/trips/trip-import.ts';
import { cancelImport, importNow, startImport } from '../../tracking/import/sent-imports.ts';
import { FORMATS } from '../../tracking/import/file-formats.ts';
import { SPEED_UNITS } from '../../tracking/geometry/speeds.ts';
import { COLUMN_FIELDS, ODOMETER_UNITS } from '../../tracking/import/rows/read-options.ts';
import { readFileOptions } from './file-options.ts';

const KEY = 'Key of the import.';

/** Imports of files, for those who see the vehicle. */
@Resolver()
export class TripImportResolver {
  @Access('account_activity.read')
  @Query(() => TripImport, { nullable: true, description: 'One import of a file, with its progress and outcome.' })
  tripImport(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<TripImport> {
    return findImport(context, key);
  }

  @Access('account_activity.manage')
  @Mutation(() => TripImport, {
    description: 'Cancels an import that is running: nothing of its file remains. One that has ended stays as it is.',
  })
  async cancelTripImport(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<TripImport> {
    await findImport(context, key);
    await cancelImport(accessScopeOf(context), key);
    return findImport(context, key);
  }
}

/** @throws ServiceError NOT_FOUND, also if the vehicle is not visible */
async function findImport(context: RequestContext, key: string): Promise<StoredTripImport> {
  const accessScope = accessScopeOf(context);
  const found = await TripImportStore.findOne(accessScope, { key });
  const vehicle = found && (await VehicleStore.findOne(accessScope, { key: found.vehicle_key }, 'key'));
  if (!found || !vehicle) throw notFound('import');
  return importNow(found);
}

/** Takes files; REST only, since a file is the body of its request. */
@Resolver()
export class TripUploadResolver {
  @Access('account_activity.manage')
  @Mutation(() => TripImport, {
    description:
      'Imports recorded trips of a vehicle\n\nThe body is the file itself, up to 100 MB. The import runs on after the ' +
      'response, which has its `key`. The trips become visible together, and those that the vehicle already has are not ' +
      'imported again.',
  })
  async importTrips(
    @Arg('vehicle_key', () => String, { description: 'Key of the vehicle that drove all trips.' }) vehicle_key: string,
    @Arg('file', () => String, { description: 'The file.' }) file: string,
    @Arg('format', () => String, {
      nullable: true,
      description: `Format of the file: ${FORMATS.join(', ')}; that of its content unless given. CSV and NDJSON need it.`,
    })
    format: string | null | undefined,
    @Arg('map', () => [String], {
      nullable: true,
      description: `Columns of fields, each as \`field=column\`: ${Object.keys(COLUMN_FIELDS).join(', ')}.`,
    })
    map: string[] | null | undefined,
    @Arg('interval', () => Float, { nullable: true, description: 'Seconds between pairs of `coordinates`.' })
    interval: number | null | undefined,
    @Arg('time_format', () => String, {
      nullable: true,
      description: '`iso`, `unix`, `unix-ms`, or a pattern such as `DD.MM.YYYY hh:mm:ss`; `iso` unless given.',
    })
    time_format: string | null | undefined,
    @Arg('zone', () => String, {
      nullable: true,
      description: 'Time zone of times without one, such as `America/Maceio`; GMT unless given.',
    })
    zone: string | null | undefined,
    @Arg('speed_unit', () => String, {
      nullable: true,
      description: `Unit of the speeds: ${Object.keys(SPEED_UNITS).join(', ')}.`,
    })
    speed_unit: string | null | undefined,
    @Arg('odometer_unit', () => String, {
      nullable: true,
      description: `Unit of the odometer: ${Object.keys(ODOMETER_UNITS).join(', ')}.`,
    })
    odometer_unit: string | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<TripImport> {
    const read = readFileOptions({ format, map, interval, time_format, zone, speed_unit, odometer_unit });
    const vehicle = await VehicleStore.findOne(accessScopeOf(context), { key: vehicle_key }, 'key account_key');
    if (!vehicle) throw notFound('vehicle');
    return startImport(context.service, { file, vehicle, read });
  }
}
