import type { Cluster, Place } from './cluster.ts';
import { type Copier, type DrivingDevice, type GroupMaker, REPORTED, type Receiver } from './clients.ts';
import type { Fleet } from './fleet.ts';

/** Everybody whose work is verified. */
export interface Clients {
  readonly devices: readonly DrivingDevice[];
  readonly groups: GroupMaker;
  readonly copier: Copier;
  readonly receiver: Receiver;
}

interface Trip {
  readonly key: string;
  readonly point_count: number;
}

interface ShownGroup {
  readonly key: string;
  readonly name: string;
  readonly children: readonly ShownGroup[];
}

/** Compares what was acknowledged with what a server shows. */
export async function verify(cluster: Cluster, fleet: Fleet, clients: Clients): Promise<void> {
  const place = cluster.dice.pick(cluster.places);
  const read = new Reader(cluster, fleet, place);
  const groups = await verifyGroups(read, clients.groups);
  const trips: unknown[] = [];
  for (const device of clients.devices) trips.push(...(await verifyPositions(read, device)));
  await verifyFeed(read, clients.copier, groups, trips);
  for (const device of clients.devices) verifyEvents(cluster, device, clients.receiver);
}

/** Reads all pages of a server, which must answer. */
class Reader {
  readonly cluster: Cluster;
  readonly #fleet: Fleet;
  readonly #place: Place;

  constructor(cluster: Cluster, fleet: Fleet, place: Place) {
    this.cluster = cluster;
    this.#fleet = fleet;
    this.#place = place;
  }

  async list(path: string, root: string): Promise<readonly unknown[]> {
    const found: unknown[] = [];
    const sep = path.includes('?') ? '&' : '?';
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const from = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const url = `/api/v2${path}${sep}size=200${from}`;
      const answer = await this.cluster.ask(this.#place, { url, headers: this.#fleet.headers });
      if (answer?.status !== 200) {
        this.cluster.find(`After all faults, GET ${path} is ${answer?.status} ${answer?.text.slice(0, 200)}`);
        return found;
      }
      const page = JSON.parse(answer.text) as Record<string, unknown>;
      found.push(...(page[root] as unknown[]));
      cursor = page.cursor as string | undefined;
    }
    return found;
  }
}

async function verifyGroups(read: Reader, { made, uncertain }: GroupMaker): Promise<readonly ShownGroup[]> {
  const flat = (groups: readonly ShownGroup[]): ShownGroup[] =>
    groups.flatMap((group) => [group, ...flat(group.children ?? [])]);
  const shown = flat((await read.list('/groups', 'groups')) as ShownGroup[]);
  const names = new Map(shown.map(({ key, name }) => [key, name]));
  if (names.size !== shown.length) read.cluster.find('A group is listed twice');
  for (const [key, name] of made) {
    const found = names.get(key);
    if (found !== name) read.cluster.find(`Group ${key} is ${found ?? 'lost'}, and was acknowledged as ${name}`);
  }
  const others = shown.filter(({ key }) => !made.has(key)).map(({ name }) => name);
  for (const name of others) {
    if (!uncertain.has(name)) read.cluster.find(`Nobody made a group ${name}, or it was made twice`);
  }
  if (new Set(others).size !== others.length) read.cluster.find(`Groups were made twice: ${others.join(', ')}`);
  return shown;
}

/** Each position that was acknowledged is in one trip, in the order of time, and each drive is one trip. */
async function verifyPositions(read: Reader, device: DrivingDevice): Promise<readonly unknown[]> {
  const { vehicle, acknowledged, drives } = device;
  const trips = await read.list(`/trips?vehicle_key=${vehicle.vehicle_key}`, 'trips');
  const shown: string[] = [];
  for (const { key } of trips.toReversed() as Trip[]) {
    const points = (await read.list(`/trip/${key}/points`, 'trip_points')) as {
      readonly timestamp: string;
      readonly point: { readonly lat: number };
    }[];
    shown.push(...points.map(({ timestamp, point }) => `${new Date(timestamp).toISOString()} ${point.lat.toFixed(4)}`));
  }
  const sent = acknowledged.map(({ time, lat }) => `${new Date(time).toISOString()} ${lat.toFixed(4)}`);
  const who = `Vehicle ${vehicle.vehicle_key}`;
  const [seen, known] = [new Set(shown), new Set(sent)];
  const lost = sent.filter((position) => !seen.has(position));
  const foreign = shown.filter((position) => !known.has(position));
  if (lost.length > 0) read.cluster.find(`${who}: ${lost.length} of ${sent.length} positions are lost: ${lost[0]}`);
  if (foreign.length > 0) read.cluster.find(`${who}: ${foreign.length} positions were not sent: ${foreign[0]}`);
  if (seen.size !== shown.length) read.cluster.find(`${who}: ${shown.length - seen.size} positions are shown twice`);
  if (shown.toSorted().join() !== shown.join()) read.cluster.find(`${who}: positions are out of order`);
  const expected = drives.filter(({ count }) => count > 1).length;
  if (lost.length + foreign.length === 0 && trips.length !== expected)
    read.cluster.find(`${who}: ${expected} drives are ${trips.length} trips`);
  return trips;
}

/** Compares what the feed has told of each record with the record as it is. */
async function verifyFeed(
  read: Reader,
  { records }: Copier,
  groups: readonly ShownGroup[],
  trips: readonly unknown[],
): Promise<void> {
  const compare = (kind: string, now: readonly unknown[], facts: (record: never) => unknown) => {
    const told = [...records].filter(([name]) => name.startsWith(`${kind} `));
    const state = new Map(now.map((record) => [`${kind} ${(record as { key: string }).key}`, record]));
    for (const [name, record] of told) {
      const is = state.get(name);
      if (is === undefined) read.cluster.find(`The feed has ${name}, which is not there`);
      else if (JSON.stringify(facts(record as never)) !== JSON.stringify(facts(is as never)))
        read.cluster.find(
          `The feed has ${name} as ${JSON.stringify(facts(record as never))}, not ${JSON.stringify(facts(is as never))}`,
        );
    }
    for (const name of state.keys()) if (!records.has(name)) read.cluster.find(`The feed lacks ${name}`);
  };
  compare('group', groups, ({ name }: ShownGroup) => name);
  compare('trip', trips, ({ point_count, end_point }: Trip & { end_point: unknown }) => [point_count, end_point]);
}

/** Each event that was acknowledged was notified, under one id, and first in the order of its vehicle. */
function verifyEvents(cluster: Cluster, { vehicle, acknowledged }: DrivingDevice, { received }: Receiver): void {
  const mine = received.filter(({ vehicle_key }) => vehicle_key === vehicle.vehicle_key);
  const first = mine.filter(({ id }, at) => mine.findIndex((one) => one.id === id) === at);
  const reported = first.filter(({ event }) => event === REPORTED);
  const times = reported.map(({ timestamp }) => timestamp);
  const who = `Vehicle ${vehicle.vehicle_key}`;
  for (const { time } of acknowledged.filter(({ isUnplugged }) => isUnplugged)) {
    const at = new Date(time).toISOString();
    const count = times.filter((one) => one === at).length;
    if (count !== 1) cluster.find(`${who}: the receiver got the event of ${at} under ${count} ids`);
  }
  const late = times.findIndex((time, at) => time < (times[at - 1] ?? ''));
  if (late > 0) cluster.find(`${who}: the event of ${times[late]} was notified after that of ${times[late - 1]}`);
}
