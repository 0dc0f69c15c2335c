import type { Command } from 'commander';

import type { CommonOptions } from '../command-line/answer.ts';
import { answering, operatorCommand } from '../command-line/operator-command.ts';

interface AddOptions extends CommonOptions {
  readonly account: string;
  readonly nickname: string;
  readonly group?: readonly string[];
}

interface UpdateOptions extends CommonOptions {
  readonly vehicle: string;
  readonly group?: readonly string[];
}

/** `vehicle add` and `vehicle update` */
export function addVehicleCommands(program: Command): void {
  const group = program.command('vehicle').description('Vehicles whose trips are recorded');

  operatorCommand(group, 'add', {
    summary: 'Add a vehicle to an account',
    example: 'vehicle add --account KEY --nickname "Van 3" --group KEY',
  })
    .requiredOption('--account <key>', 'account of the vehicle')
    .requiredOption('--nickname <name>', 'what people call it')
    .option('--group <key...>', 'group that it is in; may be repeated')
    .action(
      answering(async ({ account, nickname, group: groups = [] }: AddOptions) => {
        const { addVehicle } = await import('../../resolvers/vehicles/add-vehicle.ts');
        return { title: 'Vehicle added', json: { vehicle_key: await addVehicle({ account, nickname, groups }) } };
      }),
    );

  operatorCommand(group, 'update', {
    summary: 'Put a vehicle into exactly the given groups; without --group, into none',
    example: 'vehicle update --vehicle KEY --group KEY',
  })
    .requiredOption('--vehicle <key>', 'vehicle to change')
    .option('--group <key...>', 'group that it is in from now on; may be repeated')
    .action(
      answering(async ({ vehicle, group: groups = [] }: UpdateOptions) => {
        const { updateVehicle } = await import('../../resolvers/vehicles/update-vehicle.ts');
        await updateVehicle(vehicle, groups);
        const title =
          groups.length === 0 ? 'Vehicle is in no group now' : `Vehicle is in ${groups.length} group(s) now`;
        return { title, json: { vehicle_key: vehicle } };
      }),
    );
}
