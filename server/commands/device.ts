import type { Command } from 'commander';

import { command, type Texts } from '../command-line/operator-command.ts';

interface AddOptions extends Texts<'account' | 'serial', 'vehicle' | 'status' | 'subscription'> {
  readonly group?: readonly string[];
}

/** `device add` */
export function addDeviceCommands(program: Command): void {
  const group = program.command('device').description('Connected hardware');

  command(group, 'add', 'Add a device to an account')
    .example('device add --account KEY --serial WB-0042 --vehicle KEY')
    .requiredOption('--account <key>', 'account of the device')
    .requiredOption('--serial <serial>', 'serial number, unique in the account')
    .option('--vehicle <key>', 'vehicle that the device is installed in')
    .option('--group <key...>', 'group that the device belongs to; may be repeated')
    .option('--status <status>', 'pending, installed or removed (default: installed with --vehicle, else pending)')
    .option('--subscription <key>', "subscription that covers the device (default: the account's oldest active one)")
    .answers(async ({ group: groups = [], ...rest }: AddOptions) => {
      const { addDevice } = await import('../../resolvers/devices/add-device.ts');
      return { title: 'Device added', json: { device_key: await addDevice({ groups, ...rest }) } };
    });
}
