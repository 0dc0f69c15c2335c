import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { SCOPES } from '../../../auth/scopes/scope.ts';
import { numberGrowth } from '../../../notifying/changes/number-changes.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { account, appFor, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost, timeAt } from '../../hosts/ingest-host.ts';
import { runSize } from '../../services/run-size.ts';
import { injectedFetch } from '../../clients/injected-fetch.ts';
import { memoryStore } from '../../../client/replica/memory-store.ts';
import { Replica } from '../../../client/replica/replica.ts';
import { copiedRecords, kindsOf, queryRecords, type Reader, withoutEmpty } from './queried-records.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

/** Changes of an account; numbers choose among the records that there are. */
const STEPS = [
  'addVehicle',
  'renameVehicle',
  'placeVehicle',
  'removeVehicle',
  'restoreVehicle',
  'addDevice',
  'moveDevice',
  'sendPositions',
  'sendLatePositions',
  'addGroup',
  'renameGroup',
  'moveGroup',
  'deactivateGroup',
  'addPlace',
  'resizePlace',
  'removePlace',
  'addRule',
  'removeRule',
  'addTag',
  'removeTag',
  'tagTrip',
  'driveVehicle',
  'driveTrip',
  'addUser',
  'placeUser',
  'removeUser',
  'restrictReader',
  'restrictDriver',
  'renameDriver',
  'addZone',
  'removeZone',
  'followSome',
] as const;

type StepName = (typeof STEPS)[number];

interface Step {
  readonly name: StepName;
  readonly pick: number;
  readonly other: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom(...STEPS),
  pick: fc.nat({ max: 99 }),
  other: fc.nat({ max: 99 }),
});

/** Keys of the records that a history has made, by kind. */
type Made = Readonly<
  Record<'vehicle' | 'device' | 'group' | 'place' | 'rule' | 'tag' | 'user' | 'zone' | 'gone', string[]>
>;

/** Readers of an account: its owner, apps of a user who sees all of it and of one of a group, and the same of drivers. */
const READERS: readonly { readonly name: string; readonly reader: Reader }[] = [
  { name: 'owner', reader: 'owner' },
  { name: 'app', reader: 'app' },
  { name: 'app of one group', reader: 'app' },
  { name: 'driver', reader: 'driver' },
  { name: 'driver of one group', reader: 'driver' },
];

/** Minimum number of changes in a row after which a copy is read again: few, so that most histories have enough. */
const LEAST_CHANGES = 4;

/** A program with a copy, which ends at any request and starts again with what it has stored. */
class Reading {
  readonly #store = memoryStore();
  readonly headers: Readonly<Record<string, string>>;
  #size = 20;
  #requests = Number.POSITIVE_INFINITY;

  constructor(headers: Readonly<Record<string, string>>) {
    this.headers = headers;
  }

