import type { Command } from 'commander';

import { command, type Texts } from '../command-line/operator-command.ts';

interface GroupOptions {
  readonly group?: readonly string[];
}

/** `vehicle add` and `vehicle update` */
export function addVehicleCommands(program: Command): void {
  const group = program.command('vehicle').description('Vehicles whose trips are recorded');

  command(group, 'add', 'Add a vehicle to an account')
    .example('vehicle add --account KEY --nickname "Van 3" --group KEY')
    .requiredOption('--account <key>', 'account of the vehicle')
    .requiredOption('--nickname <name>', 'display name of the vehicle')
    .option('--group <key...>', 'group that the vehicle belongs to; may be repeated')
    .answers(async ({ group: groups = [], ...named }: Texts<'account' | 'nickname'> & GroupOptions) => {
      const { addVehicle } = await import('../../resolvers/vehicles/manage-vehicle.ts');
      return { title: 'Vehicle added', json: { vehicle_key: await addVehicle({ ...named, groups }) } };
    });

  command(group, 'update', 'Set the groups of a vehicle; without --group, remove it from all groups')
    .example('vehicle update --vehicle KEY --group KEY')
    .requiredOption('--vehicle <key>', 'vehicle to change')
    .option('--group <key...>', 'new group of the vehicle; may be repeated')
    .answers(async ({ vehicle, group: groups = [] }: Texts<'vehicle'> & GroupOptions) => {
      const { updateVehicle } = await import('../../resolvers/vehicles/manage-vehicle.ts');
      await updateVehicle(vehicle, groups);
      const title = groups.length === 0 ? 'Vehicle is now in no group' : `Vehicle is now in ${groups.length} group(s)`;
      return { title, json: { vehicle_key: vehicle } };
    });
}
