import type { Command } from 'commander';

import type { CommonOptions } from '../command-line/answer.ts';
import { answering, operatorCommand } from '../command-line/operator-command.ts';

interface AddOptions extends CommonOptions {
  readonly account: string;
  readonly serial: string;
  readonly vehicle?: string;
  readonly group?: readonly string[];
  readonly status?: string;
  readonly subscription?: string;
}

/** `device add` */
export function addDeviceCommands(program: Command): void {
  const group = program.command('device').description('Connected hardware');

  operatorCommand(group, 'add', {
    summary: 'Add a device to an account',
    example: 'device add --account KEY --serial WB-0042 --vehicle KEY',
  })
    .requiredOption('--account <key>', 'account of the device')
    .requiredOption('--serial <serial>', 'serial number, unique in the account')
    .option('--vehicle <key>', 'vehicle that it is in')
    .option('--group <key...>', 'group that it is in; may be repeated')
    .option('--status <status>', 'pending, installed or removed (default: installed in a vehicle, else pending)')
    .option('--subscription <key>', "subscription that it is on (default: the account's oldest active one)")
    .action(
      answering(async ({ account, serial, group: groups = [], ...rest }: AddOptions) => {
        const { addDevice } = await import('../../resolvers/devices/add-device.ts');
        return { title: 'Device added', json: { device_key: await addDevice({ account, serial, groups, ...rest }) } };
      }),
    );
}
