import { readFile } from 'node:fs/promises';

import { httpsClient } from '../../clients/https-client.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { askWaybridge, readyService, spawnWaybridge } from '../../processes/waybridge-process.ts';

import type { TreeCopy } from './tree-copy.ts';

/** Serves the built program of a copy of the tree, with an account that has a device in a vehicle. */
export async function serveTree(tree: TreeCopy) {
  const settings = { DATA_DIR: await temporaryFolder(), LOG_LEVEL: 'error', RATE_LIMITS: 'on' };
  const add = (...args: readonly string[]) => askWaybridge(args, settings);
  const { key: account_key, api_key } = await add('account', 'add', '--nickname', 'Bakery');
  const account = ['--account', String(account_key)];
  const { key: vehicle_key } = await add('vehicle', 'add', ...account, '--nickname', 'Van 3');
  const { key } = await add('device', 'add', ...account, '--serial', 'WB-1', '--vehicle', String(vehicle_key));
  const { device_key_secret } = await add('device-key', 'add', '--device', String(key));

  const program = tree.path('build/bundle/waybridge.js');
  const service = await readyService(
    spawnWaybridge(['serve', '--no-demo'], { ...settings, PORT: '0' }, program),
    settings,
  );
  const request = httpsClient(await readFile(`${settings.DATA_DIR}/tls/ca.pem`, 'utf8'));
  return {
    owner: { 'service-api-key': String(api_key) },
    /** Key with which the device sends positions. */
    secret: String(device_key_secret),
    /** Asks the service, by POST where there is a body. */
    ask: (path: string, headers: Readonly<Record<string, string>> = {}, body?: object) =>
      request(`${service.url}${path}`, {
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
    end: service.end,
  };
}
