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
const WRITABLE_FIELD = `  @Writable(() => String, 'Trim level.', { nullable: true, rule: NAME, option: '--trim <name>' })
  readonly trim!: string | null;
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

test('a writable field is one declaration and the generated schema, in GraphQL, REST and the command line', async () => {
  const DATA_DIR = await temporaryFolder();
  const settings = { DATA_DIR, LOG_LEVEL: 'error' };
  const { key: account_key, api_key } = await askWaybridge(['account', 'add', '--nickname', 'Bakery'], settings);

  await tree.insert('schema/vehicles/vehicle.ts', 'export class Vehicle {', WRITABLE_FIELD);
  expect(await tree.run('vitest', ...SCHEMA_TEST, '--update')).toMatchObject({ code: 0 });
  expect(await tree.run('biome', 'ci', 'schema')).toMatchObject({ code: 0 });
  expect(await tree.run('tsc', '-p', '.')).toMatchObject({ code: 0 });
  expect(await tree.run('vite', 'build', '--config', 'server/vite.config.ts')).toMatchObject({ code: 0 });

  const program = tree.path('build/bundle/waybridge.js');
  const run = (...args: readonly string[]) => outcomeOf(spawnWaybridge([...args, '--json'], settings, program));
  const added = await run('vehicle', 'add', '--account', String(account_key), '--nickname', 'Van 3', '--trim', ' GTL ');
  expect(added).toMatchObject({ code: 0, stderr: '' });
  const { key, trim } = JSON.parse(added.stdout) as { readonly key: string; readonly trim: string };
  expect(trim).toBe('GTL');
  expect(await run('vehicle', 'update', key, '--trim', ' ')).toMatchObject({
    stderr: expect.stringContaining('--trim must have 1 to 255 characters'),
  });

  const service = await readyService(
    spawnWaybridge(['serve', '--no-demo'], { ...settings, PORT: '0' }, program),
    settings,
  );
  try {
    const client = { ca: await readFile(`${DATA_DIR}/tls/ca.pem`, 'utf8'), port: service.port };
    const headers = { 'service-api-key': String(api_key) };
    const path = `/api/v2/vehicle/${key}`;
    expect(await ask(client, path, { headers, body: { trim: 'GTX' } })).toMatchObject({ key, trim: 'GTX' });
    expect(await ask(client, path, { headers, body: { trim: '' } })).toEqual({
      errors: 'trim must have 1 to 255 characters',
    });
    const update = (value: string) => `mutation { updateVehicle(key: "${key}", input: { trim: ${value} }) { trim } }`;
    for (const [query, answer] of [
      ['{ vehicles { nodes { trim } } }', { vehicles: { nodes: [{ trim: 'GTX' }] } }],
      [update('"GT"'), { updateVehicle: { trim: 'GT' } }],
      [update('null'), { updateVehicle: { trim: null } }],
    ] as const) {
      expect(await ask(client, '/graphql', { headers, body: { query } })).toEqual({ data: answer });
    }
    expect(await ask(client, path, { headers })).toMatchObject({ trim: null });
    const described = { type: ['string', 'null'], description: 'Trim level, 1 to 255 characters.' };
    expect(await ask(client, '/api/v2/openapi.json')).toMatchObject({
      components: { schemas: { VehicleInput: { properties: { trim: described } } } },
    });
  } finally {
    await service.end();
  }
});
