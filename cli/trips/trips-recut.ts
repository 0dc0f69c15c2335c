import type { Command } from 'commander';

import { parseDateTime } from '../../schema/date-time.ts';
import type { Service } from '../../models/store/service.ts';
import type { Answer, CommonOptions } from '../shell/answer.ts';
import { CommandError, UsageError } from '../shell/command-error.ts';
import { command } from '../shell/operator-command.ts';
import { ProgressBar } from '../shell/progress-bar.ts';

interface RecutOptions extends CommonOptions {
  readonly vehicle: string;
  readonly after?: string;
  readonly before?: string;
  readonly dryRun?: boolean;
}

/** `trips recut` */
export function addTripsRecut(group: Command): void {
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
