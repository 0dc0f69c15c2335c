import type { Command } from 'commander';

import { command, type OperatorCommand, type Texts } from '../command-line/operator-command.ts';
import type { VehicleInput } from '../../schema/vehicles/vehicle.ts';

interface VehicleOptions
  extends Texts<never, 'nickname' | 'vin' | 'plate' | 'year' | 'make' | 'model' | 'odometer' | 'driver'> {
  /** False to leave all groups. */
  readonly group?: readonly string[] | false;
}

/** `vehicle add`, `update`, `remove` and `restore` */
export function addVehicleCommands(program: Command): void {
  const group = program.command('vehicle').description('Vehicles whose trips are recorded');

  const add = command(group, 'add', 'Add a vehicle to an account')
    .example('vehicle add --account KEY --nickname "Van 3" --group KEY')
    .requiredOption('--account <key>', 'account of the vehicle')
    .requiredOption('--nickname <name>', 'display name of the vehicle')
    .option('--group <key...>', 'group that the vehicle belongs to; may be repeated') as OperatorCommand;
  withFacts(add).answers(async ({ account, ...options }: Texts<'account'> & VehicleOptions) => {
    const { addVehicle } = await import('../../resolvers/vehicles/manage-vehicle.ts');
    return { title: 'Vehicle added', json: { vehicle_key: await addVehicle({ account, ...inputOf(options) }) } };
  });

  const update = command(group, 'update', 'Change a vehicle; what is not named stays as it is')
    .example('vehicle update --vehicle KEY --group KEY --plate "HB-WB 42"')
    .requiredOption('--vehicle <key>', 'vehicle to change')
    .option('--nickname <name>', 'display name of the vehicle')
    .option('--group <key...>', 'all groups that the vehicle belongs to; may be repeated')
    .option('--no-group', 'remove the vehicle from all groups') as OperatorCommand;
  withFacts(update).answers(async ({ vehicle, ...options }: Texts<'vehicle'> & VehicleOptions) => {
    const { changeVehicle } = await import('../../resolvers/vehicles/manage-vehicle.ts');
    await changeVehicle(vehicle, inputOf(options));
    return { title: 'Vehicle changed', json: { vehicle_key: vehicle } };
  });

  command(group, 'remove', 'Delete a vehicle; it can be brought back for 30 days, then its trips go too')
    .example('vehicle remove --vehicle KEY')
    .requiredOption('--vehicle <key>', 'vehicle to delete')
    .answers(async ({ vehicle }: Texts<'vehicle'>) => {
      const { removeVehicle } = await import('../../resolvers/vehicles/manage-vehicle.ts');
      await removeVehicle(vehicle);
      return { title: 'Vehicle deleted; bring it back with `vehicle restore`', json: { vehicle_key: vehicle } };
    });

  command(group, 'restore', 'Bring a deleted vehicle back, with its trips')
    .example('vehicle restore --account KEY --vehicle KEY')
    .requiredOption('--account <key>', 'account of the vehicle')
    .requiredOption('--vehicle <key>', 'vehicle to bring back')
    .answers(async ({ account, vehicle }: Texts<'account' | 'vehicle'>) => {
      const { bringVehicleBack } = await import('../../resolvers/vehicles/manage-vehicle.ts');
      await bringVehicleBack(account, vehicle);
      return { title: 'Vehicle is back', json: { vehicle_key: vehicle } };
    });
}

/** Adds the options that describe a vehicle. */
function withFacts(to: OperatorCommand): OperatorCommand {
  return to
    .option('--vin <vin>', 'vehicle identification number')
    .option('--plate <number>', 'number on the plate')
    .option('--year <year>', 'model year')
    .option('--make <name>', 'manufacturer')
    .option('--model <name>', 'model')
    .option('--odometer <miles>', 'odometer in miles')
    .option('--driver <key>', 'user who usually drives it') as OperatorCommand;
}

function inputOf({ nickname, vin, plate, year, make, model, odometer, driver, group }: VehicleOptions): VehicleInput {
  return {
    ...(nickname !== undefined && { nickname }),
    ...(vin !== undefined && { vin }),
    ...(plate !== undefined && { plate_number: plate }),
    ...(year !== undefined && { year: Number(year) }),
    ...(make !== undefined && { make }),
    ...(model !== undefined && { model }),
    ...(odometer !== undefined && { odometer: Number(odometer) }),
    ...(driver !== undefined && { driver_key: driver }),
    ...(group === false ? { group_keys: [] } : group !== undefined && { group_keys: [...group] }),
  };
}
