import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startEmbeddedDatabase } from '../../../embedded/embedded-database.ts';
import { DEMO_FLEET } from '../../../server/demo/fleet.ts';
import { type DemoKeys, readDemoKeys } from '../../../server/demo/demo-keys.ts';
import { freePort } from '../../../server/start/free-port.ts';
import { simulatedTrips } from '../../../server/demo/simulated-trips.ts';
import { accountFolder } from '../../services/account-folder.ts';
import { fullTest, runSize } from '../../services/run-size.ts';
import { type ServiceProcess, serveProcess, spawnWaybridge } from '../../processes/waybridge-process.ts';
import { ask, type Client } from '../../clients/service-client.ts';

const QUIET = { LOG_LEVEL: 'error' };
/** Database writes after the keys before a start is killed: none, among records, among trips. */
const KILLED_AFTER = runSize([12], [0, 12, 40]);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a first start that is killed, or stopped while it answers already, is finished by the next one, and starting again changes nothing but what has expired', async () => {
  const dataDir = join(folder, 'killed');
  const settings = { ...QUIET, DATA_DIR: dataDir };
  let begun: DemoKeys | null = null;
  for (const writes of KILLED_AFTER) {
    await killFirstStart(dataDir, writes);
    const keys = await readDemoKeys(dataDir);
    begun ??= keys;
    expect(keys?.complete).toBe(false);
    expect(keys?.account_key).toBe(begun?.account_key);
  }

  await stopFirstStart(dataDir);

  const first = await serveProcess(settings);
  const before = await readFile(join(dataDir, 'demo.json'), 'utf8');
  const inventory = await expectWhole(first, dataDir);
  expect((await first.end()).code).toBe(0);

  const second = await serveProcess(settings);
  expect(await readFile(join(dataDir, 'demo.json'), 'utf8')).toBe(before);
  expect(await expectWhole(second, dataDir)).toEqual(inventory);
  expect(second.banner).toContain(JSON.parse(before).api_key);
  expect((await second.end()).code).toBe(0);
});

test('an account that is there before leaves the folder without one', async () => {
  const { DATA_DIR } = await accountFolder();
  const service = await serveProcess({ ...QUIET, DATA_DIR });
  await service.end();
  expect(await readDemoKeys(DATA_DIR)).toBeNull();
  expect(service.banner).not.toContain('Demonstration');
});

fullTest('in a database of MONGODB_URI it is made by --demo only, and only where there is no account', async () => {
  const dataDir = join(folder, 'elsewhere');
  const database = await startEmbeddedDatabase({ file: join(folder, 'elsewhere.db') });
  const settings = { ...QUIET, DATA_DIR: dataDir, MONGODB_URI: database.uri };
  try {
    const without = await serveProcess(settings);
    await without.end();
    expect(await readDemoKeys(dataDir)).toBeNull();

    const made = await serveProcess(settings, '--demo');
    await expectWhole(made, dataDir);
    await made.end();

    const refused = await serveProcess({ ...settings, DATA_DIR: join(folder, 'other') }, '--demo');
    await refused.end();
    expect(refused.banner).toContain('No demonstration was created: the database already has accounts.');
    expect(await readDemoKeys(join(folder, 'other'))).toBeNull();
  } finally {
    await database.close();
  }
});

/** Starts the service on an empty folder and kills it when its database has been written to so many times. */
async function killFirstStart(dataDir: string, writes: number): Promise<void> {
  const child = spawnWaybridge(['serve'], { ...QUIET, DATA_DIR: dataDir, PORT: '0' });
  const ended = once(child, 'close');
  await appears(dataDir);
  const watcher = watch(dataDir);
  let left = writes;
  const kill = async (name: unknown): Promise<void> => {
    const isBegun =
      name === 'demo.json' || (name === 'waybridge.db-wal' && (await isThere(join(dataDir, 'demo.json'))));
    if (isBegun && left-- <= 0) child.kill('SIGKILL');
  };
  watcher.on('change', (_, name) => kill(name));
  child.stdout.once('data', () => child.kill('SIGTERM'));
  await ended;
  watcher.close();
  expect(child.signalCode).toBe('SIGKILL');
}

