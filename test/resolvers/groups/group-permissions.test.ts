import fc from 'fast-check';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { account, appFor, device, group, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService, storeNamed } from '../../services/database.ts';
import { apiHost } from '../../hosts/api-host.ts';
import { runSize } from '../../services/run-size.ts';

useDatabase();

const SCOPES = [
  'account.read',
  'account.manage',
  'devices.manage',
  'vehicles.read',
  'account_activity.read',
  'places.read',
];

let app: FastifyInstance;
beforeAll(async () => {
  app = await apiHost();
});
afterAll(() => app.close());

/** A tree by each group's parent (an earlier group, or none), where devices and vehicles are, and who asks. */
const world = fc.record({
  parents: fc.array(fc.nat(), { minLength: 2, maxLength: 7 }),
  places: fc.array(fc.array(fc.nat(), { maxLength: 2 }), { minLength: 2, maxLength: 6 }),
  sees: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
});

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

async function build({ parents, places, sees }: World) {
  const { key } = await account();
  const groups: Awaited<ReturnType<typeof group>>[] = [];
  for (const [at, parent] of parents.entries()) {
    groups.push(await group(key, `group ${at}`, at === 0 ? undefined : groups[(parent % (at + 1)) - 1]));
  }
  const some = (choices: readonly number[]) =>
    [...new Set(choices)].flatMap((choice) => groups[choice % groups.length] ?? []);
  const devices = [];
  const vehicles = [];
  for (const place of places) {
    devices.push({ key: (await device(key, { groups: some(place) })).key, groups: some(place) });
    vehicles.push({ key: await vehicle(key, some(place)), groups: some(place) });
  }
  const own = some(sees);
  const app = await appFor(await user(key, own), SCOPES);
  const ownKeys = new Set(own.map((one) => one.key));
  const isSeen = (path: readonly string[]) => path.some((one) => ownKeys.has(one));
  const accessible = (one: { groups: readonly { group_path: readonly string[] }[] }) =>
    one.groups.some(({ group_path }) => isSeen(group_path));
  return {
    accountKey: key,
    headers: app.headers,
    groups: groups.map((one) => ({ key: one.key, seen: isSeen(one.group_path) })),
    devices: devices.map((one) => ({ key: one.key, seen: accessible(one) })),
    vehicles: vehicles.map((one) => ({ key: one.key, seen: accessible(one) })),
  };
}

type Headers = Readonly<Record<string, string>>;

function rest(method: 'GET' | 'POST', path: string, headers: Headers, body?: object): Promise<LightMyRequestResponse> {
  return app.inject({
    method,
    url: `/api/v2${path}`,
    headers: { host: 'localhost', ...headers },
    ...(body ? { payload: body } : {}),
  });
}

async function graphql(
  query: string,
  headers: Headers,
): Promise<{ data: Record<string, unknown> | null; errors?: unknown }> {
  const response = await app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { host: 'localhost', ...headers },
    payload: { query },
  });
  return response.json();
}

const seenKeys = (all: readonly { key: string; seen: boolean }[]) =>
  all.filter(({ seen }) => seen).map(({ key }) => key);
const keysIn = (value: unknown) => [...JSON.stringify(value).matchAll(/"key":"([^"]+)"/g)].map((match) => match[1]);

/** Content of a rejection besides the ids and times of its request. */
function contentOf({ statusCode, body, headers }: LightMyRequestResponse) {
  const { date, 'x-request-id': id, ...rest } = headers;
  return { statusCode, body, headers: rest };
}

async function stored(accountKey: string): Promise<unknown> {
  const models = ['Device', 'Group', 'Vehicle'].map((name) => storeNamed(name));
  return Promise.all(
    models.map((model) => model.driver(testService).find({ account_key: accountKey }).sort({ _id: 1 }).toArray()),
  );
}

