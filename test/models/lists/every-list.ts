import { createGrant, revokeGrant } from '../../../auth/grants.ts';
import { SCOPES } from '../../../auth/scopes/scope.ts';
import { OPERATOR, recordSecurityEvent } from '../../../auth/security-events.ts';
import { SecurityEventStore } from '../../../models/account/security-event.ts';
import { newKey } from '../../../models/key.ts';
import { addRejection, IngestRejectionStore } from '../../../models/vehicles/ingest-rejection.ts';
import { removeSubscription } from '../../../resolvers/account/subscription-resolver.ts';
import { at, type ingestHost, recordingDevice, timeAt } from '../../hosts/ingest-host.ts';
import { account, app, appFor, device, group, subscription, user, vehicle } from '../../services/account-fixture.ts';
import { testService } from '../../services/database.ts';
import { accountAccessScope, unrestricted } from '../../../models/store/tenancy.ts';
import { DELIVERY, type Kind, RULE_EVENT, trip, VISIT } from './kinds-of-vehicles.ts';

type Headers = Readonly<Record<string, string>>;
type Host = Awaited<ReturnType<typeof ingestHost>>;

/** A list in an account, as one caller reads it, and how objects come into it and leave it. */
export interface List {
  readonly headers: Headers;
  /** Arguments of the root field beside those of pages. */
  readonly args?: Readonly<Record<string, string | boolean>>;
  /** Keys of the records in which the list is the same, by type. */
  readonly parents?: Readonly<Record<string, string>>;
  /** Cursor with which the first page begins; none by default. */
  readonly start?: string;
  /** Makes the object with a number, which comes behind those with lower ones. */
  readonly make: (number: number) => Promise<unknown>;
  /** Ways in which an object disappears, or another takes its place, by its name. */
  readonly leave: Readonly<Record<string, (id: string) => Promise<unknown>>>;
}

/** A row of the table: a root field whose list is read. */
export interface Row {
  readonly field: string;
  /** Types of records in which the list is the same. */
  readonly parents?: readonly string[];
  /** Arguments by which rows of one field differ. */
  readonly args?: Readonly<Record<string, boolean>>;
  readonly open: (host: Host) => Promise<List>;
}

/** Fields that distinguish the objects of a list. */
export function fieldsOf(field: string): readonly string[] {
  if (field === 'changes') return ['key', 'happened'];
  return [{ apps: 'client_id', tripPoints: 'timestamp', markedPositions: 'timestamp' }[field] ?? 'key'];
}

