import { constants } from 'node:os';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import type { ImportProgress } from '../../tracking/import/import-trips.ts';
import type { ImportSummary } from '../../tracking/import/import-summary.ts';
import type { ImportTarget } from '../../tracking/import/import-file.ts';
import { FILE_FORMATS, type FileOptions } from '../../tracking/import/file-formats.ts';
import { OPTION_WORDS, readFileOptions } from '../../tracking/import/file-options.ts';
import { COLUMN_FIELDS } from '../../tracking/import/rows/read-options.ts';
import type { CommonOptions } from '../shell/answer.ts';
import { CommandError, UsageError } from '../shell/command-error.ts';
import { command, type Texts } from '../shell/operator-command.ts';
import { ProgressBar } from '../shell/progress-bar.ts';
import { withDatabase } from '../shell/with-database.ts';
import type { Service } from '../../models/store/service.ts';

/** Maximum number of trips listed for people; `--json` lists more. */
const MAX_LINES = 50;

/** Formats the faults of imported trips: trip by trip, or by kind if there are many. */
async function formatFaults({ faults, fault_totals }: ImportSummary): Promise<string> {
  const { faultSentence, faultTotalSentence } = await import('../../tracking/import/faults/import-fault.ts');
  const sentences =
    faults.length <= MAX_LINES
      ? faults.map(faultSentence)
      : Object.entries(fault_totals).map(([kind, total]) =>
          faultTotalSentence(kind as keyof typeof fault_totals, total),
        );
  return sentences.map((sentence) => `${sentence}\n`).join('');
}

/** Formats which trips were imported, and how many vehicles were created for them. */
function formatTripCount({ trips, trip_count, created_count, vehicles, vehicle_count }: ImportSummary): string {
  const lines = trips.slice(0, MAX_LINES).map(({ key, started, ended, points, distance_meters, created }) => {
    const kilometers = (distance_meters / 1000).toFixed(1);
    return `  ${key}  ${started} to ${ended}  ${kilometers} km  ${points} points${created ? '' : '  (already imported)'}`;
  });
  if (trip_count > lines.length) lines.push(`  and ${trip_count - lines.length} more`);
  const made = vehicles.filter(({ created }) => created).length;
  const fleet = vehicle_count === 0 ? '' : ` of ${vehicle_count} vehicles, ${made} of them new`;
  return `${[`Imported ${created_count} of ${trip_count} trips${fleet}`, ...lines].join('\n')}\n`;
}

type TextOptions = Texts<
  never,
  | 'vehicle'
  | 'account'
  | 'join'
  | 'on'
  | 'timeFormat'
  | 'zone'
  | 'encoding'
  | 'format'
  | 'interval'
  | 'speedUnit'
  | 'odometerUnit'
  | 'weekRollover'
  | 'overlap'
>;

interface ImportOptions extends CommonOptions, TextOptions {
  readonly createVehicles?: boolean;
  readonly map?: readonly string[];
  readonly salvage?: boolean;
}

const TITLES = Object.values(FILE_FORMATS).map(({ title }) => title);
const FORMAT_ROWS = Object.entries(FILE_FORMATS).map(
  ([name, { title, extensions }]) => `  ${name.padEnd(12)} ${title}${extensions.map((end) => `, ${end}`).join('')}`,
);
const FIELDS = Object.entries(COLUMN_FIELDS).map(([field, about]) => `  ${field.padEnd(12)} ${about}`);