test('whatever the tree, nothing outside the groups of a user is read, listed, counted or changed by either endpoint', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      const { accountKey, headers, groups, devices, vehicles } = await build(given);

      expect(keysIn((await rest('GET', '/devices', headers)).json()).sort()).toEqual(seenKeys(devices).sort());
      expect(keysIn((await rest('GET', '/groups?show_inactive=1', headers)).json()).sort()).toEqual(
        seenKeys(groups).sort(),
      );
      const all = groups.map(({ key }) => `group_keys=${key}`).join('&');
      expect(keysIn((await rest('GET', `/groups?${all}`, headers)).json()).sort()).toEqual(seenKeys(groups).sort());
      const lists = await graphql(
        '{ devices { nodes { key } } vehicles { nodes { key group_keys } } groups { member_counts { car } } }',
        headers,
      );
      expect(keysIn(lists.data?.devices).sort()).toEqual(seenKeys(devices).sort());
      expect(keysIn(lists.data?.vehicles).sort()).toEqual(seenKeys(vehicles).sort());
      const seenGroups = new Set(seenKeys(groups));
      const named = ((lists.data?.vehicles ?? { nodes: [] }) as { nodes: { group_keys: string[] }[] }).nodes;
      expect(named.flatMap(({ group_keys }) => group_keys).filter((key) => !seenGroups.has(key))).toEqual([]);
      for (const { member_counts } of (lists.data?.groups ?? []) as { member_counts: { car: number } }[]) {
        expect(member_counts.car).toBeLessThanOrEqual(seenKeys(vehicles).length);
      }

      const before = await stored(accountKey);
      const absent = await Promise.all([
        rest('GET', '/device/absent', headers),
        rest('POST', '/device/absent', headers, { subscription_status: 'canceled' }),
        rest('GET', '/group/absent', headers),
        rest('POST', '/groups', headers, { name: 'x', parent_group_key: 'absent' }),
        rest('GET', '/devices?cursor=absent', headers),
      ]);
      for (const { key } of devices.filter(({ seen }) => !seen)) {
        const answers = await Promise.all([
          rest('GET', `/device/${key}`, headers),
          rest('POST', `/device/${key}`, headers, { subscription_status: 'canceled' }),
          rest('GET', `/devices?cursor=${key}`, headers),
        ]);
        expect(answers.map(contentOf)).toEqual(
          [absent[0], absent[1], absent[4]].map((answer) => answer && contentOf(answer)),
        );
        const mutation = `mutation { updateDevice(key: "${key}", input: { subscription_status: canceled }) { key } }`;
        expect(await graphql(mutation, headers)).toMatchObject({
          data: null,
          errors: [{ extensions: { code: 'NOT_FOUND' } }],
        });
      }
      for (const { key } of groups.filter(({ seen }) => !seen)) {
        const answers = await Promise.all([
          rest('GET', `/group/${key}`, headers),
          rest('POST', '/groups', headers, { name: 'x', parent_group_key: key }),
        ]);
        expect(answers.map(contentOf)).toEqual([absent[2], absent[3]].map((answer) => answer && contentOf(answer)));
      }
      for (const { key } of vehicles.filter(({ seen }) => !seen)) {
        for (const query of [
          `{ vehicle(key: "${key}") { key } }`,
          `{ trips(vehicle_key: "${key}") { nodes { key } } }`,
          `{ visits(vehicle_key: "${key}") { nodes { key } } }`,
          `{ events(vehicle_key: "${key}") { nodes { key } } }`,
        ]) {
          expect(await graphql(query, headers)).toMatchObject({ errors: [{ extensions: { code: 'NOT_FOUND' } }] });
        }
      }
      expect(await stored(accountKey)).toEqual(before);

      for (const { key } of devices.filter(({ seen }) => seen)) {
        expect((await rest('GET', `/device/${key}`, headers)).json()).toMatchObject({ key });
      }
    }),
    { numRuns: runSize(5, 40), seed: 7 },
  );
});
