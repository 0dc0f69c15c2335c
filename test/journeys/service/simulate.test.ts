import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Simulation, simulatedBatches } from '../../../cli/simulator/simulated-batches.ts';
import { ask } from '../../clients/service-client.ts';
import { askCommand, runCommand } from '../../processes/run-command.ts';
import { askWaybridge, type ServiceProcess, serveProcess, spawnWaybridge } from '../../processes/waybridge-process.ts';

const FROM = '2026-03-01T12:00:00Z';
const SIMULATION: Simulation = {
  ...{ vehicles: 3, everySeconds: 10, seed: 'harbour', start: Date.parse(FROM), forSeconds: 200 },
  ...{ faults: 'default', batch: 1 },
};
/** The command for {@link SIMULATION}, much faster than it would be. */
const ARGUMENTS = ['--vehicles', '3', '--every', '10s', '--seed', 'harbour', '--from', FROM, '--for', '200s'];
const FAST = ['--speed', '1000000'];

let folder: string;
let service: ServiceProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
  service = await serveProcess({ DATA_DIR: folder, LOG_LEVEL: 'error' }, '--no-demo');
});
afterAll(async () => {
  await service?.end();
  await rm(folder, { recursive: true, force: true });
});

/** An account of the service, and the vehicles of it as its owner reads them. */
async function accountOfService() {
  const { settings, port } = service;
  const created = await askCommand(['account', 'add', '--nickname', 'Harbour'], settings);
  const caFile = join(folder, 'tls/ca.pem');
  const client = { ca: await readFile(caFile, 'utf8'), port };
  const pointsOf = async (vehicle: string): Promise<number> => {
    const query = `{ trips(vehicle_key: "${vehicle}", first: 100) { nodes { point_count } } }`;
    const headers = { 'service-api-key': String(created.api_key) };
    const { data } = await ask(client, '/graphql', { headers, body: { query } });
    const { trips } = data as { trips: { nodes: { point_count: number }[] } };
    return trips.nodes.reduce((sum, { point_count }) => sum + point_count, 0);
  };
  return { settings, account: String(created.key), url: `${service.url}/api/v2/ingest`, caFile, pointsOf };
}

/** Timestamps that each device sends in a simulation, in the order of the devices. */
function timestampsOf(simulation: Simulation): string[][] {
  const sent = new Map<string, string[]>();
  for (const { devices } of simulatedBatches(simulation)) {
    for (const { serial, points } of devices) {
      sent.set(serial, [...(sent.get(serial) ?? []), ...points.map(({ timestamp }) => timestamp)]);
    }
  }
  return [...sent].sort(([one], [other]) => one.localeCompare(other)).map(([, timestamps]) => timestamps);
}

test('a simulation arrives as its seed says, faults and all, and sent again to the address everything is known', async () => {
  const { settings, account, url, caFile, pointsOf } = await accountOfService();
  const sent = timestampsOf(SIMULATION);
  const distinct = sent.map((timestamps) => new Set(timestamps).size);
  const total = sent.flat().length;
  const accepted = distinct.reduce((sum, count) => sum + count, 0);
  expect(accepted).toBeLessThan(total);

  const args = ['simulate', '--account', account, ...ARGUMENTS, ...FAST];
  const first = await askCommand(args, settings);
  expect(first).toMatchObject({ from: '2026-03-01T12:00:00.000Z', seed: 'harbour', accepted, repeated: 0 });
  expect(first.duplicates).toBe(total - accepted);
  const vehicles = first.vehicles as string[];
  expect(vehicles).toHaveLength(3);

  const sound = await askCommand([...args, '--faults', 'none'], settings);
  expect(sound.vehicles).toEqual(vehicles);
  const recorded = timestampsOf({ ...SIMULATION, faults: 'none' });
  expect(await Promise.all(vehicles.map(pointsOf))).toEqual(recorded.map((timestamps) => timestamps.length));

  const { forwarder_key_secret } = await askCommand(['forwarder-key', 'add', '--account', account], settings);
  const elsewhere = { NODE_EXTRA_CA_CERTS: caFile, FORWARDER_KEY_SECRET: String(forwarder_key_secret) };
  const again = await askWaybridge(['simulate', '--url', url, ...ARGUMENTS, ...FAST, '--faults', 'none'], elsewhere);
  expect(again).toMatchObject({ accepted: 0, duplicates: recorded.flat().length });
});

test('a signal ends it when what is under way is acknowledged, with exit code 0, and its key is revoked', async () => {
  const { settings, account, pointsOf } = await accountOfService();
  const args = ['simulate', '--account', account, '--vehicles', '1', '--every', '1s', '--faults', 'none', '--json'];
  const child = spawnWaybridge(args, settings);
  const output = text(child.stdout);
  const keys = async () => (await askCommand(['forwarder-key', 'list', '--account', account], settings)).nodes;
  await expect.poll(keys, { interval: 250 }).toEqual([expect.objectContaining({ last_used: expect.any(String) })]);
  child.kill('SIGTERM');
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  const { accepted, vehicles } = JSON.parse(await output) as { accepted: number; vehicles: string[] };
  expect(accepted).toBeGreaterThan(0);
  expect(await pointsOf(vehicles[0] ?? '')).toBe(accepted);
  expect(await keys()).toEqual([expect.objectContaining({ revoked: expect.any(String) })]);
});

test('without a service it says so, and adds no key that stays valid', async () => {
  const { settings: own, account } = await accountOfService();
  const settings = { ...own, PORT: '1' };
  const { code, stdout, stderr } = await runCommand(['simulate', '--account', account, '--vehicles', '1'], settings);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^https:\/\/localhost:1\/api\/v2\/ingest does not answer \(ECONNREFUSED\); start the service/);
  const { nodes: keys } = await askCommand(['forwarder-key', 'list', '--account', account], settings);
  expect(keys).toEqual([expect.objectContaining({ revoked: expect.any(String) })]);
});