/** End of the help: the formats, the fields of `--map`, and examples with public recordings. */
const MORE_HELP = `
Formats, recognized by the content of a file or the end of its name:
${FORMAT_ROWS.join('\n')}

Fields of --map:
${FIELDS.join('\n')}
Columns of a CSV file are named in its first line, below titles if it has any. In a JSON object, a column may be a path, such
as position.lat or coordinates.0. Several columns are read as one with a + between them: --map time=DATE+TIME. Without --map,
time (or a date and a time), lat, lon, heading and events are found by their usual names. Numbers may have decimal commas, and
coordinates a hemisphere, such as 53,21N.

Trips:
  Each <trk> of GPX, track of KML, activity of TCX, FIT file, line of GeoJSON, and the positions of a vehicle in a stream
  are cut into trips as if the vehicle had sent them, by the trip settings of the account. Trips that a file names, in the
  column trip or as activities of a Google Timeline, rows with coordinates, and files of trips export are trips as they are.
  Trips that the vehicle already has are not imported again, so an interrupted command can be repeated.

Taxis of Porto (UCI data set 339), one trip per line, one position every 15 seconds:
  $ waybridge trips import porto-taxi-1000-trips.ndjson --account KEY --create-vehicles \\
      --map vehicle=vehicle_id time=start_time coordinates=coordinates --interval 15
Go!Track (UCI data set 354), with the vehicles in a second file, and times without a zone:
  $ waybridge trips import gotrack-trackpoints.csv --account KEY --create-vehicles --zone America/Maceio \\
      --map vehicle=id_android trip=track_id --join gotrack-tracks.csv --on track_id
enviroCar:
  $ waybridge trips import envirocar-measurements.csv --account KEY --create-vehicles --speed-unit km/h \\
      --map vehicle=vehicle_id trip=track_id speed=gps_speed heading=gps_bearing \\
      --join envirocar-tracks.csv --on track_id`;

/** `trips import` */
export function addTripsImport(group: Command): void {
  command(group, 'import', 'Import recorded trips; trips that already exist are not imported again')
    .example('trips import monday.gpx tuesday.gpx --vehicle KEY')
    .argument(
      '<file...>',
      `${TITLES.slice(0, -1).join(', ')} or ${TITLES.at(-1)}; a truncated file is skipped as a whole, unless --salvage is given`,
    )
    .option('--vehicle <key>', 'vehicle that drove all trips in the files')
    .option('--account <key>', 'account of the vehicles that the file names in the column given by --map vehicle=')
    .option('--create-vehicles', 'create vehicles that the file names and the account does not have')
    .addOption(wordOption('format', 'format of the files (default: by their content or name)'))
    .option('--map <field=column...>', 'column of a field; may be repeated')
    .option('--join <file>', 'CSV file with more columns for each row, such as the vehicle of a trip')
    .option('--on <column>', 'column that both files have, by which their rows are matched')
    .option('--interval <seconds>', 'time between pairs of coordinates')
    .option('--time-format <format>', 'iso, unix, unix-ms, or a pattern such as MM/DD/YY hh:mm:ss AM (default: iso)')
    .option('--zone <zone>', 'time zone of times without one, such as -03:00 or America/Maceio (default: GMT)')
    .addOption(wordOption('speed_unit', 'unit of the speeds of a column, or of unknown GPX extensions'))
    .addOption(wordOption('odometer_unit', 'unit of the odometer'))
    .option(
      '--encoding <encoding>',
      'encoding of the files, such as windows-1252 (default: the declared one, or utf-8)',
    )
    .option('--salvage', 'import what is whole before the place where a file is cut off or damaged')
    .addOption(wordOption('week_rollover', 'treatment of times that look 1,024 weeks early'))
    .addOption(
      wordOption(
        'overlap',
        'treatment of a trip that the vehicle already has from another recording: add its parts before and after (merge, the default), nothing (skip), all (keep)',
      ),
    )
    .addHelpText('after', MORE_HELP)
    .action(runImport);
}

async function runImport(files: readonly string[], options: ImportOptions): Promise<void> {
  const read = readOptions(options);
  const summary = await withDatabase(async ({ service }) =>
    importFiles(service, files, await targetOf(service, options), read),
  );
  const { failures, ...done } = summary;
  if (options.json) {
    const named = failures.map(({ file, line, column, reason }) => ({ file, line, column, reason }));
    process.stdout.write(`${JSON.stringify({ ...done, failures: named })}\n`);
  } else {
    process.stderr.write(await formatFaults(summary));
    process.stdout.write(formatTripCount(summary));
  }
  if (failures.length > 0) throw new CommandError(failures.map(({ message }) => message).join('\n'));
}

