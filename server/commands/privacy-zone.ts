import type { Command } from 'commander';

import { command, type Texts } from '../command-line/operator-command.ts';

type AddOptions = Texts<'account' | 'lat' | 'lon' | 'radius', 'name' | 'trips'>;

/** `privacy-zone add`, `privacy-zone list` and `privacy-zone remove` */
export function addPrivacyZoneCommands(program: Command): void {
  const group = program
    .command('privacy-zone')
    .description("Areas in which apps and trip maps do not see an account's vehicles");

  command(group, 'add', 'Hide positions within a circle from apps and trip maps, including those of past trips')
    .example('privacy-zone add --account KEY --lat 53.0758 --lon 8.8072 --radius 300 --name Depot')
    .requiredOption('--account <key>', 'account whose vehicles the zone hides')
    .requiredOption('--lat <degrees>', 'latitude of the center')
    .requiredOption('--lon <degrees>', 'longitude of the center')
    .requiredOption('--radius <meters>', 'radius in meters, 1 to 100000')
    .option('--name <name>', 'display name of the zone')
    .option('--trips <cut|hide>', 'cut: hide positions inside (default); hide: hide trips with a position inside')
    .answers(async ({ account, lat, lon, radius, name, trips }: AddOptions) => {
      const { existingAccountScope } = await import('../../resolvers/input/any-record.ts');
      const { createPrivacyZone } = await import('../../resolvers/privacy-zones/create-privacy-zone.ts');
      const zone = { lat: numberOf(lat), lon: numberOf(lon), radius_meters: numberOf(radius), name, trips };
      const { key } = await createPrivacyZone(await existingAccountScope(account), zone);
      return { title: 'Privacy zone added', json: { zone_key: key } };
    });

  command(group, 'list', 'List the privacy zones of an account')
    .example('privacy-zone list --account KEY --json')
    .requiredOption('--account <key>', 'account whose zones are listed')
    .answers(async ({ account }: Texts<'account'>) => {
      const { existingAccountScope } = await import('../../resolvers/input/any-record.ts');
      const { listPrivacyZones } = await import('../../models/vehicles/privacy-zone.ts');
      const found = await listPrivacyZones(await existingAccountScope(account));
      const zones = found.map(({ key, name, point, radius_meters, trips }) => {
        return { key, name, ...point, radius_meters, trips };
      });
      const lines = zones.map(({ key, name, lat, lon, radius_meters, trips }) => {
        return `  ${key}  ${lat}, ${lon}  ${radius_meters} m  ${trips}${name === null ? '' : `  ${name}`}`;
      });
      return { title: `${zones.length} privacy zone(s)`, json: { zones }, lines };
    });

  command(group, 'remove', 'Remove a privacy zone; the positions and trips that it hid become visible again')
    .example('privacy-zone remove --zone KEY')
    .requiredOption('--zone <key>', 'zone to remove')
    .answers(async ({ zone }: Texts<'zone'>) => {
      const { deleteAnyPrivacyZone } = await import('../../resolvers/privacy-zones/delete-privacy-zone.ts');
      await deleteAnyPrivacyZone(zone);
      return { title: 'Privacy zone removed', json: { zone_key: zone, removed: true } };
    });
}

/** Reads a number; returns NaN, which every range check rejects, for anything else. */
function numberOf(written: string): number {
  return written.trim() === '' ? Number.NaN : Number(written);
}
