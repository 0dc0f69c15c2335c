import type { Command } from 'commander';

import { command, type Texts } from '../shell/operator-command.ts';
import { addResource, recordOf } from '../shell/resource.ts';
import { DEVICE } from '../records/fleet.ts';

interface AddOptions extends Texts<'account' | 'serial', 'vehicle' | 'status' | 'subscription'> {
  readonly group?: readonly string[];
}

/** `device`: its own commands, and `device add`, by which an operator sets more than the account's owner does */
export function addDeviceCommands(program: Command): void {
  command(addResource(program, DEVICE), 'add', 'Add a device to an account')
    .example('device add --account KEY --serial WB-0042 --vehicle KEY')
    .requiredOption('--account <key>', 'account of the device')
    .requiredOption('--serial <serial>', 'serial number, unique in the account')
    .option('--vehicle <key>', 'vehicle that the device is installed in')
    .option('--group <key...>', 'group that the device belongs to; may be repeated')
    .option('--status <status>', 'pending, installed or removed (default: installed with --vehicle, else pending)')
    .option('--subscription <key>', "subscription that covers the device (default: the account's oldest active one)")
    .answers(async ({ group: groups = [], ...rest }: AddOptions, { config: { authUrl }, service }) => {
      const { addDevice } = await import('../../resolvers/devices/write-device.ts');
      const key = await addDevice(service, { groups, ...rest });
      return { title: 'Device added', json: await recordOf(service, DEVICE, rest.account, key, authUrl), quiet: [key] };
    });
}