/** Starts the service on a begun folder, and stops it as soon as it answers, before trips are written. */
async function stopFirstStart(dataDir: string): Promise<void> {
  const port = await freePort('127.0.0.1', 0);
  const child = spawnWaybridge(['serve'], { LOG_LEVEL: 'info', DATA_DIR: dataDir, PORT: String(port) });
  const [ended, printed] = [once(child, 'close'), text(child.stdout)];
  for await (const line of createInterface(child.stderr)) if (JSON.parse(line).msg === 'writing simulated trips') break;
  const client: Client = { ca: await readFile(join(dataDir, 'tls/ca.pem'), 'utf8'), port };
  expect(await ask(client, '/healthz')).toMatchObject({ status: 'ok' });
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await printed).toBe('');
  expect((await readDemoKeys(dataDir))?.complete).toBe(false);
}

/** Waits until a folder is there. */
async function appears(path: string): Promise<void> {
  const watcher = watch(join(path, '..'));
  try {
    while (!(await isThere(path))) await once(watcher, 'change');
  } finally {
    watcher.close();
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Expects every record and trip of the demonstration once; answers all keys. */
async function expectWhole(service: ServiceProcess, dataDir: string): Promise<unknown> {
  const keys = await readDemoKeys(dataDir);
  if (!keys) throw new Error('There is no demonstration');
  expect(keys.complete).toBe(true);
  expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600);

  const client: Client = { ca: await readFile(join(dataDir, 'tls/ca.pem'), 'utf8'), port: service.port };
  const headers = { 'service-api-key': keys.api_key };
  const { devices } = await ask(client, '/api/v2/devices', { headers });
  expect(devices).toHaveLength(DEMO_FLEET.length);
  const { groups } = await ask(client, '/api/v2/groups', { headers });
  expect(groups).toHaveLength(2);
  expect((await ask(client, '/api/v2/subscriptions', { headers })).subscriptions).toMatchObject([{ quantity: 5 }]);
  expect((await ask(client, '/api/v2/account', { headers })).user_count).toBe(2);
  expect(
    await ask(client, '/api/v2/account', { headers: { authorization: `Bearer ${keys.access_token}` } }),
  ).toMatchObject({
    key: keys.account_key,
  });

  const trips = await Promise.all(keys.vehicles.map(({ key }) => tripsOf(client, headers, key)));
  for (const [at, car] of DEMO_FLEET.entries()) {
    const expected = [...simulatedTrips(car, new Date(keys.created))].map(({ length }) => length);
    expect(trips[at]?.map(({ point_count }) => point_count)).toEqual(expected);
    expect(trips[at]?.every(({ tags }) => tags[0]?.value === 'Simulated for demonstration')).toBe(true);
  }
  const { vehicles } = await ask(client, '/api/v2/vehicles?expand=last_trip', { headers });
  for (const { vehicle_location, last_trip } of vehicles as Record<string, { timestamp: string }>[]) {
    expect(vehicle_location).toMatchObject((last_trip as unknown as { end_point: object }).end_point);
  }
  return { devices, groups, trips };
}

interface ListedTrip {
  readonly key: string;
  readonly point_count: number;
  readonly tags: readonly { readonly value: string }[];
}

async function tripsOf(client: Client, headers: Record<string, string>, vehicle: string): Promise<ListedTrip[]> {
  const query = `{ trips(vehicle_key: "${vehicle}", first: 1000) { nodes { key point_count tags { value } } } }`;
  const { data } = await ask(client, '/graphql', { headers, body: { query } });
  return (data as { trips: { nodes: ListedTrip[] } }).trips.nodes;
}
