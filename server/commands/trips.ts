import { basename } from 'node:path';

import type { Command } from 'commander';

import type { ImportedTrip, ImportProgress, ImportSummary } from '../../resolvers/trip-import/import-trips.ts';

import type { CommonOptions } from './answer.ts';
import { CommandError } from './command-error.ts';
import { operatorCommand } from './operator-command.ts';
import { ProgressBar } from './progress-bar.ts';
import { withDatabase } from './with-database.ts';

interface ImportOptions extends CommonOptions {
  readonly vehicle: string;
}

/** `trips import` */
export function addTripsCommands(program: Command): void {
  const group = program.command('trips').description('Recorded trips');

  operatorCommand(group, 'import', {
    summary: 'Import recorded trips of a vehicle; a trip that is there already is not imported again',
    example: 'trips import monday.gpx tuesday.gpx --vehicle KEY',
  })
    .argument('<file...>', 'GPX 1.1 files; a file that breaks off before its end is left out as a whole')
    .requiredOption('--vehicle <key>', 'vehicle that drove')
    .action(async (files: readonly string[], { vehicle, json }: ImportOptions) => {
      const summary = await withDatabase(() => importFiles(files, vehicle));
      await reportDoubts(summary);
      process.stdout.write(json ? `${JSON.stringify({ trips: summary.trips })}\n` : wordTrips(summary.trips));
      if (summary.failures.length > 0) {
        throw new CommandError(summary.failures.map(({ message }) => message).join('\n'));
      }
    });
}

async function importFiles(files: readonly string[], vehicleKey: string): Promise<ImportSummary> {
  const { findVehicle } = await import('../../resolvers/provisioning/update-vehicle.ts');
  const { importTrips } = await import('../../resolvers/trip-import/import-trips.ts');
  const vehicle = await findVehicle(vehicleKey);
  const bar = new ProgressBar(process.stderr);
  try {
    return await importTrips({ files, vehicle, onProgress: (progress) => drawProgress(bar, files, progress) });
  } finally {
    bar.clear();
  }
}

function drawProgress(bar: ProgressBar, files: readonly string[], progress: ImportProgress): void {
  const { file, bytes_read, bytes_total, trips } = progress;
  const share = bytes_total === 0 ? 0 : bytes_read / bytes_total;
  const place = `file ${files.indexOf(file) + 1} of ${files.length}`;
  bar.draw((files.indexOf(file) + share) / files.length, `${place}, ${trips} trips: ${basename(file)}`);
}

/** Says on standard error what is implausible about trips that were imported all the same. */
async function reportDoubts({ faults }: ImportSummary): Promise<void> {
  if (faults.length === 0) return;
  const { faultSentence } = await import('../../resolvers/trip-import/import-fault.ts');
  for (const fault of faults) process.stderr.write(`${faultSentence(fault)}\n`);
}

function wordTrips(trips: readonly ImportedTrip[]): string {
  const created = trips.filter((trip) => trip.created).length;
  const lines = trips.map(({ key, started, ended, points, distance_meters, created: isNew }) => {
    const kilometers = (distance_meters / 1000).toFixed(1);
    return `  ${key}  ${started} to ${ended}  ${kilometers} km  ${points} points${isNew ? '' : '  (was there already)'}`;
  });
  return `${[`Imported ${created} of ${trips.length} trips`, ...lines].join('\n')}\n`;
}
