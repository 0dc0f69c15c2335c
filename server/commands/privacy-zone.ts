import type { Command } from 'commander';

import { answering, operatorCommand, type Texts } from '../command-line/operator-command.ts';

/** `privacy-zone add`, `privacy-zone list` and `privacy-zone remove` */
export function addPrivacyZoneCommands(program: Command): void {
  const group = program
    .command('privacy-zone')
    .description("Areas in which apps and trip maps do not see an account's vehicles");

  operatorCommand(group, 'add', {
    summary: 'Hide positions within a circle from apps and trip maps, including those of past trips',
    example: 'privacy-zone add --account KEY --lat 53.0758 --lon 8.8072 --radius 300 --name Depot',
  })
    .requiredOption('--account <key>', 'account whose vehicles the zone hides')
    .requiredOption('--lat <degrees>', 'latitude of the center')
    .requiredOption('--lon <degrees>', 'longitude of the center')
    .requiredOption('--radius <meters>', 'radius in meters, 1 to 100000')
    .option('--name <name>', 'display name of the zone')
    .option('--trips <cut|hide>', 'cut: hide positions inside (default); hide: hide trips with a position inside')
    .action(
      answering(
        async ({
          account,
          lat,
          lon,
          radius,
          name,
          trips,
        }: Texts<'account' | 'lat' | 'lon' | 'radius', 'name' | 'trips'>) => {
          const { existingAccountScope } = await import('../../resolvers/input/any-record.ts');
          const { createPrivacyZone } = await import('../../resolvers/privacy-zones/create-privacy-zone.ts');
          const zone = { lat: numberOf(lat), lon: numberOf(lon), radius_meters: numberOf(radius), name, trips };
          const { key } = await createPrivacyZone(await existingAccountScope(account), zone);
          return { title: 'Privacy zone added', json: { zone_key: key } };
        },
      ),
    );

  operatorCommand(group, 'list', {
    summary: 'List the privacy zones of an account',
    example: 'privacy-zone list --account KEY --json',
  })
    .requiredOption('--account <key>', 'account whose zones are listed')
    .action(
      answering(async ({ account }: Texts<'account'>) => {
        const { existingAccountScope } = await import('../../resolvers/input/any-record.ts');
        const { listPrivacyZones } = await import('../../models/vehicles/privacy-zone.ts');
        const zones = await listPrivacyZones(await existingAccountScope(account));
        const rows = zones.map(({ key, name, point, radius_meters, trips }) => ({
          key,
          name,
          ...point,
          radius_meters,
          trips,
        }));
        const lines = rows.map(
          ({ key, name, lat, lon, radius_meters, trips }) =>
            `  ${key}  ${lat}, ${lon}  ${radius_meters} m  ${trips}${name === null ? '' : `  ${name}`}`,
        );
        return { title: `${zones.length} privacy zone(s)`, json: { zones: rows }, lines };
      }),
    );

  operatorCommand(group, 'remove', {
    summary: 'Remove a privacy zone; the positions and trips that it hid become visible again',
    example: 'privacy-zone remove --zone KEY',
  })
    .requiredOption('--zone <key>', 'zone to remove')
    .action(
      answering(async ({ zone }: Texts<'zone'>) => {
        const { deleteAnyPrivacyZone } = await import('../../resolvers/privacy-zones/delete-privacy-zone.ts');
        await deleteAnyPrivacyZone(zone);
        return { title: 'Privacy zone removed', json: { zone_key: zone, removed: true } };
      }),
    );
}

/** Reads a number; returns NaN, which every range check rejects, for anything else. */
function numberOf(written: string): number {
  return written.trim() === '' ? Number.NaN : Number(written);
}