  /** Reads in pages of a size until the copy is current, or the program ends after a number of requests. */
  async run(size: number, requests = Number.POSITIVE_INFINITY): Promise<Replica> {
    [this.#size, this.#requests] = [size, requests];
    const copy = new Replica(this.#access(), this.#store, LEAST_CHANGES);
    await copy.sync().catch((error: unknown) => {
      if (requests === Number.POSITIVE_INFINITY) throw error;
    });
    return copy;
  }

  #access() {
    const send = injectedFetch(host.app);
    const fetch: typeof send = async (address, init) => {
      if (this.#requests-- <= 0) throw new Error('The program has ended');
      const { query, variables } = JSON.parse(String(init?.body));
      const first = query.includes('changes(') ? this.#size : variables.first;
      return send(address, { ...init, body: JSON.stringify({ query, variables: { ...variables, first } }) });
    };
    return { url: 'https://localhost', credentials: { headers: async () => this.headers }, fetch };
  }
}

/** Sizes of the last pages that are read: less than a change has entries, about as many, and more than there are. */
const PAGE_SIZES = [1, 3, 7, 20, 500];

/** An account with its {@link READERS}. */
class History {
  readonly #owner: Awaited<ReturnType<typeof account>>;
  readonly #made: Made = {
    vehicle: [],
    device: [],
    group: [],
    place: [],
    rule: [],
    tag: [],
    user: [],
    zone: [],
    gone: [],
  };
  readonly #secrets = new Map<string, string>();
  readonly #reader: string;
  readonly #drivers: readonly string[];
  readonly #readings: readonly Reading[];
  #sent = 0;
  readonly #begun = Date.now();

  private constructor(
    owner: Awaited<ReturnType<typeof account>>,
    users: { readonly reader: string; readonly drivers: readonly string[] },
    readings: readonly Reading[],
  ) {
    this.#owner = owner;
    this.#reader = users.reader;
    this.#drivers = users.drivers;
    this.#readings = readings;
  }

  static async begin(): Promise<History> {
    const owner = await account();
    const reader = await user(owner.key);
    const driver = { account_role: 'driver' } as const;
    const drivers = [await user(owner.key, [], driver), await user(owner.key, [], driver)];
    const scopes = Object.keys(SCOPES);
    const apps = await Promise.all(
      [await user(owner.key), reader, ...drivers].map((userKey) => appFor(userKey, scopes)),
    );
    const headers = [owner.headers, ...apps.map((app) => app.headers)];
    const readings = headers.map((one) => new Reading(one));
    const history = new History(owner, { reader, drivers }, readings);
    for (const name of ['addGroup', 'addVehicle', 'driveVehicle', 'addPlace', 'addDevice', 'sendPositions'] as const) {
      await history.#do({ name, pick: 0, other: 0 });
    }
    for (const name of ['restrictReader', 'restrictDriver'] as const) await history.#do({ name, pick: 0, other: 1 });
    for (const reading of readings) await reading.run(20);
    return history;
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const one of steps) await this.#do(one);
    await leasedWorkEnded(testService);
    // Trips that are under way are logged once a second, and a read may have been the last time.
    await numberGrowth(testService, [this.#owner.key]);
    for (const [at, reading] of this.#readings.entries()) {
      const { name, reader } = READERS[at] ?? { name: '', reader: 'owner' };
      const copy = await reading.run(PAGE_SIZES[(at + steps.length) % PAGE_SIZES.length] ?? 1);
      const ask = (query: string) => host.ask(query, reading.headers);
      const queried = await queryRecords(ask, reader, kindsOf(reader, this.#made.zone.length > 0));
      expect(await copiedRecords(copy), name).toEqual(withoutEmpty(queried));
    }
  }

  async #do({ name, pick, other }: Step): Promise<unknown> {
    const { vehicle, device, group, place, rule, tag, user: users, zone, gone } = this.#made;
    const one = (keys: readonly string[], by = pick) => keys[by % keys.length] ?? 'none';
    const groups = other % 3 === 0 || group.length === 0 ? '[]' : `["${one(group, other)}"]`;
    switch (name) {
      case 'addVehicle':
        return this.#make(vehicle, `createVehicle(input: { nickname: "V${pick}", group_keys: ${groups} })`);
      case 'renameVehicle':
        return this.#change(`updateVehicle(key: "${one(vehicle)}", input: { nickname: "N${other}" })`);
      case 'placeVehicle':
        return this.#change(`updateVehicle(key: "${one(vehicle)}", input: { group_keys: ${groups} })`);
      case 'removeVehicle':
        return this.#remove(vehicle, `deleteVehicle(key: "${one(vehicle)}")`, gone);
      case 'restoreVehicle':
        return this.#remove(gone, `restoreVehicle(key: "${one(gone)}")`, vehicle);
      case 'addDevice':
        return this.#addDevice(one(vehicle));
      case 'moveDevice':
        return this.#change(`updateDevice(key: "${one(device)}", input: { vehicle_key: "${one(vehicle, other)}" })`);
      case 'sendPositions':
        this.#sent += 1 + (other % 5 === 0 ? 3600 : other);
        return this.#send(one(device), this.#sent);
      case 'sendLatePositions':
        return this.#send(one(device), Math.floor(this.#sent * (other / 100)));
      case 'addGroup':
        return this.#make(group, `createGroup(name: "G${this.#begun}.${group.length}")`);
      case 'renameGroup':
        return this.#change(`updateGroup(group_key: "${one(group)}", input: { name: "R${other}" })`);
      case 'moveGroup':
        return this.#change(
          `updateGroup(group_key: "${one(group)}", input: { parent_group_key: ${other % 3 === 0 ? null : `"${one(group, other)}"`} })`,
        );
      case 'deactivateGroup':
        return this.#change(`deactivateGroup(group_key: "${one(group)}")`);
      case 'addPlace':
        return this.#addPlace(8.8 + pick / 1000);
      case 'resizePlace':
        return this.#change(`updatePlace(key: "${one(place)}", input: { radius: ${100 + 10 * other} })`);
      case 'removePlace':
        return this.#remove(place, `deletePlace(key: "${one(place)}")`);
      case 'addRule':
        return this.#addRule(pick % 2 === 0 ? 'speed_limit: 20' : 'silent_minutes: 15');
      case 'removeRule':
        return this.#remove(rule, `deleteRule(key: "${one(rule)}")`);
      case 'addTag':
        return this.#make(tag, `createTag(input: { value: "T${tag.length}.${pick}", type: Trip })`);
      case 'removeTag':
        return this.#remove(tag, `deleteTag(key: "${one(tag)}")`);
      case 'tagTrip':
        return this.#changeTrip(pick, `tags: ["${one(tag)}"]`);
      case 'driveVehicle':
        return this.#change(`updateVehicle(key: "${one(vehicle)}", input: { driver_key: ${this.#driver(other)} })`);
      case 'driveTrip':
        return this.#changeTrip(pick, `user_key: ${this.#driver(other)}`);
      case 'addUser':
        return this.#make(
          users,
          `createUser(input: { first_name: "U${pick}", account_role: driver, group_keys: ${groups} })`,
        );
      case 'placeUser':
        return this.#change(`updateUser(key: "${one(users)}", input: { group_keys: ${groups} })`);
      case 'removeUser':
        return this.#remove(users, `deleteUser(key: "${one(users)}")`);
      case 'restrictReader':
        return this.#change(`updateUser(key: "${this.#reader}", input: { group_keys: ["${one(group, other)}"] })`);
      case 'restrictDriver':
        return this.#change(`updateUser(key: "${this.#drivers[1]}", input: { group_keys: ["${one(group, other)}"] })`);
      case 'renameDriver':
        return this.#change(`updateUser(key: ${this.#driver(pick)}, input: { first_name: "D${other}" })`);
      case 'addZone':
        return this.#make(
          zone,
          `createPrivacyZone(input: { lat: 53.0758, lon: ${8.8 + pick / 1000}, radius_meters: 200 })`,
        );
      case 'removeZone':
        return this.#remove(zone, `removePrivacyZone(key: "${one(zone)}")`);
      case 'followSome':
        return this.#readings[pick % this.#readings.length]?.run(1 + (other % 4), 1 + (pick % 9));
    }
  }

