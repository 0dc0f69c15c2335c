import { readFile } from 'node:fs/promises';

import { expect, test, vi } from 'vitest';

import { ask } from '../../clients/service-client.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { askWaybridge, outcomeOf, readyService, spawnWaybridge } from '../../processes/waybridge-process.ts';

import { useTreeCopy } from './tree-copy.ts';

// A tree is compiled and a service started.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const FIELD = `  @Field(() => String, { defaultValue: 'white', description: 'Colour of the paint.' })
  readonly color!: string;
`;
const SCHEMA_TEST = ['run', 'test/resolvers/gateway-schema.test.ts', '--maxWorkers=1'];

const tree = useTreeCopy();

test('a field of a record is one declaration and the generated schema, and old data answers its default', async () => {
  const DATA_DIR = await temporaryFolder();
  const old = { DATA_DIR, LOG_LEVEL: 'error' };
  const { key: account_key, api_key } = await askWaybridge(['account', 'add', '--nickname', 'Bakery'], old);
  const account = ['--account', String(account_key)];
  const { key: vehicle_key } = await askWaybridge(['vehicle', 'add', ...account, '--nickname', 'Van 3'], old);
  const { key: device_key } = await askWaybridge(
    ['device', 'add', ...account, '--serial', 'WB-1', '--vehicle', String(vehicle_key)],
    old,
  );

  await tree.insert('schema/vehicles/vehicle.ts', 'export class Vehicle {', FIELD);
  await tree.insert('schema/vehicles/device.ts', 'export class Device {', FIELD);
  expect(await tree.run('vitest', ...SCHEMA_TEST)).not.toMatchObject({ code: 0 });
  expect(await tree.run('vitest', ...SCHEMA_TEST, '--update')).toMatchObject({ code: 0 });
  expect(await tree.run('biome', 'ci', 'schema', 'models')).toMatchObject({ code: 0 });
  expect(await tree.run('tsc', '-p', '.')).toMatchObject({ code: 0 });
  expect(await tree.run('vite', 'build', '--config', 'server/vite.config.ts')).toMatchObject({ code: 0 });

  const program = tree.path('build/bundle/waybridge.js');
  const added = spawnWaybridge(['vehicle', 'add', ...account, '--nickname', 'Van 4'], old, program);
  expect(await outcomeOf(added)).toMatchObject({ code: 0, stderr: '' });
  const served = spawnWaybridge(['serve', '--no-demo'], { ...old, PORT: '0' }, program);
  const service = await readyService(served, old);
  try {
    const client = { ca: await readFile(`${DATA_DIR}/tls/ca.pem`, 'utf8'), port: service.port };
    const headers = { 'service-api-key': String(api_key) };
    expect(await ask(client, `/api/v2/device/${device_key}`, { headers })).toMatchObject({ color: 'white' });
    const query = '{ vehicles { nodes { nickname color } } devices { nodes { color } } }';
    expect(await ask(client, '/graphql', { headers, body: { query } })).toEqual({
      data: {
        vehicles: {
          nodes: [
            { nickname: 'Van 3', color: 'white' },
            { nickname: 'Van 4', color: 'white' },
          ],
        },
        devices: { nodes: [{ color: 'white' }] },
      },
    });
  } finally {
    await service.end();
  }
});
