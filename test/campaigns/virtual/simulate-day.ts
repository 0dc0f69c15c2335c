import { rm } from 'node:fs/promises';

import { Random } from '../../../server/demo/random.ts';
import { Dice } from '../hostile/dice.ts';

import { BalanceLooks, Copier, DrivingDevice, GroupMaker, REPORTED, Receiver } from './clients.ts';
import { Cluster, type ClusterParts } from './cluster.ts';
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
/** Duration of a drive, and of the work around it, when one access to the disk fails, in milliseconds. */
const DRIVE_MS = 15_000;
const MINUTE_MS = 65_000;
/** Time in which everything is settled after the last fault, in milliseconds. */
const SETTLES_WITHIN_MS = 40_000;
/** Time after which a receiver is tried again that failed for long, in milliseconds. */
const RETRY_MS = 1_900_000;

/** A course that a day takes, between its start and the verification. */
type Course = (cluster: Cluster, clients: Clients) => Promise<void>;

/** Simulates a day of servers, of clients and of faults, all of which follow from a seed. */
export async function simulateDay(fleet: Fleet, seed: string, busyTimes = BUSY_TIMES): Promise<DayResult> {
  const dice = new Dice(`${seed} faults`);
  const [servers, isShared] = [2 + dice.below(2), dice.chance(0.5)];
  return simulate(fleet, seed, { dice, servers, isShared }, (cluster, clients) => busyDay(cluster, clients, busyTimes));
}

/**
 * Simulates a server whose disk fails once in each of many hours: at the first access to it, then at the second, and so on, each
 * as often as the steps say, until an hour has fewer.
 */
export async function failEachAccess(fleet: Fleet, first: number, step: number): Promise<DayResult> {
  const seed = `each access from ${first}`;
  const one = { dice: new Dice(seed), servers: 1, isShared: false };
  return simulate(fleet, seed, one, async (cluster, clients) => {
    clients.receiver.isMoody = false;
    for (const [access, how] of FAILURES) {
      for (let before = first; await isReached(cluster, clients, { access, before, how }); before += step) {
        cluster.count(`fault: ${how} ${access}`);
      }
    }
  });
}

const FAILURES = [
  ['write', 'full'],
  ['write', 'broken'],
  ['read', 'broken'],
] as const;

/** Lets an hour with a drive and some changes pass in which one access fails; returns false if there are not so many. */
async function isReached(cluster: Cluster, clients: Clients, failure: Cluster['nextFailure']): Promise<boolean> {
  const { time } = cluster;
  cluster.nextFailure = failure;
  await Promise.all([
    ...clients.devices.slice(0, 1).map((device) => device.drive(time.now + DRIVE_MS)),
    clients.groups.work(time.now + DRIVE_MS),
    // The work of each minute takes place, too.
    clients.copier.work(time.now + MINUTE_MS),
  ]);
  const isOver = cluster.nextFailure === null;
  cluster.nextFailure = null;
  await Promise.all(clients.devices.map((device) => device.finish()));
  time.suspend(SLEEP_MS[0]);
  return isOver;
}

async function simulate(
  fleet: Fleet,
  seed: string,
  parts: Pick<ClusterParts, 'dice' | 'servers' | 'isShared'>,
  course: Course,
): Promise<DayResult> {
  const dataDir = await copyFleet(fleet);
  const time = new VirtualTime(new Random(`${seed} chance`), MORNING);
  const network = new VirtualNetwork(time, new Random(`${seed} network`));
  const receiver = new Receiver(time, new Dice(`${seed} receiver`));
  const cluster = new Cluster({ ...parts, time, network, fleet, dataDir, sender: receiver });
  const restores = [time.install(), network.install()];
  try {
    await time.until(runDay(cluster, fleet, receiver, course));
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

async function runDay(cluster: Cluster, fleet: Fleet, receiver: Receiver, course: Course): Promise<void> {
  const { time } = cluster;
  await cluster.start();
  await makeWebhook(cluster, fleet);
  const clients: Clients = {
    devices: fleet.vehicles.map((vehicle) => new DrivingDevice(cluster, vehicle)),
    groups: new GroupMaker(cluster, fleet),
    copier: new Copier(cluster, fleet),
    receiver,
  };
  await clients.copier.begin();
  await course(cluster, clients);
  await cluster.heal();
  receiver.isMoody = false;
  await Promise.all(clients.devices.map((device) => device.finish()));
  await new BalanceLooks(cluster).work(time.now + SETTLES_WITHIN_MS);
  time.suspend(RETRY_MS);
  await new BalanceLooks(cluster).work(time.now + SETTLES_WITHIN_MS);
  await clients.copier.finish();
  await verify(cluster, fleet, clients);
}

async function busyDay(cluster: Cluster, clients: Clients, busyTimes: number): Promise<void> {
  const { time, dice } = cluster;
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
}

async function makeWebhook(cluster: Cluster, { headers }: Fleet): Promise<void> {
  const body = { url: 'https://receiver.example/', events: [REPORTED, 'trip_start', 'trip_end'] };
  const [place] = cluster.places;
  const answer = place && (await cluster.ask(place, { method: 'POST', url: '/api/v2/webhooks', headers, body }));
  if (answer?.status !== 201) throw new Error(`POST /webhooks is ${answer?.status} ${answer?.text}`);
}