/** Sends a request of REST, which must succeed. */
export async function rest(
  host: Host,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  headers: Headers,
  payload?: object,
) {
  const request = { method, url: `/api/v2${path}`, headers: { host: 'localhost', ...headers } };
  const answer = await host.app.inject({ ...request, ...(payload && { payload }) });
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode} ${answer.body}`);
  return answer.json();
}

/** Two groups of an account, and an app for a user of the first. */
async function restricted() {
  const owner = await account();
  const [north, south] = [await group(owner.key, 'North'), await group(owner.key, 'South')];
  const user_key = await user(owner.key, [north]);
  return { owner, north, south, user_key, headers: (await appFor(user_key, Object.keys(SCOPES))).headers };
}

/** A list that an owner reads, of records that are made and deleted by REST. */
function byRest(name: string, one: string, input: (number: number, account_key: string) => object | Promise<object>) {
  return async (host: Host): Promise<List> => {
    const { key, headers } = await account();
    return {
      headers,
      make: async (number) => rest(host, 'POST', `/${name}`, headers, await input(number, key)),
      leave: { deleted: (id) => rest(host, 'DELETE', `/${one}/${id}`, headers) },
    };
  };
}

/** A list that an owner reads, of records that are made and deleted by mutations. */
function byGraphql(make: string, remove: string) {
  return async (host: Host): Promise<List> => {
    const { key, headers, apiKeyKey } = await account();
    const { key: device_key } = await device(key);
    const deleted = async (id: string) =>
      id === apiKeyKey ? null : host.ask(`mutation { ${remove.replace('$id', `"${id}"`)} }`, headers);
    return {
      headers,
      ...(make.includes('$device') && { args: { device_key } }),
      make: () => host.ask(`mutation { ${make.replace('$device', `"${device_key}"`)} }`, headers),
      leave: { deleted },
    };
  };
}

/** A list of objects of vehicles, as a member of their group reads it: each object is of another vehicle, or all are of one. */
function ofVehicles(kind: Kind, { areOfOne = false, args = {} } = {}) {
  return async (host: Host): Promise<List> => {
    const { owner, north, south, user_key, headers } = await restricted();
    const input = { url: 'https://bakery.example/', events: ['trip_end'] };
    const { key: webhook_key } = await rest(host, 'POST', '/webhooks', headers, input);
    const area = { name: 'Depot', point: { lat: 53, lon: 8 }, radius: 100 };
    const { key: place_key } = await rest(host, 'POST', '/places', owner.headers, area);
    const shared = await vehicle(owner.key, [north]);
    const vehicles = new Map<string, string>();
    const vehicleOf = (id: string) => vehicles.get(recordOf(id)) ?? '';
    const deleted = new Set<string>();
    const one = { account_key: owner.key, user_key, place_key, webhook_key };
    return {
      headers,
      args: kind === DELIVERY ? { webhook_key } : areOfOne ? { ...args, vehicle_key: shared } : args,
      parents: { Account: '', User: user_key, Place: place_key, Vehicle: shared },
      make: async (number) => {
        const vehicle_key = areOfOne ? shared : await vehicle(owner.key, [north]);
        vehicles.set(await kind.put({ ...one, vehicle_key }, number), vehicle_key);
      },
      leave: {
        deleted: (id) => kind.remove(recordOf(id)),
        ...(kind.beginEarlier && { 'begun earlier': kind.beginEarlier }),
        ...(!areOfOne && {
          hidden: (id) => rest(host, 'POST', `/vehicle/${vehicleOf(id)}`, owner.headers, { group_keys: [south.key] }),
          'deleted with its vehicle': async (id) => {
            if (!deleted.has(vehicleOf(id))) await rest(host, 'DELETE', `/vehicle/${vehicleOf(id)}`, owner.headers);
            deleted.add(vehicleOf(id));
          },
        }),
      },
    };
  };
}

/** The key of the record from which an event follows; other keys are without a dot. */
function recordOf(id: string): string {
  return id.split('.').at(-1) ?? id;
}

/** Records that are deleted, and then restored. */
function deletedRecords(kind: 'device' | 'vehicle' | 'user') {
  return async (host: Host): Promise<List> => {
    const { key: account_key, headers } = await account();
    const make = {
      device: async () => (await device(account_key)).key,
      vehicle: () => vehicle(account_key),
      user: () => user(account_key),
    }[kind];
    return {
      headers,
      args: { kind },
      make: async () => rest(host, 'DELETE', `/${kind}/${await make()}`, headers),
      leave: { restored: (id) => rest(host, 'POST', `/${kind}/${id}/restore`, headers) },
    };
  };
}

/** Trips as a device records them, each 1000 seconds after the one before, or before it. */
function recordedTrips(direction: 1 | -1) {
  return async (host: Host): Promise<List> => {
    const { owner, secret, vehicle_key, device_key } = await recordingDevice();
    const reportAs = (reporter: string) =>
      host.ask(
        `mutation { updateDeviceTripSettings(key: "${device_key}", input: { reporter: ${reporter} }) { key } }`,
        owner.headers,
      );
    const drive = (from: number, to: number) =>
      host.post(secret, { points: Array.from({ length: (to - from) / 10 }, (_, i) => at(from + i * 10)) });
    const starts = new Map<string, number>();
    return {
      headers: owner.headers,
      args: { vehicle_key, ...(direction < 0 && { newest_first: true }) },
      parents: { Vehicle: vehicle_key },
      make: async (number) => {
        const start = direction * number * 1000;
        await drive(start, start + 200);
        const { trips } = await host.ask('{ trips { nodes { key start_point { timestamp } } } }', owner.headers);
        const { nodes } = trips as { nodes: { key: string; start_point: { timestamp: string } }[] };
        for (const { key, start_point } of nodes) if (start_point.timestamp === timeAt(start)) starts.set(key, start);
      },
      leave: {
        'joined to the one before': (id) => drive((starts.get(id) ?? 0) - 800, starts.get(id) ?? 0),
        'begun earlier': (id) => drive((starts.get(id) ?? 0) - 20, starts.get(id) ?? 0),
        'cut again, into none': async (id) => {
          const start = starts.get(id) ?? 0;
          const input = `{ recorded_after: "${timeAt(start - 100)}", recorded_before: "${timeAt(start + 300)}" }`;
          await reportAs('secondary');
          await host.ask(
            `mutation { recutTrips(vehicle_key: "${vehicle_key}", input: ${input}) { trips_after } }`,
            owner.headers,
          );
          await reportAs('null');
        },
      },
    };
  };
}

/** All lists of the API. A list without a row fails the test of the table. */
export const ROWS: readonly Row[] = [
  {
    field: 'devices',
    parents: ['Account'],
    open: async (host) => {
      const { owner, north, south, headers } = await restricted();
      const groups = new Map<string, string>();
      return {
        headers,
        make: async () => {
          const own = await group(owner.key, 'Harbour', north);
          groups.set((await device(owner.key, { groups: [own] })).key, own.key);
        },
        leave: {
          deleted: (id) => rest(host, 'DELETE', `/device/${id}`, owner.headers),
          hidden: (id) =>
            rest(host, 'POST', `/group/${groups.get(id)}`, owner.headers, { parent_group_key: south.key }),
        },
      };
    },
  },
  ...(['vehicle', 'user'] as const).map((kind) => ({
    field: `${kind}s`,
    parents: ['Account', 'Group'],
    open: async (host: Host) => {
      const { owner, north, south, user_key, headers } = await restricted();
      const change = async (id: string, method: 'POST' | 'DELETE', input?: object) =>
        id === user_key ? null : rest(host, method, `/${kind}/${id}`, owner.headers, input);
      return {
        headers,
        parents: { Account: '', Group: north.key },
        make: () => (kind === 'vehicle' ? vehicle(owner.key, [north]) : user(owner.key, [north])),
        leave: {
          deleted: (id: string) => change(id, 'DELETE'),
          hidden: (id: string) => change(id, 'POST', { group_keys: [south.key] }),
        },
      };
    },
  })),
  {
    field: 'subscriptions',
    parents: ['Account'],
    open: async () => {
      const { key, headers } = await account();
      return {
        headers,
        make: () => subscription(key),
        leave: { deleted: (id) => removeSubscription(testService, id) },
      };
    },
  },
  { field: 'tags', parents: ['Account'], open: byRest('tags', 'tag', (at) => ({ value: `Tag ${at}`, type: 'Car' })) },
  {
    field: 'places',
    parents: ['Account'],
    open: byRest('places', 'place', (at) => ({ name: `Depot ${at}`, point: { lat: 53, lon: 8 }, radius: 100 })),
  },
  {
    field: 'rules',
    parents: ['Account'],
    open: byRest('rules', 'rule', (at) => ({ name: `Rule ${at}`, speed_limit: 75 })),
  },
  {
    field: 'webhooks',
    parents: ['Account'],
    open: byRest('webhooks', 'webhook', () => ({ url: 'https://bakery.example/', events: ['trip_end'] })),
  },
  {
    field: 'shares',
    parents: ['Account'],
    open: byRest('shares', 'share', async (_, key) => ({ vehicle_key: await vehicle(key), expires: '2099-01-01' })),
  },
  {
    field: 'privacyZones',
    parents: ['Account'],
    open: byGraphql(
      'createPrivacyZone(input: { point: { lat: 0, lon: 0 }, radius: 1 }) { key }',
      'removePrivacyZone(key: $id) { key }',
    ),
  },
  ...(['device', 'vehicle', 'user'] as const).map(
    (kind): Row => ({ field: 'deletedRecords', open: deletedRecords(kind) }),
  ),
  { field: 'apiKeys', parents: ['Account'], open: byGraphql('issueApiKey { key }', 'deleteApiKey(key: $id) { key }') },
  {
    field: 'forwarderKeys',
    parents: ['Account'],
    open: byGraphql('issueForwarderKey { key }', 'deleteForwarderKey(key: $id) { key }'),
  },
  {
    field: 'deviceKeys',
    open: byGraphql('issueDeviceKey(device_key: $device) { key }', 'deleteDeviceKey(key: $id) { key }'),
  },
  {
    field: 'apps',
    parents: ['Account'],
    open: byGraphql(
      'registerApp(input: { name: "Planner", redirect_uris: ["https://a.example"] }) { client_id }',
      'deregisterApp(client_id: $id) { key }',
    ),
  },
  {
    field: 'appGrants',
    parents: ['Account'],
    open: async () => {
      const { key, headers } = await account();
      const { client_id } = await app(key, { scopes: ['account.read'] });
      const granted = { user_key: await user(key), client_id, scopes: ['account.read'] };
      return {
        headers,
        make: () => createGrant(testService, granted),
        leave: { deleted: (id) => revokeGrant(testService, id, OPERATOR) },
      };
    },
  },
  {
    field: 'securityEvents',
    parents: ['Account'],
    open: async () => {
      const { key: account_key, headers } = await account();
      return {
        headers,
        make: () => recordSecurityEvent(testService, { kind: 'api_key_created', actor: OPERATOR, account_key }),
        leave: { deleted: (key) => SecurityEventStore.deleteOne(unrestricted(testService), { key }) },
      };
    },
  },
  {
    field: 'ingestRejections',
    parents: ['Account'],
    open: async () => {
      const { key: account_key, headers } = await account();
      const accessScope = accountAccessScope(testService, account_key);
      const rejected = { device_key: null, reason: 'unknown_device', path: 'traccar', count: 1 } as const;
      return {
        headers,
        make: (at) => addRejection(accessScope, { ...rejected, serial: `SN-${at}`, detail: 'unknown', sample: null }),
        leave: { deleted: (key) => IngestRejectionStore.deleteOne(accessScope, { key }) },
      };
    },
  },
  {
    field: 'markedPositions',
    open: async (host) => {
      const { owner, secret, device_key } = await recordingDevice();
      const send = (second: number) => host.post(secret, { points: [{ ...at(second), accuracy: 900 }] });
      const secondOf = (id: string) => (Date.parse(id) - Date.parse(timeAt(0))) / 1000;
      return {
        headers: owner.headers,
        args: { device_key, recorded_after: timeAt(-60), recorded_before: timeAt(86_400) },
        make: (number) => send(number * 10),
        leave: {
          'after one that comes late': (id) => send(secondOf(id) - 5),
          'before one that comes late': (id) => send(secondOf(id) + 5),
        },
      };
    },
  },
  { field: 'trips', parents: ['Account', 'User'], open: ofVehicles(trip(1)) },
  {
    field: 'trips',
    args: { newest_first: true },
    parents: ['Account', 'User'],
    open: ofVehicles(trip(-1), { args: { newest_first: true } }),
  },
  { field: 'trips', parents: ['Vehicle'], open: recordedTrips(1) },
  { field: 'trips', args: { newest_first: true }, parents: ['Vehicle'], open: recordedTrips(-1) },
  {
    field: 'tripPoints',
    parents: ['Trip'],
    open: async (host) => {
      const { owner, secret } = await recordingDevice();
      await host.post(secret, { points: [at(-20), at(-10)] });
      const { trips } = await host.ask('{ trips { nodes { key } } }', owner.headers);
      const [{ key: trip_key }] = (trips as { nodes: [{ key: string }] }).nodes;
      const secondOf = (id: string) => (Date.parse(id) - Date.parse(timeAt(0))) / 1000;
      return {
        headers: owner.headers,
        args: { trip_key },
        parents: { Trip: trip_key },
        make: (number) => host.post(secret, { points: [at(number * 10)] }),
        leave: {
          'after one that comes late': (id) => host.post(secret, { points: [at(secondOf(id) - 5)] }),
          'before one that comes late': (id) => host.post(secret, { points: [at(secondOf(id) + 5)] }),
        },
      };
    },
  },
  { field: 'stays', open: ofVehicles(trip(-1), { areOfOne: true }) },
  { field: 'events', parents: ['Account'], open: ofVehicles(trip(-1)) },
  { field: 'events', parents: ['Vehicle'], open: ofVehicles(trip(-1), { areOfOne: true }) },
  { field: 'events', parents: ['Account'], open: ofVehicles(RULE_EVENT) },
  { field: 'visits', parents: ['Account', 'Place', 'User'], open: ofVehicles(VISIT) },
  { field: 'visits', parents: ['Vehicle'], open: ofVehicles(VISIT, { areOfOne: true }) },
  { field: 'webhookDeliveries', open: ofVehicles(DELIVERY) },
  {
    field: 'changes',
    open: async (host) => {
      const { headers } = await account();
      const { cursor: start } = await rest(host, 'GET', '/changes', headers);
      return {
        headers,
        start,
        make: (number) => rest(host, 'POST', '/tags', headers, { value: `Tag ${number}`, type: 'Car' }),
        leave: {
          updated: (id) => rest(host, 'POST', `/tag/${id.split(' ')[0]}`, headers, { value: newKey() }),
        },
      };
    },
  },
];
