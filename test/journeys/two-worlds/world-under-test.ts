import type { LightMyRequestResponse } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { vi } from 'vitest';

import { OPERATOR } from '../../../auth/security-events.ts';
import { holderOfGrant, issueAccessToken } from '../../../auth/grants.ts';
import { SESSION_COOKIE } from '../../../auth/oauth/flow-cookies.ts';
import { SCOPES } from '../../../auth/scopes/scope.ts';
import { hashSecret } from '../../../auth/secrets/secrets.ts';
import { signTripToken } from '../../../auth/trip-token.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { DeviceMinuteStore } from '../../../models/trips/device-minute.ts';
import { OauthRecordStore } from '../../../models/sign-in/oauth-record.ts';
import { ShareStore } from '../../../models/shares/share.ts';
import { GroupStore } from '../../../models/account/group.ts';
import { newKey } from '../../../models/key.ts';
import { PrivacyZoneStore } from '../../../models/vehicles/privacy-zone.ts';
import { PlaceStore } from '../../../models/places/place.ts';
import { unrestricted, accountAccessScope } from '../../../models/store/tenancy.ts';
import { TagStore } from '../../../models/account/tag.ts';
import { UserStore } from '../../../models/account/user.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { TripPointsBucketStore } from '../../../models/trips/trip-points-bucket.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { RuleEventStore } from '../../../models/rules/rule-event.ts';
import { RuleStore, rulesChanged } from '../../../models/rules/rule.ts';
import { WebhookStore } from '../../../models/webhooks/webhook.ts';
import { gatewaySchema } from '../../../resolvers/gateway-schema.ts';
import { readNodeId } from '../../../resolvers/relations/nodes.ts';
import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { updateVehicle } from '../../../resolvers/vehicles/write-vehicle.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { createWebhook } from '../../../resolvers/webhooks/manage-webhook.ts';
import { Admission, type AdmissionQuotas } from '../../../http/admission/admission.ts';
import { sendBehind } from '../../../notifying/webhooks/webhook-dispatch.ts';
import { webhookEvents } from '../../../resolvers/webhooks/webhook-events.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import { accountRoutes } from '../../../rest-bridge/account-routes.ts';
import { readRow } from '../../../rest-bridge/rest-table.ts';
import { EventName } from '../../../schema/events/event.ts';
import { account, appFor, group, SHORT_TRIPS, subscription, user, vehicle } from '../../services/account-fixture.ts';
import { ORIGIN } from '../../clients/graphql-client.ts';
import type { useGpxFiles } from '../../fixtures/gpx-file.ts';
import { ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { everyQuestion, fieldsForOthers, type Known, type Question, valuesOf } from './every-question.ts';
import type { PlannedPosition, PlannedTrip, PlannedWorld, PlannedZone, WorldPair } from './world-pair.ts';
import { testService, sendNotificationsBy } from '../../services/database.ts';

/** An answer as it left, with the words of its question; keys are numbered in the order of their appearance. */
export interface Answer {
  readonly words: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

type Headers = Readonly<Record<string, string>>;

/** Somebody other than the owner who asks. */
interface Asker {
  readonly name: string;
  readonly headers: Headers;
  /** The permissions that it holds. */
  readonly mayAsk: readonly string[];
}

/** Scopes of the apps: all of them, and the fewest that show devices. */
/** Settings with which trips end with gaps alone: where a vehicle is hidden decides about none. */
const ONE_DRIVE = { ...SHORT_TRIPS, stop_seconds: 86_400, ignition_off_seconds: 86_400, maximum_kmh: 100_000 };

const SCOPES_OF_APPS = [Object.keys(SCOPES), ['account.read']];

/** Facts about the ends of all trips that may be shown besides their positions. */
const KNOWN_ENDS = Object.fromEntries(
  ['start_point', 'end_point'].flatMap((end) => [
    [`${end}.address`, { street: 'Main Street 1', city: 'Bremen', state: null, zipcode: null }],
    [`${end}.place`, { key: 'place', name: 'Depot' }],
    [`${end}.odometer`, 12],
    [`${end}.fuel_level`, 50],
  ]),
);

const EVENT_NAMES = Object.values(EventName);

/** Key of the webhook of each world. */
const WEBHOOK_KEY = 'webhook';

const PAGE = 'https://fleet.example';

/** The time at which groups were last changed. */
const MADE_AT = new Date('2026-03-01T12:00:00Z');

/** The users that questions make. */
const MADE_BY_QUESTIONS = { first_name: 'Grace' };

/** A tag of trips. */
const TAG = { key: 'tag', value: 'Fast', value_folded: 'fast', type: 'Trip', created: new Date(0) } as const;

/** When the rules were made that all worlds have. */
const MADE_BEFORE_ALL = new Date(0);

/** Makes rules that the positions of most worlds violate. */
async function makeRules(account_key: string): Promise<void> {
  const since = MADE_BEFORE_ALL;
  const rule = { account_key, since, created: since, updated: since, vehicle_keys: [] };
  await RuleStore.insertMany(unrestricted(testService), [
    { ...rule, key: 'speed', name: 'Fast', speed_limit: 20, silent_minutes: null },
    { ...rule, key: 'silence', name: 'Silent', speed_limit: null, silent_minutes: 15 },
  ]);
  await rulesChanged(testService, account_key);
}

/** Headers that differ from answer to answer; an `ETag` follows from the body, with the keys in it. */
const OF_ONE_ANSWER = ['date', 'x-request-id', 'etag'];

/** A host that counts what is asked, from the beginning, and reports it by headers. */
function limitedHost(): ReturnType<typeof ingestHost> {
  const names = ['caller', 'account', 'forwarder', 'address', 'points', 'mapPoints', 'appPoints', 'accountPoints'];
  const quotas = names.map((name) => [
    name,
    { name, points: 1e9, seconds: 3600, isHidden: name.startsWith('account') },
  ]);
  return ingestHost({ admission: new Admission(Object.fromEntries(quotas) as AdmissionQuotas) });
}

/** A host with an account, a vehicle and an app, in which one world after the other is made and looked at. */
export class WorldUnderTest {
  #host: Awaited<ReturnType<typeof ingestHost>>;
  readonly #schema: GraphQLSchema;
  readonly #gpx: ReturnType<typeof useGpxFiles>;
  readonly #device: Awaited<ReturnType<typeof recordingDevice>>;
  readonly #apps: readonly Awaited<ReturnType<typeof appFor>>[];
  readonly #groupKey: string;
  readonly #userKey: string;
  readonly #leavingUserKey: string;
  readonly #viewerKey: string;

  private constructor(parts: {
    host: Awaited<ReturnType<typeof ingestHost>>;
    schema: GraphQLSchema;
    gpx: ReturnType<typeof useGpxFiles>;
    device: Awaited<ReturnType<typeof recordingDevice>>;
    apps: readonly Awaited<ReturnType<typeof appFor>>[];
    groupKey: string;
    userKey: string;
    leavingUserKey: string;
    viewerKey: string;
  }) {
    this.#host = parts.host;
    this.#schema = parts.schema;
    this.#gpx = parts.gpx;
    this.#device = parts.device;
    this.#apps = parts.apps;
    this.#groupKey = parts.groupKey;
    this.#userKey = parts.userKey;
    this.#leavingUserKey = parts.leavingUserKey;
    this.#viewerKey = parts.viewerKey;
  }

  /** Opens the host, with an app for each of {@link SCOPES_OF_APPS}. */
  static async open(gpx: ReturnType<typeof useGpxFiles>): Promise<WorldUnderTest> {
    const device = await recordingDevice(await account({ trip_settings: ONE_DRIVE }));
    const holder = await user(device.owner.key);
    await subscription(device.owner.key);
    await makeRules(device.owner.key);
    const apps = await Promise.all(SCOPES_OF_APPS.map((scopes) => appFor(holder, scopes)));
    const { key: groupKey } = await group(device.owner.key, 'Drivers');
    const accessScope = accountAccessScope(testService, device.owner.key);
    await updateVehicle(accessScope, device.vehicle_key, { group_keys: [groupKey] });
    const userKey = await user(device.owner.key);
    const leavingUserKey = await user(device.owner.key, [], { account_role: 'viewer' });
    const viewerKey = await user(device.owner.key, [], { account_role: 'viewer' });
    return new WorldUnderTest({
      host: await limitedHost(),
      schema: await gatewaySchema(),
      gpx,
      device,
      apps,
      groupKey,
      userKey,
      leavingUserKey,
      viewerKey,
    });
  }

  close(): Promise<void> {
    return this.#host.app.close();
  }

  /** Makes a world in the place of the one before, and asks everything that others than the owner may ask. */
  async answersIn(world: PlannedWorld, pair: WorldPair): Promise<Answer[]> {
    await this.#host.app.close();
    this.#host = await limitedHost();
    await this.#clear();
    await this.#makeWebhook(pair.now);
    await this.#make(world, pair.zones);
    if (world.isSettled) await this.#settle(pair.now);
    const posted = await this.#posted(pair.now);
    return [posted, ...(await this.#askAll(pair))];
  }

  async #clear(): Promise<void> {
    const all = { accessScope: unrestricted(testService) };
    await TripStore.deleteMany(all.accessScope, {});
    await TripPointsBucketStore.deleteMany(all.accessScope, {});
    await DeviceMinuteStore.deleteMany(all.accessScope, {});
    await PrivacyZoneStore.deleteMany(all.accessScope, {});
    await PlaceStore.deleteMany(all.accessScope, {});
    await RuleStore.deleteMany(all.accessScope, { since: { $gt: MADE_BEFORE_ALL } });
    await RuleEventStore.deleteMany(all.accessScope, {});
    await ShareStore.deleteMany(all.accessScope, {});
    await WebhookStore.deleteMany(all.accessScope, {});
    await TagStore.deleteMany(all.accessScope, {});
    await TagStore.create(unrestricted(testService), { ...TAG, account_key: this.#device.owner.key });
    const neverSeen = { last_transmission: null, care: null, position: null, seen_outside: null };
    await DeviceStore.updateMany(all.accessScope, {}, neverSeen);
  }

  /** Makes a webhook of the first app for all kinds of events. */
  async #makeWebhook(now: number): Promise<void> {
    vi.setSystemTime(now);
    const holder = await holderOfGrant(testService, this.#apps[0]?.grant.id_hash ?? '');
    if (!holder) throw new Error('The app has no grant');
    const { key } = await createWebhook(testService, holder, OPERATOR, {
      url: 'https://fleet.example/',
      events: EVENT_NAMES,
    });
    await WebhookStore.updateOne(unrestricted(testService), { key }, { key: WEBHOOK_KEY });
  }

  /** Sends what the webhook is to be sent, as an answer. */
  async #posted(now: number): Promise<Answer> {
    vi.setSystemTime(now);
    const bodies: string[] = [];
    sendNotificationsBy({
      post: async ({ body }) => {
        bodies.push(body);
        return { status_code: 200, response: '', retry_after: null };
      },
      mayReach: () => true,
    });
    await numberChanges(testService);
    await sendBehind(testService, webhookEvents);
    return { words: 'webhook', status: 200, headers: {}, body: JSON.stringify(bodies) };
  }

  async #make({ trips }: PlannedWorld, zones: readonly PlannedZone[]): Promise<void> {
    for (const [at, trip] of trips.entries()) {
      await this.#makeZones(zones.filter(({ before }) => before === at));
      if (trip.positions.length === 0) continue;
      vi.setSystemTime(Math.max(...trip.positions.map(({ time }) => time)) + 1000);
      await (trip.origin === 'file' ? this.#import(trip) : this.#send(trip));
    }
    await this.#makeZones(zones.filter(({ before }) => before >= trips.length));
    await TripStore.updateMany(unrestricted(testService), {}, KNOWN_ENDS);
  }

  async #makeZones(zones: readonly PlannedZone[]): Promise<void> {
    const accessScope = accountAccessScope(testService, this.#device.owner.key);
    for (const { lat, lon, radius_meters, trips } of zones) {
      await createPrivacyZone(accessScope, { lat, lon, radius_meters, trips });
    }
  }

  async #import({ positions }: PlannedTrip): Promise<void> {
    const files = [await this.#gpx.write(`${newKey()}.gpx`, [positions])];
    const { failures } = await importTrips(testService, {
      files,
      vehicle: { key: this.#device.vehicle_key, account_key: this.#device.owner.key },
      read: { overlap: 'keep' },
    });
    if (failures.length > 0) throw new AggregateError(failures, 'A trip could not be imported');
  }

  async #send({ positions, requests, shuffle }: PlannedTrip): Promise<void> {
    const order = positions.map((position, at) => ({ position, place: (at * 7919 + shuffle * 104_729) % 1009 }));
    order.sort((one, other) => one.place - other.place);
    const size = Math.ceil(order.length / requests);
    for (let from = 0; from < order.length; from += size) {
      const points = order.slice(from, from + size).map(({ position }) => sentPoint(position));
      const { status, body } = await this.#host.post(this.#device.secret, { points });
      if (status !== 200) throw new Error(`Positions were refused: ${JSON.stringify(body)}`);
    }
  }

  /** Lets the device fall silent and its trips be closed. */
  async #settle(now: number): Promise<void> {
    vi.setSystemTime(now);
    const care = { by: null, until: new Date(0) };
    const filter = { key: this.#device.device_key, care: { $ne: null } };
    await DeviceStore.updateOne(unrestricted(testService), filter, { care });
    await closeOfflineTrips(testService);
  }

  async #askAll({ now, instants }: WorldPair): Promise<Answer[]> {
    vi.setSystemTime(now);
    const callers = await this.#callers(instants);
    const tripKeys = await this.#tripKeys(callers[0]?.headers ?? {});
    const unseen = await TripStore.findOne(unrestricted(testService), { key: { $nin: tripKeys } }, 'key');
    const known: Known = {
      vehicle_key: this.#device.vehicle_key,
      device_key: this.#device.device_key,
      group_key: this.#groupKey,
      tag_key: TAG.key,
      webhook_key: WEBHOOK_KEY,
      user_key: this.#userKey,
      leaving_user_key: this.#leavingUserKey,
      trip_keys: [...tripKeys, unseen?.key ?? newKey()],
      instants: instants.map((instant) => new Date(instant).toISOString()),
    };
    const answers: Answer[] = [];
    const questions = everyQuestion(this.#schema, known);
    for (const { name, headers, mayAsk } of callers) {
      const askable = questions.filter(({ access }) => access.some((one) => one === 'visitor' || mayAsk.includes(one)));
      for (const question of askable) answers.push(...(await this.#askPages(question, headers, name)));
      if (headers.origin !== undefined) continue;
      for (const path of restPaths(this.#schema, known))
        answers.push(await this.#get(path, headers, `${name} GET `, known));
      vi.setSystemTime(now + 15 * 60_000);
      answers.push(await this.#get(`/device/${known.device_key}`, headers, `${name} later GET `, known));
      vi.setSystemTime(now);
    }
    const numbered = withNumbers(answers, await keysMade());
    await this.#deleteMade();
    return numbered;
  }

  /** Deletes what the questions have made. */
  async #deleteMade(): Promise<void> {
    const all = { accessScope: unrestricted(testService) };
    await GroupStore.deleteMany(all.accessScope, { key: { $ne: this.#groupKey } });
    await VehicleStore.deleteMany(all.accessScope, { key: { $ne: this.#device.vehicle_key } });
    await DeviceStore.deleteMany(all.accessScope, { key: { $ne: this.#device.device_key } });
    await UserStore.deleteMany(all.accessScope, MADE_BY_QUESTIONS);
    await UserStore.updateMany(all.accessScope, {}, { updated: null });
    await GroupStore.updateMany(all.accessScope, {}, { active: true, updated: MADE_AT });
  }

  /** Those who ask: apps, a signed-in viewer, trip maps with windows, and the pages of shares of a vehicle and of a group. */
  async #callers(instants: readonly number[]): Promise<Asker[]> {
    const apps = await Promise.all(
      this.#apps.map(async ({ grant }, at) => {
        const authorization = `Bearer ${await issueAccessToken(testService, grant)}`;
        return { name: `app ${at}`, headers: { authorization }, mayAsk: SCOPES_OF_APPS[at] ?? [] };
      }),
    );
    const signedIn = { cookie: await this.#sessionCookie(), origin: ORIGIN };
    const viewer = { name: 'viewer', headers: signedIn, mayAsk: Object.keys(SCOPES) };
    const [after, before] = instants.map((instant) => new Date(instant).toISOString());
    const maps = ['loc-past', `loc-past-gte:${after}`, `loc-past-lt:${before}`].map(async (scope) => {
      const authorization = `Bearer ${await this.#tokenOf(scope)}`;
      return { name: `map ${scope}`, headers: { authorization, origin: PAGE }, mayAsk: ['embed'] };
    });
    const { owner, vehicle_key } = this.#device;
    await vehicle(owner.key, [{ key: this.#groupKey, group_path: [this.#groupKey] }]);
    const shared = { share: { vehicle_key }, 'group share': { group_key: this.#groupKey } };
    const shares = Object.entries(shared).map(async ([name, what]) => {
      const authorization = `Bearer ${await this.#tokenOfShare(what, new Date(instants[0] ?? Number.NaN))}`;
      return { name, headers: { authorization, origin: PAGE }, mayAsk: ['embed'] };
    });
    return [...apps, viewer, ...(await Promise.all([...maps, ...shares]))];
  }

  /** The cookie of a browser in which a viewer is signed in. */
  async #sessionCookie(): Promise<string> {
    const [cookie, loginTs] = [newKey(), Math.floor(Date.now() / 1000)];
    const exp = loginTs + 3600;
    const session = { uid: newKey(), accountId: this.#viewerKey, loginTs, exp };
    await OauthRecordStore.create(testService, {
      kind: 'Session',
      id_hash: hashSecret(cookie),
      expires_at: new Date(exp * 1000),
      details: JSON.stringify(session),
    });
    return `${SESSION_COOKIE}=${cookie}`;
  }

  #tokenOf(scope: string): Promise<string> {
    const { client_id = '', grant } = this.#apps[0] ?? {};
    const sub = `vehicle:${this.#device.vehicle_key}`;
    return signTripToken(testService, ORIGIN, { sub, aud: PAGE, scope, client_id, grant: grant?.grant_hash ?? '' });
  }

  async #tokenOfShare(what: { vehicle_key: string } | { group_key: string }, created: Date): Promise<string> {
    const key = newKey();
    const ends = { expires: new Date('2100-01-01'), ends_with_trip: false };
    const { key: account_key } = this.#device.owner;
    await ShareStore.create(unrestricted(testService), {
      ...{ key, account_key, secret_hash: key, ...what, ...ends, created, updated: created },
    });
    const sub = 'group_key' in what ? `group:${what.group_key}` : `vehicle:${what.vehicle_key}`;
    return signTripToken(testService, ORIGIN, { sub, aud: PAGE, share: key });
  }

  async #tripKeys(headers: Headers): Promise<string[]> {
    const query = `{ trips(vehicle_key: "${this.#device.vehicle_key}", first: 1000) { nodes { key } } }`;
    const { body } = await this.#request('POST', '/graphql', headers, { query });
    return (JSON.parse(body).data.trips.nodes as { key: string }[]).map(({ key }) => key);
  }

  /** Asks, and where the answer is a page, for all after it. */
  async #askPages({ words, query, variables, field, isPage }: Question, headers: Headers, name: string) {
    const answers: Answer[] = [];
    let after: unknown = variables.after;
    for (let page = 0; page < 100; page++) {
      const { first, ...given } = variables;
      const payload = { query, variables: isPage ? { ...given, after } : given };
      const response = await this.#request('POST', '/graphql', headers, payload);
      answers.push(answerOf(`${name} ${words} page ${page}`, response));
      const pageInfo = isPage ? JSON.parse(response.body).data?.[field]?.page_info : null;
      if (!pageInfo?.has_next_page) break;
      after = pageInfo.end_cursor;
    }
    return answers;
  }

  async #get(path: string, headers: Headers, name: string, { trip_keys }: Known): Promise<Answer> {
    const words = trip_keys.reduce((text, key, at) => text.replace(key, `trip ${at}`), path);
    return answerOf(`${name}${words}`, await this.#request('GET', `/api/v2${path}`, headers));
  }

  #request(method: 'GET' | 'POST', url: string, headers: Headers, payload?: object): Promise<LightMyRequestResponse> {
    return this.#host.app.inject({
      method,
      url,
      headers: { host: 'localhost', ...headers },
      ...(payload && { payload }),
    });
  }
}

/** Paths that REST answers by GET, with and without a small page, with every value of the parameter in them. */
function restPaths(schema: GraphQLSchema, known: Known): string[] {
  const asked = new Set(fieldsForOthers(schema).map(({ name }) => name));
  return Object.entries(accountRoutes).flatMap(([row, route]) => {
    const { method, path } = readRow(row);
    if (method !== 'GET' || !('query' in route) || !asked.has(route.query)) return [];
    if (route.query === 'nearbyVehicles') return [`${path}?lat=53.1&long=8.8`];
    if (route.query === 'stays')
      return ['', '&size=1'].map((page) => `${path}?vehicle_key=${known.vehicle_key}${page}`);
    const [parameter, name] = /\{(\w+)\}/.exec(path) ?? [];
    const values = parameter === undefined || name === undefined ? [''] : valuesOf(route.query, name, known);
    const paths = values.map((value) => path.replace(parameter ?? '', String(value)));
    return route.root === undefined ? paths : paths.flatMap((one) => [one, `${one}?size=1`]);
  });
}

function sentPoint({ time, lat, lon, speed, events }: PlannedPosition) {
  return { point: { lat, lon }, timestamp: new Date(time).toISOString(), speed, events };
}

function answerOf(words: string, { statusCode, headers, body }: LightMyRequestResponse): Answer {
  const same = Object.entries(headers).filter(([name]) => !OF_ONE_ANSWER.includes(name));
  return { words, status: statusCode, headers: Object.fromEntries(same), body };
}

/** The keys that were made with the world, or by the questions. */
async function keysMade(): Promise<ReadonlySet<string>> {
  const trips = await TripStore.find(unrestricted(testService), {}, 'key');
  const groups = await GroupStore.find(unrestricted(testService), {}, 'key');
  const vehicles = await VehicleStore.find(unrestricted(testService), {}, 'key');
  const devices = await DeviceStore.find(unrestricted(testService), {}, 'key');
  const users = await UserStore.find(unrestricted(testService), MADE_BY_QUESTIONS, 'key');
  const tags = await TagStore.find(unrestricted(testService), {}, 'key');
  const places = await PlaceStore.find(unrestricted(testService), {}, 'key');
  const rules = await RuleStore.find(unrestricted(testService), {}, 'key');
  const webhooks = await WebhookStore.find(unrestricted(testService), {}, 'key');
  return new Set(
    [...webhooks, ...trips, ...tags, ...places, ...rules, ...groups, ...vehicles, ...devices, ...users].map(
      ({ key }) => key,
    ),
  );
}

/** Writes numbers for the keys of what was made, in the order in which they appear; they are random and tell nothing. */
function withNumbers(answers: readonly Answer[], made: ReadonlySet<string>): Answer[] {
  const numbers = new Map<string, string>();
  const numberOf = (key: string) => {
    const number = numbers.get(key) ?? `key ${numbers.size}`;
    numbers.set(key, number);
    return number;
  };
  return answers.map((answer) => ({
    ...answer,
    body: answer.body
      .replace(/(?<="id":")[\w-]+(?=")/g, (id) => Object.values(readNodeId(id)).join('":"'))
      // A place in the log of changes is encrypted.
      .replace(/(?<=cursor":")c[\w-]{22}(?=")/g, 'place in the log')
      // So is a place in a list, always in the same way.
      .replace(/(?<=cursor":")[\w-]{24,150}(?=")/g, (cursor) => numberOf(cursor).replace('key', 'place'))
      .replace(/whsec_[^"]+/g, 'a random secret')
      .replace(/(?<=">?)[\w-]{22}(?=")/g, (key) => (made.has(key) ? numberOf(key) : key)),
  }));
}
