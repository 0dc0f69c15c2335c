import { Arg, Ctx, Float, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { type StoredTripImport, TripImportStore } from '../../models/trips/trip-import.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { TripImport } from '../../schema/trips/trip-import.ts';
import { cancelImport, importNow, startImport } from '../../tracking/import/sent-imports.ts';
import { type GivenOptions, OPTION_WORDS, readFileOptions } from '../../tracking/import/file-options.ts';
import { COLUMN_FIELDS } from '../../tracking/import/rows/read-options.ts';
import type { FileOptions } from '../../tracking/import/file-formats.ts';

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
      'Imports recorded trips of a vehicle\n\nThe body is the file itself, or a form with the file and parameters, up to 100 MB. The import runs on after the ' +
      'response, which has its `key`. The trips become visible together, and those that the vehicle already has are not ' +
      'imported again.',
  })
  async importTrips(
    @Arg('vehicle_key', () => String, { description: 'Key of the vehicle that drove all trips.' }) vehicle_key: string,
    @Arg('file', () => String, { description: 'The file.' }) file: string,
    @Arg('format', () => String, {
      nullable: true,
      description: `Format of the file: ${OPTION_WORDS.format.join(', ')}; that of its content unless given. CSV and NDJSON need it.`,
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
      description: `Unit of the speeds: ${OPTION_WORDS.speed_unit.join(', ')}.`,
    })
    speed_unit: string | null | undefined,
    @Arg('odometer_unit', () => String, {
      nullable: true,
      description: `Unit of the odometer: ${OPTION_WORDS.odometer_unit.join(', ')}.`,
    })
    odometer_unit: string | null | undefined,
    @Arg('encoding', () => String, {
      nullable: true,
      description: 'Encoding of the file, such as `windows-1252`; the one that it declares, or UTF-8, unless given.',
    })
    encoding: string | null | undefined,
    @Arg('salvage', () => Boolean, {
      nullable: true,
      description: 'True to import what is whole before the place where the file is cut off or damaged.',
    })
    salvage: boolean | null | undefined,
    @Arg('week_rollover', () => String, {
      nullable: true,
      description: `Treatment of times that look 1,024 weeks early: ${OPTION_WORDS.week_rollover.join(' or ')}; their trips are not imported unless given.`,
    })
    week_rollover: string | null | undefined,
    @Arg('overlap', () => String, {
      nullable: true,
      description:
        'Treatment of a trip that the vehicle already has from another recording: `merge`, the default, adds its parts ' +
        'before and after, `skip` nothing of it, `keep` all.',
    })
    overlap: string | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<TripImport> {
    const columns = { format, map, interval, time_format, zone, speed_unit, odometer_unit };
    const read = optionsOf({ ...columns, encoding, salvage, week_rollover, overlap });
    const vehicle = await VehicleStore.findOne(accessScopeOf(context), { key: vehicle_key }, 'key account_key');
    if (!vehicle) throw notFound('vehicle');
    return startImport(context.service, { file, vehicle, read });
  }
}

/** @throws ServiceError BAD_REQUEST naming the parameter */
function optionsOf(given: GivenOptions): FileOptions {
  const namesVehicle = given.map?.some((column) => column.startsWith('vehicle='));
  if (namesVehicle) throw new ServiceError('BAD_REQUEST', 'map must not name vehicle: the file is of one vehicle');
  try {
    return readFileOptions(given);
  } catch (error) {
    throw error instanceof RangeError ? new ServiceError('BAD_REQUEST', error.message) : error;
  }
}
