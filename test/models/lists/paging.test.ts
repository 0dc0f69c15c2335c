import { beforeAll, describe, expect, test } from 'vitest';

import { createGrant, revokeGrant } from '../../../auth/grants.ts';
import { OPERATOR } from '../../../auth/security-events.ts';
import { newKey } from '../../../models/key.ts';
import { VisitStore } from '../../../models/places/visit.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { WebhookDeliveryStore } from '../../../models/webhooks/webhook-delivery.ts';
import { removeSubscription } from '../../../resolvers/account/subscription-resolver.ts';
import { drivenPoints } from '../../fixtures/driven-points.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { account, app, device, subscription, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
  return () => host.app.close();
});

type Headers = Readonly<Record<string, string>>;

/** A list in an account, and how objects come into it and leave it. */
interface List {
  readonly headers: Headers;
  /** Arguments of the root field beside those of pages. */
  readonly args?: string;
  /** Path of REST, if there is one. */
  readonly path?: string;
  /** Makes the object with a number, which comes behind those with lower ones. */
  readonly make: (number: number) => Promise<string>;
  readonly remove: (key: string) => Promise<unknown>;
  /** True where the cursor of REST is the key of an object of which nothing is left. */
  readonly rewinds?: true;
}

async function rest(method: 'GET' | 'POST' | 'DELETE', path: string, headers: Headers, payload?: object) {
  const url = `/api/v2${path}`;
  const answer = await host.app.inject({
    method,
    url,
    headers: { host: 'localhost', ...headers },
    ...(payload && { payload }),
  });
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode} ${answer.body}`);
  return answer.json();
}

/** A list of records that are made and deleted by REST. */
function byRest(name: string, one: string, input: (number: number) => object) {
  return async (): Promise<List> => {
    const { headers } = await account();
    return {
      headers,
      path: `/${name}`,
      make: async (number) => (await rest('POST', `/${name}`, headers, input(number))).key,
      remove: (key) => rest('DELETE', `/${one}/${key}`, headers),
    };
  };
}

/** A list of records that are made and deleted by mutations. */
function byGraphql(make: string, remove: string, keyField = 'key') {
  return async (): Promise<List> => {
    const { headers } = await account();
    return {
      headers,
      make: async () => {
        const { made } = await host.ask(`mutation { made: ${make} { ${keyField} } }`, headers);
        return String((made as Record<string, unknown>)[keyField]);
      },
      remove: (key) => host.ask(`mutation { ${remove}(${keyField}: "${key}") }`, headers),
    };
  };
}

/** Trips on one day after the other, or one before the other. */
async function trips(direction: 1 | -1): Promise<List> {
  const { key: account_key, headers } = await account();
  const vehicle_key = await vehicle(account_key);
  return {
    headers,
    make: (number) => {
      const driven = drivenPoints(5, number + 1);
      const points = { ...driven, time: driven.time.map((time) => time + direction * number * 86_400_000) };
      return storeTrip({ account_key, vehicle_key, points });
    },
    remove: (key) => TripStore.deleteOne(unrestricted(testService), { key }),
  };
}

const LISTS: readonly (readonly [name: string, open: () => Promise<List>])[] = [
  ['devices', byRest('devices', 'device', (number) => ({ serial: `SN-${number}` }))],
  ['vehicles', byRest('vehicles', 'vehicle', (number) => ({ nickname: `Van ${number}` }))],
  [
    'users',
    byRest('users', 'user', (number) => ({
      first_name: 'Ada',
      last_name: 'Byron',
      email: `${newKey()}-${number}@bakery.example`,
      account_role: 'driver',
    })),
  ],
  [
    'places',
    byRest('places', 'place', (number) => ({ name: `Depot ${number}`, point: { lat: 53, lon: 8 }, radius: 100 })),
  ],
  ['rules', byRest('rules', 'rule', (number) => ({ name: `Rule ${number}`, speed_limit: 75 }))],
  ['tags', byRest('tags', 'tag', (number) => ({ value: `Tag ${number}`, type: 'Car' }))],
  ['webhooks', byRest('webhooks', 'webhook', () => ({ url: 'https://bakery.example/', events: ['trip_end'] }))],
  ['privacyZones', byGraphql('createPrivacyZone(input: { lat: 0, lon: 0, radius_meters: 1 })', 'deletePrivacyZone')],
  ['forwarderKeys', byGraphql('issueForwarderKey', 'revokeForwarderKey')],
  [
    'apps',
    byGraphql(
      'registerApp(input: { name: "Planner", redirect_uris: ["https://a.example"] })',
      'deleteApp',
      'client_id',
    ),
  ],
  ['trips', () => trips(1)],
  ['trips', async () => ({ ...(await trips(-1)), args: 'newest_first: true', path: '/trips' })],
  [
    'events',
    async () => {
      const ofTrips = await trips(-1);
      const make = async (number: number) => `trip_end.${await ofTrips.make(number)}`;
      const remove = (key: string) => ofTrips.remove(key.replace('trip_end.', ''));
      return { headers: ofTrips.headers, args: 'event: trip_end', path: '/events?event=trip_end', make, remove };
    },
  ],
  [
    'subscriptions',
    async () => {
      const { key, headers } = await account();
      const make = async () => (await subscription(key)).key;
      return {
        headers,
        path: '/subscriptions',
        make,
        remove: (made: string) => removeSubscription(testService, made),
        rewinds: true,
      };
    },
  ],
  [
    'visits',
    async () => {
      const { key: account_key, headers } = await account();
      const vehicle_key = await vehicle(account_key);
      const make = async (number: number) => {
        const visit = { key: newKey(), account_key, vehicle_key, place_key: 'p', exit_timestamp: null, staged: false };
        // Two begin at the same time.
        const entry_timestamp = new Date(Date.UTC(2026, 4, 30 - Math.trunc(number / 2)));
        await VisitStore.driver(testService).insertOne({ ...visit, entry_timestamp } as never);
        return visit.key;
      };
      return {
        headers,
        path: '/places/visits',
        make,
        remove: (key) => VisitStore.driver(testService).deleteOne({ key }),
      };
    },
  ],
  [
    'appGrants',
    async () => {
      const { key, headers } = await account();
      const user_key = await user(key);
      const { client_id } = await app(key, { scopes: ['account.read'] });
      const make = async () =>
        (await createGrant(testService, { user_key, client_id, scopes: ['account.read'] })).grant_hash;
      return { headers, make, remove: (grant) => revokeGrant(testService, grant, OPERATOR) };
    },
  ],
  [
    'webhookDeliveries',
    async () => {
      const { key: account_key, headers } = await account();
      const vehicle_key = await vehicle(account_key);
      const input = { url: 'https://bakery.example/', events: ['trip_end'] };
      const { key: webhook_key } = await rest('POST', '/webhooks', headers, input);
      const make = async (number: number) => {
        const event = { event: 'trip_end' as const, event_key: `trip_end.${number}`, number, sequence: number };
        const made = { key: newKey(), timestamp: new Date(), created: new Date(), status: 'pending' as const };
        await WebhookDeliveryStore.create(unrestricted(testService), {
          account_key,
          webhook_key,
          vehicle_key,
          ...event,
          ...made,
        });
        return made.key;
      };
      const remove = (key: string) => WebhookDeliveryStore.deleteOne(unrestricted(testService), { key });
      return {
        headers,
        args: `webhook_key: "${webhook_key}"`,
        path: `/webhook/${webhook_key}/deliveries`,
        make,
        remove,
      };
    },
  ],
];

interface PageOfKeys {
  readonly keys: readonly string[];
  readonly next: string | null;
}

describe.each(LISTS)('%s', (name, open) => {
  const key = name === 'apps' ? 'client_id' : 'key';

  async function graphqlPage({ headers, args = '' }: List, first: number, after: string | null) {
    const given = [args, `first: ${first}`, ...(after === null ? [] : [`after: "${after}"`])].filter(
      (one) => one !== '',
    );
    const data = await host.ask(
      `{ list: ${name}(${given.join(', ')}) { nodes { key: ${key} } edges { cursor } page_info { end_cursor has_next_page } } }`,
      headers,
    );
    return data.list as {
      readonly nodes: readonly { readonly key: string }[];
      readonly edges: readonly { readonly cursor: string }[];
      readonly page_info: { readonly end_cursor: string | null; readonly has_next_page: boolean };
    };
  }

  async function byCursor(list: List, after: string | null): Promise<PageOfKeys> {
    const { nodes, page_info } = await graphqlPage(list, 2, after);
    return { keys: nodes.map((node) => node.key), next: page_info.has_next_page ? page_info.end_cursor : null };
  }

  async function bySize({ headers, path = '' }: List, cursor: string | null): Promise<PageOfKeys> {
    const query = `size=2${cursor === null ? '' : `&cursor=${cursor}`}`;
    const answer = await rest('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`, headers);
    const next: string | null = answer.cursor ?? null;
    if (next !== null) expect(next).toMatch(/^[\w-]{22,150}$/);
    const [records] = Object.values(answer) as { readonly key: string }[][];
    return { keys: (records ?? []).map((record) => record.key), next };
  }

  test('repeats and loses nothing while objects come and go', async () => {
    for (const way of (await open()).path === undefined ? [byCursor] : [byCursor, bySize]) await goThrough(way);
  });

  async function goThrough(page: typeof byCursor) {
    const list = await open();
    let number = 0;
    for (; number < 8; number++) await list.make(number);
    const whole = (await graphqlPage(list, 1000, null)).nodes.map((node) => node.key);
    const gone = new Set<string>();
    const seen: string[] = [];
    for (let next: string | null = null; ; ) {
      const { keys, next: following }: PageOfKeys = await page(list, next);
      seen.push(...keys);
      if (following === null) break;
      next = following;
      // The one after which the next page begins, and sometimes the one with which it does.
      const last = whole.indexOf(keys.at(-1) ?? '');
      for (const one of whole.slice(last, last + (seen.length % 4 === 0 && !list.rewinds ? 2 : 1))) {
        if (!gone.has(one)) await list.remove(one);
        gone.add(one);
      }
      if (number < 11) await list.make(number++);
    }
    expect(new Set(seen).size).toBe(seen.length);
    const throughout = whole.filter((one) => !gone.has(one));
    expect(seen.filter((one) => throughout.includes(one))).toEqual(throughout);
    expect(gone.size).toBeGreaterThan(2);
  }

  test('goes on after the last end_cursor, also later', async () => {
    const list = await open();
    for (let number = 0; number < 4; number++) await list.make(number);
    const { nodes, edges, page_info } = await graphqlPage(list, 1000, null);
    expect(page_info).toEqual({ end_cursor: edges.at(-1)?.cursor, has_next_page: false });
    const { end_cursor } = page_info;
    const empty = { nodes: [], edges: [], page_info: { end_cursor: null, has_next_page: false } };
    expect(await graphqlPage(list, 1000, end_cursor)).toEqual(empty);
    await list.remove(nodes.at(-1)?.key ?? '');
    const made = await list.make(4);
    const isBehind = (await graphqlPage(list, 1000, null)).nodes.at(-1)?.key === made;
    expect((await graphqlPage(list, 1000, end_cursor)).nodes).toEqual(isBehind ? [{ key: made }] : []);
  });
});

