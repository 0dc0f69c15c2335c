import type { Command } from 'commander';

import type { CommonOptions } from '../command-line/answer.ts';
import { answering, operatorCommand } from '../command-line/operator-command.ts';

interface AddOptions extends CommonOptions {
  readonly account: string;
  readonly lat: string;
  readonly lon: string;
  readonly radius: string;
  readonly name?: string;
  readonly trips?: string;
}

interface ListOptions extends CommonOptions {
  readonly account: string;
}

interface RemoveOptions extends CommonOptions {
  readonly zone: string;
}

/** `privacy-zone add`, `privacy-zone list` and `privacy-zone remove` */
export function addPrivacyZoneCommands(program: Command): void {
  const group = program
    .command('privacy-zone')
    .description("Where apps and trip maps do not see an account's vehicles");

  operatorCommand(group, 'add', {
    summary: 'Hide from apps and trip maps what lies in a circle, for trips of the past too',
    example: 'privacy-zone add --account KEY --lat 53.0758 --lon 8.8072 --radius 300 --name Depot',
  })
    .requiredOption('--account <key>', 'account whose vehicles are hidden there')
    .requiredOption('--lat <degrees>', 'latitude of the centre')
    .requiredOption('--lon <degrees>', 'longitude of the centre')
    .requiredOption('--radius <metres>', 'radius, 1 to 100000')
    .option('--name <name>', 'what people call it')
    .option('--trips <cut|hide>', 'leave out positions inside (the default), or every trip with one')
    .action(
      answering(async ({ account, lat, lon, radius, name, trips }: AddOptions) => {
        const { existingAccountScope } = await import('../../resolvers/input/existing-account.ts');
        const { createPrivacyZone } = await import('../../resolvers/privacy-zones/create-privacy-zone.ts');
        const zone = { lat: numberOf(lat), lon: numberOf(lon), radius_meters: numberOf(radius), name, trips };
        const { key } = await createPrivacyZone(await existingAccountScope(account), zone);
        return { title: 'Privacy zone added', json: { zone_key: key } };
      }),
    );

  operatorCommand(group, 'list', {
    summary: 'List the privacy zones of an account',
    example: 'privacy-zone list --account KEY --json',
  })
    .requiredOption('--account <key>', 'account whose zones are listed')
    .action(
      answering(async ({ account }: ListOptions) => {
        const { existingAccountScope } = await import('../../resolvers/input/existing-account.ts');
        const { listPrivacyZones } = await import('../../models/vehicles/privacy-zone.ts');
        const zones = await listPrivacyZones(await existingAccountScope(account));
        return {
          title: `${zones.length} privacy zone(s)`,
          json: {
            zones: zones.map(({ key, name, point, radius_meters, trips }) => ({
              key,
              name,
              ...point,
              radius_meters,
              trips,
            })),
          },
          lines: zones.map(
            ({ key, name, point, radius_meters, trips }) =>
              `  ${key}  ${point.lat}, ${point.lon}  ${radius_meters} m  ${trips}${name === null ? '' : `  ${name}`}`,
          ),
        };
      }),
    );

  operatorCommand(group, 'remove', {
    summary: 'Remove a privacy zone; what it hid is seen again',
    example: 'privacy-zone remove --zone KEY',
  })
    .requiredOption('--zone <key>', 'zone to remove')
    .action(
      answering(async ({ zone }: RemoveOptions) => {
        const { deleteAnyPrivacyZone } = await import('../../resolvers/privacy-zones/delete-privacy-zone.ts');
        await deleteAnyPrivacyZone(zone);
        return { title: 'Privacy zone removed', json: { zone_key: zone, removed: true } };
      }),
    );
}

/** A number as it is written; NaN, which every range refuses, for anything else. */
function numberOf(written: string): number {
  return written.trim() === '' ? Number.NaN : Number(written);
}