async function importFiles(
  service: Service,
  files: readonly string[],
  target: ImportTarget,
  read: FileOptions,
): Promise<ImportSummary> {
  const { importTrips } = await import('../../tracking/import/import-trips.ts');
  const bar = new ProgressBar(process.stderr);
  let [current] = files;
  const interrupt = (signal: NodeJS.Signals) => {
    bar.clear();
    process.stderr.write(interruption(files, current));
    process.exit(128 + constants.signals[signal]);
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const onProgress = (progress: ImportProgress) => {
    current = progress.file;
    drawProgress(bar, files, progress);
  };
  try {
    return await importTrips(service, { ...target, files, read, onProgress });
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    bar.clear();
  }
}

/** The outcome of an import that is interrupted while it reads a file. */
function interruption(files: readonly string[], current = ''): string {
  const at = files.indexOf(current);
  const before =
    at > 0 ? `The ${at === 1 ? 'file' : `${at} files`} before it ${at === 1 ? 'is' : 'are'} imported. ` : '';
  return `Interrupted in ${current}, of which either all or no trips are imported. ${before}Repeat the command to continue: trips that exist are not imported again.\n`;
}

async function targetOf(
  service: Service,
  { vehicle, account = '', createVehicles = false }: ImportOptions,
): Promise<ImportTarget> {
  const { anyRecord, existingAccountScope } = await import('../../models/lookup/any-record.ts');
  if (vehicle !== undefined) return { vehicle: await anyRecord(service, 'vehicle', vehicle) };
  return { account_key: (await existingAccountScope(service, account)).account_key, createsVehicles: createVehicles };
}

/** Name of an option of the command, by its name in requests. */
function named(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** An option of which the value is one of some words. */
function wordOption(name: keyof typeof OPTION_WORDS, description: string): Option {
  return new Option(`${named(name)} <${name.replace(/.*_/, '')}>`, description).choices(OPTION_WORDS[name]);
}

/**
 * Returns the options for reading the files.
 *
 * @throws UsageError if options contradict each other
 */
function readOptions(options: ImportOptions): FileOptions {
  const { vehicle, account, createVehicles, map = [], interval } = options;
  const namesVehicle = map.some((one) => one.startsWith('vehicle='));
  rejectIf((vehicle === undefined) === (account === undefined), 'Give either --vehicle or --account');
  rejectIf(vehicle !== undefined && namesVehicle, '--map vehicle= requires --account instead of --vehicle');
  const namesNoVehicles = account !== undefined && !namesVehicle;
  rejectIf(namesNoVehicles, '--account requires --map vehicle=, the column that names the vehicles');
  rejectIf(createVehicles === true && account === undefined, '--create-vehicles requires --account');
  const given = {
    ...options,
    interval: interval === undefined ? undefined : Number(interval),
    time_format: options.timeFormat,
    speed_unit: options.speedUnit,
    odometer_unit: options.odometerUnit,
    week_rollover: options.weekRollover,
  };
  try {
    return readFileOptions(given, named);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

function rejectIf(isWrong: boolean, message: string): void {
  if (isWrong) throw new UsageError(message);
}

function drawProgress(bar: ProgressBar, files: readonly string[], progress: ImportProgress): void {
  const { file, bytes_read, bytes_total, trips } = progress;
  const share = bytes_total === 0 ? 0 : bytes_read / bytes_total;
  const place = `file ${files.indexOf(file) + 1} of ${files.length}`;
  bar.draw((files.indexOf(file) + share) / files.length, `${place}, ${trips} trips: ${basename(file)}`);
}
