import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { issueIngestKey } from '../../auth/ingest-keys.ts';
import { IngestClient } from '../../cli/simulator/ingest-client.ts';
import { type Batch, simulatedBatches, simulatedSerial } from '../../cli/simulator/simulated-batches.ts';
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
/** Time that is measured, in seconds. */
const MEASURED_SECONDS = 60;
/** Maximum number of requests under way. */
const MAX_REQUESTS = 16;
/** Seconds from a departure until its trip has certainly begun: it has been a minute, and two positions show that. */
const BEGUN_SECONDS = 60 + 2 * FLEET.everySeconds;
/** After the kill, each so many-th acknowledged request is sent again: all its positions must be known. */
const AGAIN_EACH = 10;
/** A signal that nobody gives. */
const NEVER: AbortSignal = new AbortController().signal;

/** Requests of a fleet. */
interface Pace {
  readonly batches: Iterable<Batch>;
  /** Time from which it is sent when it is due, in milliseconds since 1970; what is before is sent as fast as the service takes it. */
  readonly measuredFrom: number;
}

/**
 * Measures a fleet at its own pace, with the faults of devices, after all vehicles have begun their trips at the same time: the
 * times until its requests are acknowledged, counted from when they are due, and the CPU of the service. Then the service is
 * killed, and what was acknowledged is counted.
 *
 * @param why a bound may not be kept
 */
export async function fleetPace(folder: string, why: string): Promise<BenchRow[]> {
  const start = hourAgo();
  const forSeconds = BEGUN_SECONDS + MEASURED_SECONDS;
  const batches = simulatedBatches({ ...FLEET, seed: 'pace', faults: 'default', start, forSeconds });
  const name = `${FLEET.vehicles} vehicles, a position each ${FLEET.everySeconds} s, in batches of ${FLEET.batch}`;
  return pacedRows(
    folder,
    { name, why },
    { batches, measuredFrom: start + BEGUN_SECONDS * 1000 },
    async ({ again }) => {
      let [known, positions] = [0, 0];
      for (let at = 0; at < again.batches.length; at += AGAIN_EACH) {
        const answer = await again.client.send({ batch: again.batches[at] }, NEVER);
        known += answer?.duplicates ?? 0;
        positions += (answer?.accepted ?? 0) + (answer?.duplicates ?? 0);
      }
      const detail = `${known} of ${positions}, those of each ${AGAIN_EACH}th request`;
      return atLeast(`${name}: acknowledged positions known after kill -9`, known / positions, 1, detail);
    },
  );
}

/** A fleet that departs from its yard. */
const RUSH = { vehicles: 10_000, batch: 100, everySeconds: 10, leavingSeconds: 600, metersPerSecond: 14 } as const;

/** Measures a fleet like {@link fleetPace}, whose vehicles leave within ten minutes. */
export async function rushHour(folder: string, why: string): Promise<BenchRow[]> {
  const start = hourAgo();
  const measuredFrom = start + BEGUN_SECONDS * 1000;
  const end = measuredFrom + MEASURED_SECONDS * 1000;
  const name = `${RUSH.vehicles} vehicles that leave within ${RUSH.leavingSeconds} s, in batches of ${RUSH.batch}`;
  return pacedRows(folder, { name, why }, { batches: departures(start, end), measuredFrom }, async ({ readTrips }) => {
    const trips = await readTrips();
    const due = (RUSH.vehicles * ((end - start) / 1000 - BEGUN_SECONDS)) / RUSH.leavingSeconds;
    const detail = `${trips.length} trips, at least ${Math.floor(due)} due`;
    return atLeast(`${name}: trips that have begun there after kill -9`, trips.length / due, 1, detail);
  });
}

