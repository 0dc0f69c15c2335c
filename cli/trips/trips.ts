import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { type Command, Option } from 'commander';

import type { Service } from '../../models/store/service.ts';
import { parseDateTime } from '../../schema/date-time.ts';
import type { ExportFormat } from '../../tracking/export/export-trip.ts';
import { TRIPS } from '../records/fleet.ts';
import { type Answer, type CommonOptions, printAnswer } from '../shell/answer.ts';
import { CommandError, UsageError } from '../shell/command-error.ts';
import { command } from '../shell/operator-command.ts';
import { ProgressBar } from '../shell/progress-bar.ts';
import { addResource } from '../shell/resource.ts';
import { withDatabase } from '../shell/with-database.ts';
import { addTripsImport } from './trips-import.ts';

const FORMATS: readonly ExportFormat[] = ['gpx', 'geojson'];

interface ExportOptions extends CommonOptions {
  readonly format: ExportFormat;
}

/** `trips`: its own commands, and those that read and write files */
export function addTripsCommands(program: Command): void {
  const group = addResource(program, TRIPS);
  addTripsImport(group);
  addTripsAddresses(group);
  addTripsRecut(group);

  command(group, 'export', 'Export a trip as GPX or GeoJSON without loss, to a file or to standard output')
    .example('trips export KEY monday.gpx --format gpx')
    .argument('<key>', 'key of the trip')
    .argument('[file]', 'file to write (default: standard output)')
    .addOption(new Option('--format <format>', 'format of the file').choices(FORMATS).makeOptionMandatory())
    .action(async (key: string, file: string | undefined, options: ExportOptions) => {
      if (file === undefined && options.json)
        throw new UsageError('--json requires a file: give the path of the file to write');
      await withDatabase(({ service }) => write(service, key, file, options));
      if (file !== undefined) printAnswer({ title: 'Trip exported', json: { key, file } }, options);
    });
}

async function write(
  service: Service,
  trip: string,
  file: string | undefined,
  { format }: ExportOptions,
): Promise<void> {
  const { exportTrip } = await import('../../tracking/export/export-trip.ts');
  const text = await exportTrip(service, null, trip, format).catch(async (error: unknown) => {
    const { ServiceError } = await import('../../schema/service-error.ts');
    if (!(error instanceof ServiceError)) throw error;
    throw new CommandError(`trip must be the key of a trip; ${JSON.stringify(trip)} does not exist`);
  });
  if (file === undefined) await print(text);
  else await writeWhole(file, text);
}

/** Writes to standard output until its reader closes it. */
async function print(text: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(text), process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Writes a file atomically. */
async function writeWhole(file: string, text: AsyncIterable<string>): Promise<void> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await pipeline(Readable.from(text), createWriteStream(temporary, { flags: 'wx', flush: true }));
    await rename(temporary, file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code))) {
      throw new CommandError(`${file} cannot be written (${String(error.code)})`);
    }
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** `trips addresses` */
function addTripsAddresses(group: Command): void {
  command(group, 'addresses', 'Add addresses to the ends of trips that were stored without them')
    .example('trips addresses')
    .addHelpText(
      'after',
      '\nCities, states and countries are added at once. If GEOCODER_URL is set, the running service looks up the streets\n' +
        'afterwards. An interrupted command can be repeated: it continues with the trips that still lack addresses.',
    )
    .answers<CommonOptions>((_options, { service }) => addAddresses(service));
}

async function addAddresses(service: Service): Promise<Answer> {
  const { addAddresses: add, countPending } = await import('../../tracking/addresses/add-addresses.ts');
  const bar = new ProgressBar(process.stderr);
  const total = await countPending(service);
  try {
    const added = await add(service, ({ trip_count }) => {
      bar.draw(total === 0 ? 1 : trip_count / total, `${trip_count} of ${total} trips`);
    });
    const { trip_count, addressed_count, streets_due_count } = added;
    const isWaiting = streets_due_count > 0;
    return {
      title: `Added addresses to ${addressed_count} of ${trip_count} trips that lacked any`,
      json: { ...added },
      lines: [],
      ...(isWaiting && { note: `The service looks up the streets of ${streets_due_count} trips; let it run` }),
    };
  } finally {
    bar.clear();
  }
}

interface RecutOptions extends CommonOptions {
  readonly vehicle: string;
  readonly after?: string;
  readonly before?: string;
  readonly dryRun?: boolean;
}

/** `trips recut` */
function addTripsRecut(group: Command): void {
  command(group, 'recut', 'Cut what devices recorded in a vehicle into trips again, by the present settings')
    .example('trips recut --vehicle KEY --dry-run')
    .requiredOption('--vehicle <key>', 'vehicle in which they recorded')
    .option('--after <date-time>', 'only positions at this time or later')
    .option('--before <date-time>', 'only positions before this time')
    .option('--dry-run', 'only count the trips')
    .addHelpText(
      'after',
      '\nA trip keeps its key, tags, driver and shares where most of it remains. Positions are kept. An interrupted command\n' +
        'can be repeated: every day of a recording is whole.',
    )
    .answers<RecutOptions>((options, { service }) => recutTrips(service, options));
}

async function recutTrips(service: Service, { vehicle, after, before, dryRun = false }: RecutOptions): Promise<Answer> {
  const { VehicleStore } = await import('../../models/vehicles/vehicle.ts');
  const { accountAccessScope, unrestricted } = await import('../../models/store/tenancy.ts');
  const { recutVehicle } = await import('../../resolvers/trips/recut-resolver.ts');
  const found = await VehicleStore.findOne(unrestricted(service), { key: vehicle }, 'key account_key');
  if (!found)
    throw new CommandError(`--vehicle must be the key of a vehicle; ${JSON.stringify(vehicle)} does not exist`);
  const span = { after: instantOf('--after', after) ?? -Infinity, before: instantOf('--before', before) ?? Infinity };
  const bar = new ProgressBar(process.stderr);
  try {
    const onPart = (share: number) => bar.draw(share, `${Math.round(share * 100)} % of a device`);
    const scope = accountAccessScope(service, found.account_key);
    const result = await recutVehicle(scope, vehicle, { ...span, isDry: dryRun, onPart });
    const { trips_before, trips_after } = result;
    const title = dryRun
      ? `${trips_before} trips would become ${trips_after}`
      : `${trips_before} trips became ${trips_after}`;
    return { title, json: { ...result }, lines: [] };
  } finally {
    bar.clear();
  }
}

function instantOf(option: string, written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const read = parseDateTime(written);
  if (!read) throw new UsageError(`${option} must be a date-time, such as 2026-03-01T12:00:00+00:00`);
  return read.instant;
}