  /** Changes the account as its owner; what names nothing that is there changes nothing. */
  async #change(mutation: string): Promise<string | null> {
    const { data } = await host.graphql(`mutation { made: ${mutation} { key } }`, this.#owner.headers);
    return (data?.made as { readonly key: string } | null | undefined)?.key ?? null;
  }

  async #make(kind: string[], mutation: string): Promise<void> {
    const key = await this.#change(mutation);
    if (key !== null) kind.push(key);
  }

  async #remove(from: string[], mutation: string, to: string[] = []): Promise<void> {
    const key = await this.#change(mutation);
    const at = key === null ? -1 : from.indexOf(key);
    if (at >= 0) to.push(...from.splice(at, 1));
  }

  async #addPlace(lon: number): Promise<void> {
    const circle = `point: { lat: 53.0758, lon: ${lon} }, radius: 300`;
    await this.#makeEarly(this.#made.place, `createPlace(input: { name: "P", category: business, ${circle} })`);
  }

  async #addRule(limit: string): Promise<void> {
    await this.#makeEarly(this.#made.rule, `createRule(input: { name: "R", ${limit} })`);
  }

  /** Makes a place or a rule before all positions, since visits and events begin after it was made. */
  async #makeEarly(kind: string[], mutation: string): Promise<void> {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(timeAt(-60)) });
    await this.#make(kind, mutation);
    vi.useRealTimers();
  }

  async #addDevice(vehicleKey: string): Promise<void> {
    const key = await this.#change(
      `createDevice(serial: "S${this.#begun}.${this.#secrets.size}", vehicle_key: "${vehicleKey}")`,
    );
    if (key === null) return;
    this.#made.device.push(key);
    this.#secrets.set(
      key,
      (await issueIngestKey(testService, { account_key: this.#owner.key, device_key: key })).secret,
    );
  }

  async #send(deviceKey: string, seconds: number): Promise<void> {
    const reported = seconds % 3 === 0 ? ['trip_hard_brake'] : [];
    const points = [at(seconds, ...reported), at(seconds + 5), at(seconds + 10)];
    await host.post(this.#secrets.get(deviceKey) ?? '', { points });
  }

  /** One of the drivers, with copies or not, or nobody. */
  #driver(pick: number): string {
    const drivers = [...this.#drivers, ...this.#made.user];
    const { [pick % (drivers.length + 1)]: key } = drivers;
    return JSON.stringify(key ?? null);
  }

  async #changeTrip(pick: number, input: string): Promise<void> {
    const { data } = await host.graphql('{ trips { nodes { key } } }', this.#owner.headers);
    const { nodes } = data.trips as { readonly nodes: readonly { readonly key: string }[] };
    const trip = nodes[pick % nodes.length];
    if (trip) await this.#change(`updateTrip(key: "${trip.key}", input: { ${input} })`);
  }
}

test('a copy that follows the log equals what its reader can query, whatever happens and wherever it stops', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const history = await History.begin();
      await history.run(steps);
    }),
    {
      numRuns: runSize(Number(process.env.RUNS ?? 6), 10_000),
      ...(process.env.SEED && { seed: Number(process.env.SEED) }),
    },
  );
});
