import 'reflect-metadata';

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ServiceProcess } from '../test/processes/waybridge-process.ts';
import { atMost, type BenchRow } from './bench-row.ts';
import { benchService, withService } from './bench-service.ts';
import { cpuTime, withChildren } from './cpu-time.ts';
import { HttpsLoad } from './https-load.ts';
import { byTurns, median } from './times.ts';
import { benchFleet } from './waits/fleet-records.ts';

const CEILING = 1.1;
const TURNS = 15;
const WARM_UPS = 6;
const CONCURRENCY = 16;
const DEVICE = 'key serial status vehicle_key is_connected disconnected_timestamp last_transmission';

/** Documents that answer what built-in paths do; a list without its cursor, which is sealed in GraphQL alone. */
const DOCUMENTS = {
  'device.graphql': `query OldDevice($key: String!) @route(path: "/old/device/{key}") { device(key: $key) { ${DEVICE} } }`,
  'devices.graphql': `query OldDevices @route(path: "/old/devices") {
    devices { devices: nodes { ${DEVICE} } page_info @flat { more: has_next_page } } }`,
};

/** Measures routes of documents against built-in paths with the same response, by the CPU time of the service. */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  const documents = join(folder, 'documents');
  mkdirSync(documents);
  for (const [name, text] of Object.entries(DOCUMENTS)) writeFileSync(join(documents, name), text);
  const env = { DATA_DIR: join(folder, 'data'), TRUSTED_DOCUMENTS: documents };
  const load = new HttpsLoad();
  let service: ServiceProcess | undefined;
  try {
    const fleet = await withService(env, (stored) =>
      benchFleet(stored, { devices: 200, groups: 1, vehicles: 10, users: 1, subscriptions: 1 }),
    );
    const started = await benchService(env);
    service = started;
    const rows: BenchRow[] = [];
    for (const [path, count] of [
      [`/device/${fleet.deviceKey}`, 1000],
      ['/devices', 300],
    ] as const) {
      const timeOf = (url: string) => async () => {
        const before = timeOfProcesses(started);
        const headers = { 'service-api-key': fleet.apiKey };
        await load.send({ url, method: 'GET', headers, body: '', count, concurrency: CONCURRENCY });
        return (timeOfProcesses(started) - before) / count;
      };
      const base = `${started.url}/api/v2`;
      const works = [timeOf(`${base}/old${path}`), timeOf(base + path)];
      const [own = [], built = []] = await byTurns(TURNS, WARM_UPS, works);
      const ratios = own.map((time, turn) => time / (built[turn] ?? Number.NaN));
      const detail = `${median(own).toFixed(0)} µs to ${median(built).toFixed(0)} µs of CPU a request, database included; turns ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
      const what = `a route for GET ${path.replace(fleet.deviceKey, '{key}')}, to the path itself`;
      rows.push(atMost(what, median(ratios), CEILING, detail));
    }
    return rows;
  } finally {
    await Promise.all([service?.end(), load.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

function timeOfProcesses({ child }: ServiceProcess): number {
  return withChildren(child.pid ?? 0).reduce((sum, pid) => sum + cpuTime(pid), 0);
}
