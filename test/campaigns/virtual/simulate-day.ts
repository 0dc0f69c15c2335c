import { rm } from 'node:fs/promises';

import { Random } from '../../../server/demo/random.ts';
import { Dice } from '../hostile/dice.ts';

import { BalanceLooks, Copier, DrivingDevice, GroupMaker, REPORTED, Receiver } from './clients.ts';
import { Cluster } from './cluster.ts';
import { befall } from './faults.ts';
import { copyFleet, type Fleet, MORNING } from './fleet.ts';
import { type Clients, verify } from './verify.ts';
import { VirtualNetwork } from './virtual-network.ts';
import { VirtualTime } from './virtual-time.ts';

/** Result of a day. */
export interface DayResult {
  readonly seed: string;
  readonly findings: readonly string[];
  /** Hash of all that happened, in order and with its times: the same for the same seed. */
  readonly trace: string;
  /** Timers and deliveries of the day. */
  readonly happened: number;
  readonly counts: ReadonlyMap<string, number>;
  /** The longest time in which a request was answered, in milliseconds. */
  readonly slowest: number;
}

/** Busy times of a day, and how long each of them lasts, in milliseconds; between them, everything sleeps for an hour or more. */
const BUSY_TIMES = 4;
const BUSY_MS = 40_000;
const SLEEP_MS = [3_600_000, 3 * 3_600_000] as const;
/** Time in which everything is settled after the last fault, in milliseconds. */
const SETTLES_WITHIN_MS = 40_000;
/** Time after which a receiver is tried again that failed for long, in milliseconds. */
const RETRY_MS = 1_900_000;

/** Simulates a day of servers, of clients and of faults, all of which follow from a seed. */
export async function simulateDay(fleet: Fleet, seed: string, busyTimes = BUSY_TIMES): Promise<DayResult> {
  const dataDir = await copyFleet(fleet);
  const dice = new Dice(`${seed} faults`);
  const time = new VirtualTime(new Random(`${seed} chance`), MORNING);
  const network = new VirtualNetwork(time, new Random(`${seed} network`));
  const receiver = new Receiver(time, new Dice(`${seed} receiver`));
  const [servers, isShared] = [2 + dice.below(2), dice.chance(0.5)];
  const cluster = new Cluster({ time, network, dice, fleet, dataDir, servers, isShared, sender: receiver });
  const restores = [time.install(), network.install()];
  try {
    await time.until(runDay(cluster, fleet, receiver, busyTimes));
  } catch (error) {
    cluster.find(`The day has not ended: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    for (const restore of restores.reverse()) restore();
  }
  for (const error of time.uncaught) cluster.find(`Nobody caught ${error instanceof Error ? error.stack : error}`);
  for (const damage of cluster.end()) cluster.find(`The file is damaged: ${damage}`);
  await rm(dataDir, { recursive: true });
  const { findings, counts, slowest } = cluster;
  return { seed, findings, trace: time.trace, happened: time.happened, counts, slowest };
}

async function runDay(cluster: Cluster, fleet: Fleet, receiver: Receiver, busyTimes: number): Promise<void> {
  const { time, dice } = cluster;
  await cluster.start();
  await makeWebhook(cluster, fleet);
  const clients: Clients = {
    devices: fleet.vehicles.map((vehicle) => new DrivingDevice(cluster, vehicle)),
    groups: new GroupMaker(cluster, fleet),
    copier: new Copier(cluster, fleet),
    receiver,
  };
  await clients.copier.begin();
  for (let busy = 0; busy < busyTimes; busy++) {
    const until = time.now + BUSY_MS;
    await Promise.all([
      befall(cluster, until),
      ...clients.devices.map((device) => device.drive(until)),
      clients.groups.work(until),
      clients.copier.work(until),
      new BalanceLooks(cluster).work(until),
    ]);
    time.suspend(SLEEP_MS[0] + dice.below(SLEEP_MS[1]));
  }
  await cluster.heal();
  receiver.isMoody = false;
  await Promise.all(clients.devices.map((device) => device.finish()));
  await new BalanceLooks(cluster).work(time.now + SETTLES_WITHIN_MS);
  time.suspend(RETRY_MS);
  await new BalanceLooks(cluster).work(time.now + SETTLES_WITHIN_MS);
  await clients.copier.finish();
  await verify(cluster, fleet, clients);
}

async function makeWebhook(cluster: Cluster, { headers }: Fleet): Promise<void> {
  const body = { url: 'https://receiver.example/', events: [REPORTED, 'trip_start', 'trip_end'] };
  const [place] = cluster.places;
  const answer = place && (await cluster.ask(place, { method: 'POST', url: '/api/v2/webhooks', headers, body }));
  if (answer?.status !== 201) throw new Error(`POST /webhooks is ${answer?.status} ${answer?.text}`);
}