/** Positions of vehicles that stand, and leave one after another. */
function* departures(start: number, end: number): Generator<Batch> {
  const everyMs = RUSH.everySeconds * 1000;
  const senders = RUSH.vehicles / RUSH.batch;
  for (let from = start; from < end; from += everyMs) {
    for (let sender = 0; sender < senders; sender++) {
      const due = from + Math.floor((everyMs * sender) / senders);
      const devices = Array.from({ length: RUSH.batch }, (_, at) => {
        // Each sender's vehicles leave all the time.
        const left = start + ((at * senders + sender) / RUSH.vehicles) * RUSH.leavingSeconds * 1000;
        const meters = (Math.max(0, due - left) / 1000) * RUSH.metersPerSecond;
        const point = { lat: 53 + sender / 1000, lon: 8 + at / 1000 + meters / 66_900 };
        const speed = meters > 0 ? RUSH.metersPerSecond * 2.237 : 0;
        const sent = { point, timestamp: new Date(due).toISOString(), speed, heading: 90 };
        return { serial: simulatedSerial(sender * RUSH.batch + at + 1), points: [sent] };
      });
      yield { sender, due, devices };
    }
  }
}

function hourAgo(): number {
  return Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
}

/** The service after the kill. */
interface Afterwards {
  readonly again: { readonly client: IngestClient; readonly batches: readonly Batch['devices'][] };
  /** Reads the keys of all trips. */
  readonly readTrips: () => Promise<readonly string[]>;
}

async function pacedRows(
  folder: string,
  { name, why }: { readonly name: string; readonly why: string },
  pace: Pace,
  rest: (after: Afterwards) => Promise<BenchRow>,
): Promise<BenchRow[]> {
  const { apiKey, secret } = await fleetIn({ DATA_DIR: folder }, FLEET.vehicles);
  let service = await benchService({ DATA_DIR: folder });
  const ca = await readFile(join(folder, 'tls/ca.pem'), 'utf8');
  const connect = () => new IngestClient({ url: `${service.url}/api/v2/ingest`, secret, ca }, MAX_REQUESTS);
  let client = connect();
  try {
    const { times, cores, batches } = await drive(client, service, pace);
    await service.end('SIGKILL');
    client.close();
    service = await benchService({ DATA_DIR: folder });
    client = connect();
    const readTrips = () => tripsOf({ ca, port: service.port }, apiKey);
    const [p50, p99 = Number.NaN] = [0.5, 0.99].map((share) => Math.round(percentile(times, share)));
    return [
      atMost(`${name}: p99 to a second`, p99 / 1000, 1, `p50 ${p50} ms, p99 ${p99} ms, ${times.length} requests`, why),
      atMost(
        `${name}: cores that the service takes`,
        cores,
        1,
        `${MEASURED_SECONDS} s, embedded database included`,
        why,
      ),
      await rest({ again: { client, batches }, readTrips }),
    ];
  } finally {
    client.close();
    await service.end('SIGKILL');
  }
}

/** Stores an account with simulated vehicles, its API key, and a forwarder's key. */
export function fleetIn(env: Readonly<Record<string, string>>, vehicles: number) {
  return withService(env, async (service) => {
    const { key, apiKey } = await benchAccount(service);
    await simulatedDevices(service, key, vehicles, () => undefined);
    const { secret } = await issueIngestKey(service, { account_key: key, device_key: null });
    return { apiKey, secret };
  });
}

/** Sends the batches, those of a sender one after another, and returns what was acknowledged. */
async function drive(client: IngestClient, { child }: ServiceProcess, { batches, measuredFrom }: Pace) {
  const senders = new Map<number, Promise<void>>();
  const underWay = new Set<Promise<void>>();
  const acknowledged: Batch['devices'][] = [];
  const times: number[] = [];
  const send = async ({ devices }: Batch) => {
    await client.send({ batch: devices }, NEVER);
    acknowledged.push(devices);
  };
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
  return { times, cores: used, batches: acknowledged };
}

/** Keys of the trips of an account. */
async function tripsOf(service: { readonly ca: string; readonly port: number }, apiKey: string) {
  const query =
    'query ($after: String) { trips(first: 200, after: $after) { nodes { key } page_info { end_cursor } } }';
  const keys: string[] = [];
  for (let after: string | null = null; ; ) {
    const body = { query, variables: { after } };
    const { data } = await ask(service, '/graphql', { headers: { 'service-api-key': apiKey }, body });
    const { nodes, page_info } = (data as { readonly trips: TripPage }).trips;
    keys.push(...nodes.map(({ key }) => key));
    after = page_info.end_cursor;
    if (after === null) return keys;
  }
}

interface TripPage {
  readonly nodes: readonly { readonly key: string }[];
  readonly page_info: { readonly end_cursor: string | null };
}