test('positions that come late move no other in the list of a trip', async () => {
  const { owner, secret } = await recordingDevice();
  const late = [5, 15, 35];
  const seconds = Array.from({ length: 8 }, (_, i) => i * 10);
  await host.post(secret, { points: seconds.map((second) => at(second)) });
  const { trips: found } = await host.ask('{ trips { nodes { key } } }', owner.headers);
  const [trip] = (found as { readonly nodes: readonly { readonly key: string }[] }).nodes;
  const seen: string[] = [];
  for (let after = ''; ; ) {
    const list = `tripPoints(trip_key: "${trip?.key}", first: 3${after})`;
    const data = await host.ask(
      `{ list: ${list} { nodes { timestamp } page_info { end_cursor has_next_page } } }`,
      owner.headers,
    );
    const { nodes, page_info } = data.list as {
      readonly nodes: readonly { readonly timestamp: string }[];
      readonly page_info: { readonly end_cursor: string; readonly has_next_page: boolean };
    };
    seen.push(...nodes.map(({ timestamp }) => timestamp));
    if (!page_info.has_next_page) break;
    after = `, after: "${page_info.end_cursor}"`;
    const second = late.shift();
    if (second !== undefined) await host.post(secret, { points: [at(second)] });
  }
  const throughout = seconds.map((second) => `${at(second).timestamp.slice(0, 19)}+00:00`);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((one) => throughout.includes(one))).toEqual(throughout);
});

describe('A cursor', () => {
  test('of another list, another account or another search is rejected', async () => {
    const [own, other] = [await account(), await account()];
    for (const { key } of [own, other]) {
      await vehicle(key);
      await device(key, { serial: 'abc' });
    }
    const cursorOf = async (list: string, { headers }: { readonly headers: Headers }) => {
      const data = await host.ask(`{ list: ${list} { page_info { end_cursor } } }`, headers);
      return (data.list as { readonly page_info: { readonly end_cursor: string } }).page_info.end_cursor;
    };
    const wrong = [
      await cursorOf('devices', other),
      await cursorOf('vehicles', own),
      await cursorOf('devices(q: "b")', own),
    ];
    for (const cursor of wrong) {
      const { errors } = await host.graphql(`{ devices(after: "${cursor}") { nodes { key } } }`, own.headers);
      expect(errors).toMatchObject([
        { extensions: { code: 'BAD_REQUEST' }, message: expect.stringMatching(/^after /) },
      ]);
    }
  });
});
