import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { issueIngestKey } from '../../auth/ingest-keys.ts';
import { IngestClient } from '../../cli/simulator/ingest-client.ts';
import { type Batch, simulatedBatches } from '../../cli/simulator/simulated-batches.ts';
import { simulatedDevices } from '../../cli/simulator/simulated-devices.ts';
import { ask } from '../../test/clients/service-client.ts';
import type { ServiceProcess } from '../../test/processes/waybridge-process.ts';
import { atLeast, atMost, type BenchRow } from '../bench-row.ts';
import { cpuTime } from '../cpu-time.ts';
import { percentile } from '../times.ts';
import { benchService, withService } from '../bench-service.ts';
import { benchAccount } from '../records.ts';

/** A fleet that a forwarder sends for: vehicles, devices in a request, and seconds between two positions of a device. */
const FLEET = { vehicles: 10_000, batch: 50, everySeconds: 10 } as const;
/** Time in which all vehicles begin their trips at the same time, in seconds: it is sent as fast as the service takes it. */
const BEGIN_SECONDS = 20;
/** Time that is measured after that, in seconds. */
const MEASURED_SECONDS = 60;
/** Maximum number of requests under way. */
const MAX_REQUESTS = 16;
/** A signal that nobody gives. */
const NEVER: AbortSignal = new AbortController().signal;

/**
 * Measures a fleet at its own pace, with the faults of devices: the times until its requests are acknowledged, counted from
 * when they are due, and the CPU of the service. Then the service is killed, and what was acknowledged is counted.
 */
export async function fleetPace(folder: string): Promise<BenchRow[]> {
  const { apiKey, secret } = await fleetIn(folder);
  let service = await benchService({ DATA_DIR: folder });
  const ca = await readFile(join(folder, 'tls/ca.pem'), 'utf8');
  const client = new IngestClient({ url: `${service.url}/api/v2/ingest`, secret, ca }, MAX_REQUESTS);
  try {
    const { times, cores, sent } = await drive(client, service);
    await service.end('SIGKILL');
    service = await benchService({ DATA_DIR: folder });
    const stored = await storedPositions({ ca, port: service.port }, apiKey);
    const name = `${FLEET.vehicles} vehicles, a position each ${FLEET.everySeconds} s, in batches of ${FLEET.batch}`;
    const [p50, p99 = Number.NaN] = [0.5, 0.99].map((share) => Math.round(percentile(times, share)));
    return [
      atMost(`${name}: p99 to a second`, p99 / 1000, 1, `p50 ${p50} ms, p99 ${p99} ms, ${times.length} requests`),
      atMost(`${name}: cores that the service takes`, cores, 1, `${MEASURED_SECONDS} s, embedded database included`),
      atLeast(`${name}: acknowledged positions there after kill -9`, stored / sent, 1, `${stored} of ${sent}`),
    ];
  } finally {
    client.close();
    await service.end('SIGKILL');
  }
}

function fleetIn(folder: string) {
  return withService({ DATA_DIR: folder }, async (service) => {
    const { key, apiKey } = await benchAccount(service);
    await simulatedDevices(service, key, FLEET.vehicles, () => undefined);
    const { secret } = await issueIngestKey(service, { account_key: key, device_key: null });
    return { apiKey, secret };
  });
}

/** Sends the batches, those of a sender one after another, and returns what was acknowledged. */
async function drive(client: IngestClient, { child }: ServiceProcess) {
  const start = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
  const forSeconds = BEGIN_SECONDS + MEASURED_SECONDS;
  const batches = simulatedBatches({ ...FLEET, seed: 'pace', faults: 'default', start, forSeconds });
  const senders = new Map<number, Promise<void>>();
  const underWay = new Set<Promise<void>>();
  const acknowledged = new Set<string>();
  const times: number[] = [];
  const send = async ({ devices }: Batch) => {
    await client.send({ batch: devices }, NEVER);
    for (const { serial, points } of devices)
      for (const { timestamp } of points) acknowledged.add(`${serial} ${timestamp}`);
  };
  const measuredFrom = start + BEGIN_SECONDS * 1000;
  let began: { readonly at: number; readonly cpu: number } | null = null;
  const pid = child.pid ?? 0;
  for (const batch of batches) {
    if (batch.due >= measuredFrom) {
      if (began === null) {
        await Promise.all(underWay);
        began = { at: performance.now(), cpu: cpuTime(pid) };
      }
      await setTimeout(began.at + batch.due - measuredFrom - performance.now());
    } else {
      while (underWay.size >= MAX_REQUESTS) await Promise.race(underWay);
    }
    const due = began && began.at + batch.due - measuredFrom;
    const sent = (senders.get(batch.sender) ?? Promise.resolve())
      .then(() => send(batch))
      .then(() => void (due !== null && times.push(performance.now() - due)))
      .finally(() => underWay.delete(sent));
    senders.set(batch.sender, sent);
    underWay.add(sent);
  }
  await Promise.all(underWay);
  const used = began === null ? Number.NaN : (cpuTime(pid) - began.cpu) / 1000 / (performance.now() - began.at);
  return { times, cores: used, sent: acknowledged.size };
}

/** Positions of all trips of an account. */
async function storedPositions(service: { readonly ca: string; readonly port: number }, apiKey: string) {
  const query =
    'query ($after: String) { trips(first: 200, after: $after) { nodes { point_count } page_info { end_cursor } } }';
  let stored = 0;
  for (let after: string | null = null; ; ) {
    const body = { query, variables: { after } };
    const { data } = await ask(service, '/graphql', { headers: { 'service-api-key': apiKey }, body });
    const { nodes, page_info } = (data as { readonly trips: TripPage }).trips;
    stored += nodes.reduce((sum, { point_count }) => sum + point_count, 0);
    after = page_info.end_cursor;
    if (after === null) return stored;
  }
}

interface TripPage {
  readonly nodes: readonly { readonly point_count: number }[];
  readonly page_info: { readonly end_cursor: string | null };
}
