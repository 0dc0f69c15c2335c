import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DeviceStore } from '../../models/vehicles/device.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { gatewaySchema } from '../../resolvers/gateway-schema.ts';
import { accountRoutes } from '../../rest-bridge/account-routes.ts';
import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import { account, appFor, device, group, subscription, user, vehicle } from '../services/account-fixture.ts';
import { gatewayEndpoint } from '../clients/graphql-client.ts';
import { useDatabase, testService } from '../services/database.ts';
import { openHost } from '../hosts/open-host.ts';
import { AccountClient, type Headers } from '../clients/account-client.ts';

useDatabase();

let app: FastifyInstance;
let client: AccountClient;
beforeAll(async () => {
  app = await openHost([
    await accountEndpoint(testService, new URL('https://localhost/api/v2'), new URL('https://localhost')),
    await gatewayEndpoint(),
  ]);
  client = await AccountClient.of(app);
});
afterAll(() => app.close());

const get = (path: string, headers: Headers = {}) => client.get(path, headers);
const post = (path: string, body: unknown, headers: Headers = {}) => client.post(path, body, headers);

describe('GET /account', () => {
  test('answers every field of the Account, null where it has no value', async () => {
    const { key, headers } = await account({ nickname: 'Bakery', city: 'Ulm' });
    const response = await get('/account', headers);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      key,
      nickname: 'Bakery',
      external_id: null,
      street: null,
      city: 'Ulm',
      state: null,
      zipcode: null,
      created: '2026-03-01 12:00:00',
      setup_complete: null,
      updated: '2026-03-01T12:00:00+00:00',
      owner_key: null,
      partner_key: null,
      partner_name: null,
      partner_tier: null,
      billing_info: null,
      user_count: 1,
    });
  });

  test('shows billing_info to an app with billing.read only', async () => {
    const { key } = await account();
    const someone = await user(key);
    const without = await appFor(someone, ['account.read']);
    const having = await appFor(someone, ['account.read', 'billing.read']);
    expect((await get('/account', without.headers)).json()).not.toHaveProperty('billing_info');
    expect((await get('/account', having.headers)).json()).toHaveProperty('billing_info', null);
  });
});

describe('POST /account', () => {
  test('changes the writable fields named and ignores the others', async () => {
    const { key, headers } = await account({ city: 'Ulm', zipcode: '89073' });
    const response = await post('/account', { nickname: 'Mill', zipcode: '', key: 'mine', user_count: 9 }, headers);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ key, nickname: 'Mill', city: 'Ulm', zipcode: '', user_count: 1 });
    expect((await get('/account', headers)).json()).toEqual(response.json());
  });

  test('changes nothing for an empty object', async () => {
    const { headers } = await account();
    const before = (await get('/account', headers)).json();
    expect((await post('/account', {}, headers)).json()).toEqual(before);
  });

  test.each([
    ['null for a field', { city: null }, 'city must be a string'],
    ['a number for a field', { city: 5 }, 'city must be a string'],
    ['an operator for a field', { city: { $ne: null } }, 'city must be a string'],
    ['a list', [], 'The body must be a JSON object'],
    ['malformed JSON', '{', 'The body must be valid JSON'],
    ['nothing', '', 'The body must be valid JSON'],
  ])('refuses %s with 400', async (_, body, errors) => {
    const { headers } = await account();
    const response = await post('/account', body, headers);
    expect([response.statusCode, response.json()]).toEqual([400, { errors }]);
  });

  test('is forbidden to a user restricted to groups', async () => {
    const { key } = await account();
    const restricted = await appFor(await user(key, [await group(key, 'North')]), ['account.manage']);
    for (const body of [{ city: 'Ulm' }, { city: 5 }, '{', { city: 'x'.repeat(2 ** 20) }]) {
      expect((await post('/account', body, restricted.headers)).statusCode).toBe(403);
    }
  });
});

describe('what a record is made with and keeps', () => {
  test.each([
    ['tag', { value: 'Delivery', type: 'Trip' }, 'type', 'Car'],
    ['rule', { name: 'Fast', speed_limit: 70 }, 'speed_limit', 80],
    ['rule', { name: 'Fast', speed_limit: 70 }, 'silent_minutes', 5],
    ['rule', { name: 'Fast', speed_limit: 70 }, 'vehicle_keys', []],
    ['share', { expires: '2100-01-01' }, 'vehicle_key', 'zz'],
    ['share', { expires: '2100-01-01' }, 'trip_key', 'zz'],
  ])('in a change of a %s made with %j is 400: %s', async (kind, made, name, value) => {
    const { key, headers } = await account();
    const more = kind === 'share' ? { vehicle_key: await vehicle(key) } : {};
    const record = (await post(`/${kind}s`, { ...made, ...more }, headers)).json();
    const answer = await post(`/${kind}/${record.key}`, { [name]: value }, headers);
    expect([answer.statusCode, answer.json()]).toEqual([400, { errors: `${name} cannot be changed` }]);
    const ignored = await post(`/${kind}/${record.key}`, { name: 'Faster', key: 'x', unknown: 1 }, headers);
    expect([ignored.statusCode, ignored.json().key]).toEqual([200, record.key]);
  });

  test('is ignored for a device, as all unknown members are', async () => {
    const { key, headers } = await account();
    const { key: deviceKey, serial } = await device(key);
    const answer = await post(`/device/${deviceKey}`, { subscription_status: 'canceled', serial: 'other' }, headers);
    expect([answer.statusCode, answer.json().serial]).toEqual([200, serial]);
  });
});

test('a share does not expire in the past', async () => {
  const { key, headers } = await account();
  const vehicle_key = await vehicle(key);
  for (const expires of ['2026-01-01T00:00:00Z', new Date().toISOString()]) {
    const answer = await post('/shares', { vehicle_key, expires }, headers);
    expect([answer.statusCode, answer.json()]).toEqual([400, { errors: 'expires must be in the future' }]);
  }
  expect((await get('/shares', headers)).json()).toEqual({ shares: [] });
});

describe('a 403', () => {
  const challenge = (scope: string) => `Bearer realm="waybridge", error="insufficient_scope", scope="${scope}"`;

  test.each([
    ['GET', '/vehicles', 'vehicles.read'],
    ['GET', '/subscriptions', 'billing.read'],
    ['POST', '/account', 'account.manage'],
    ['DELETE', '/vehicle/zz', 'vehicles.manage'],
  ] as const)('%s %s names the scope that an app lacks', async (method, path, scope) => {
    const { key } = await account();
    const { headers } = await appFor(await user(key), ['account.read']);
    const answer = await client.send(method, path, headers);
    expect([answer.statusCode, answer.headers['www-authenticate'], answer.body]).toEqual([403, challenge(scope), '']);
  });

  test('by GraphQL names it, too', async () => {
    const { key } = await account();
    const { headers } = await appFor(await user(key), ['account.read']);
    const payload = { query: 'mutation { updateAccount(input: {}) { city } }' };
    const answer = await app.inject({ method: 'POST', url: '/graphql', headers, payload });
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([403, challenge('account.manage')]);
    expect(answer.json().errors).toEqual([
      { message: 'These credentials do not allow this', extensions: { code: 'FORBIDDEN' } },
    ]);
  });

  test('for the plan, the role or the groups names none', async () => {
    const basic = await account({ account_plan: 'basic' });
    const { key } = await account();
    const viewer = await appFor(await user(key, [], { account_role: 'viewer' }), ['account.read']);
    const restricted = await appFor(await user(key, [await group(key, 'North')]), ['account.read']);
    for (const { headers } of [basic, viewer, restricted]) {
      const answer = await post('/account', { city: 'Ulm' }, headers);
      expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([403, undefined]);
    }
  });
});

describe('GET /subscriptions', () => {
  test('lists them with the number of their pending and installed devices', async () => {
    const { key, headers } = await account();
    const { key: subscription_key } = await subscription(key);
    for (const status of ['pending', 'installed', 'removed'] as const) {
      const { key: deviceKey } = await device(key, { status });
      await DeviceStore.updateOne(unrestricted(testService), { key: deviceKey }, { subscription_key });
    }
    expect((await get('/subscriptions', headers)).json()).toEqual({
      subscriptions: [
        {
          key: subscription_key,
          plan: { key: 'fleet', name: 'Fleet', billing_period: 'month' },
          quantity: 2,
          status: 'active',
          started_at: '2026-03-01T12:00:00+00:00',
          ends_at: null,
        },
      ],
    });
  });
});

describe('GET /devices', () => {
  test('lists pending and installed devices with every field but the write-only one', async () => {
    const { key, headers } = await account();
    const shown = await device(key, { serial: 'A-1', status: 'pending' });
    await device(key, { status: 'removed' });
    expect((await get('/devices', headers)).json()).toEqual({
      devices: [
        {
          key: shown.key,
          serial: 'A-1',
          status: 'pending',
          vehicle_key: null,
          is_connected: false,
          disconnected_timestamp: null,
          last_transmission: null,
        },
      ],
    });
  });

  test('answers an empty list and no cursor where there is none', async () => {
    const { headers } = await account();
    expect((await get('/devices', headers)).json()).toEqual({ devices: [] });
  });

  test('pages by cursor, each device once, although devices come and go meanwhile', async () => {
    const { key, headers } = await account();
    const made = [];
    for (let count = 0; count < 5; count++) made.push(await device(key));
    const first = (await get('/devices?size=2', headers)).json();
    expect(first).toMatchObject({ devices: [{ key: made[0]?.key }, { key: made[1]?.key }], cursor: made[2]?.key });

    const removed = made[2]?.key ?? '';
    await DeviceStore.updateOne(unrestricted(testService), { key: removed }, { status: 'removed' });
    const late = await device(key);
    const second = (await get(`/devices?size=2&cursor=${first.cursor}`, headers)).json();
    expect(second).toMatchObject({ devices: [{ key: made[3]?.key }, { key: made[4]?.key }], cursor: late.key });
    const last = (await get(`/devices?size=2&cursor=${second.cursor}`, headers)).json();
    expect(last).toEqual({ devices: [expect.objectContaining({ key: late.key })] });
  });

  test.each([
    ['sn.1', ['SN.1']],
    ['N.', ['SN.1']],
    ['n', ['SN.1', 'sN-2', 'Sn(3)*']],
    ['(3)*', ['Sn(3)*']],
    ['.*', []],
    ['', ['SN.1', 'sN-2', 'Sn(3)*', '^$|\\']],
    ['^$|\\', ['^$|\\']],
  ])('finds %j in any part of a serial, ignoring case', async (q, serials) => {
    const { key, headers } = await account();
    for (const serial of ['SN.1', 'sN-2', 'Sn(3)*', '^$|\\']) await device(key, { serial });
    const found = (await get(`/devices?q=${encodeURIComponent(q)}`, headers)).json();
    expect(found.devices.map((one: { serial: string }) => one.serial)).toEqual(serials);
  });

  test.each([
    ['size=0', 'size must be a whole number of 1 or more'],
    ['size=', 'size must be a whole number of 1 or more'],
    ['size=1.5', 'size must be a whole number of 1 or more'],
    ['size=1&size=2', 'size must be given once'],
    ['cursor=unknown', 'cursor was not returned by this list for the same parameters'],
    ['q=a&q=b', 'q must be given once'],
  ])('refuses ?%s with 400', async (query, errors) => {
    const { headers } = await account();
    const response = await get(`/devices?${query}`, headers);
    expect([response.statusCode, response.json()]).toEqual([400, { errors }]);
  });

  test('reads what follows a second question mark, which belongs to the query', async () => {
    const { key, headers } = await account();
    await device(key, { serial: 'a?b' });
    expect((await get('/devices?q=a?b', headers)).json().devices).toHaveLength(1);
    expect((await get('/devices?q=a?b&size=0', headers)).statusCode).toBe(400);
  });

  test('refuses a cursor whose device does not match q', async () => {
    const { key, headers } = await account();
    const { key: cursor } = await device(key, { serial: 'abc' });
    expect((await get(`/devices?q=b&cursor=${cursor}`, headers)).statusCode).toBe(200);
    expect((await get(`/devices?q=x&cursor=${cursor}`, headers)).statusCode).toBe(400);
  });

  test('returns at most 200 devices a page, and that there are more', async () => {
    const { key, headers } = await account();
    await Promise.all(Array.from({ length: 201 }, () => device(key)));
    const page = (await get('/devices?size=1000', headers)).json();
    expect(page.devices).toHaveLength(200);
    expect(page.cursor).toEqual(expect.any(String));
  });
});

describe('POST /device/{key}', () => {
  test('marks Do Not Renew and un-cancels; repeating either is fine', async () => {
    const { key, headers } = await account();
    const { key: deviceKey } = await device(key);
    const state = async () =>
      (await DeviceStore.findOne(unrestricted(testService), { key: deviceKey }))?.subscription_status;
    for (const subscription_status of ['canceled', 'canceled', 'active', 'active']) {
      const response = await post(`/device/${deviceKey}`, { subscription_status }, headers);
      expect(response.statusCode).toBe(200);
      expect(response.json()).toEqual((await get(`/device/${deviceKey}`, headers)).json());
      expect(await state()).toBe(subscription_status);
    }
  });

  test.each([
    [{}, 'subscription_status is required'],
    [{ subscription_status: null }, 'subscription_status is required'],
    [{ subscription_status: 'paused' }, 'subscription_status must be one of active, canceled'],
    [{ subscription_status: ['active'] }, 'subscription_status must be one of active, canceled'],
  ])('refuses %j with 400', async (body, errors) => {
    const { key, headers } = await account();
    const { key: deviceKey } = await device(key);
    const response = await post(`/device/${deviceKey}`, body, headers);
    expect([response.statusCode, response.json()]).toEqual([400, { errors }]);
  });
});

describe('groups', () => {
  test('POST /groups answers 201 with the group, at level 2 without a parent', async () => {
    const { headers } = await account();
    const response = await post('/groups', { name: ' North ' }, headers);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toMatchObject({
      name: 'North',
      active: true,
      children: [],
      member_counts: { car: 0, user: 0 },
      tree_depth: 2,
    });
    expect((await get(`/group/${response.json().key}`, headers)).json()).toEqual(response.json());
  });

  test('GET /groups answers the tree with members counted over all below', async () => {
    const { key, headers } = await account();
    const north = await group(key, 'North');
    const harbour = await group(key, 'Harbour', north);
    await vehicle(key, [north, harbour]);
    await vehicle(key, [harbour]);
    await user(key, [harbour]);
    const { groups } = (await get('/groups', headers)).json();
    expect(groups).toMatchObject([
      {
        name: 'North',
        tree_depth: 2,
        member_counts: { car: 2, user: 1 },
        children: [{ name: 'Harbour', tree_depth: 3, member_counts: { car: 2, user: 1 }, children: [] }],
      },
    ]);
  });

  test('GET /groups hides inactive groups with everything below, unless show_inactive', async () => {
    const { key, headers } = await account();
    const closed = await group(key, 'Closed', undefined, false);
    await group(key, 'Below', closed);
    const names = async (query: string) =>
      (await get(`/groups${query}`, headers)).json().groups.map((one: { name: string }) => one.name);
    expect(await names('')).toEqual([]);
    expect(await names('?show_inactive=0')).toEqual([]);
    expect(await names('?show_inactive=true')).toEqual(['Closed']);
    expect(await names('?show_inactive=1')).toEqual(['Closed']);
    expect((await get('/groups?show_inactive=yes', headers)).json()).toEqual({
      errors: 'show_inactive must be true, false, 1 or 0',
    });
    expect((await get(`/group/${closed.key}`, headers)).json()).toMatchObject({ active: false });
  });

  test('GET /groups takes group_keys repeated 500 times, and as group_keys[]', async () => {
    const { key, headers } = await account();
    const north = await group(key, 'North');
    const harbour = await group(key, 'Harbour', north);
    await group(key, 'South');
    const noise = Array.from({ length: 498 }, (_, at) => `group_keys=unknown${at}`).join('&');
    const { groups } = (
      await get(`/groups?${noise}&group_keys=${harbour.key}&group_keys[]=${north.key}`, headers)
    ).json();
    expect(groups).toMatchObject([{ name: 'North', children: [{ name: 'Harbour' }] }]);
    expect((await get('/groups?group_keys=', headers)).json()).toEqual({ groups: [] });
  });

  test.each([
    ['repeated', (a: string, b: string) => `group_keys=${a}&group_keys=${b}`],
    ['with brackets', (a: string, b: string) => `group_keys[]=${a}&group_keys%5B%5D=${b}`],
    ['with numbers in brackets', (a: string, b: string) => `group_keys[0]=${a}&group_keys%5B1%5D=${b}`],
    ['separated by commas', (a: string, b: string) => `group_keys=${a},${b}`],
    ['separated by escaped commas', (a: string, b: string) => `group_keys[]=${a}%2C${b}`],
  ])('lists in the query may be %s', async (_, query) => {
    const { key, headers } = await account();
    const [north, south] = [await group(key, 'North'), await group(key, 'South')];
    await group(key, 'East');
    for (const path of ['/groups', '/vehicles']) {
      await vehicle(key, [south]);
      await vehicle(key);
      const { groups, vehicles } = (await get(`${path}?${query(north.key, south.key)}`, headers)).json();
      if (path === '/groups') expect(groups).toMatchObject([{ name: 'North' }, { name: 'South' }]);
      else expect(vehicles).toHaveLength(2);
    }
  });

  test.each([
    ['/groups?group_keys[a]=b', 'group_keys must be a list: group_keys=a&group_keys=b'],
    ['/vehicles?tag_keys[0][key]=b', 'tag_keys must be a list: tag_keys=a&tag_keys=b'],
    ['/trips?tag_keys[=b', 'tag_keys must be a list: tag_keys=a&tag_keys=b'],
    ['/trips?expand[user]=1', 'expand must be a list: expand=a&expand=b'],
  ])('%s is 400 with the form that is expected', async (path, errors) => {
    const { headers } = await account();
    const answer = await get(path, headers);
    expect([answer.statusCode, answer.json()]).toEqual([400, { errors }]);
  });

  test('a tree as deep as the service allows is answered whole', async () => {
    const { key, headers } = await account();
    let parent = await group(key, 'level 2');
    for (let level = 3; level <= 50; level++) parent = await group(key, `level ${level}`, parent);
    let [node] = (await get('/groups', headers)).json().groups;
    while (node.children.length > 0) [node] = node.children;
    expect(node).toMatchObject({ key: parent.key, tree_depth: 50 });
    expect((await post('/groups', { name: 'x', parent_group_key: parent.key }, headers)).statusCode).toBe(400);
  });

  test.each([
    [{}, 'name is required'],
    [{ name: ' ' }, 'name must have 1 to 255 characters'],
    [{ name: 'x'.repeat(256) }, 'name must have 1 to 255 characters'],
    [{ name: 'x', parent_group_key: 'unknown' }, 'parent_group_key must name an active group'],
    [{ name: 'x', parent_group_key: 7 }, 'parent_group_key must be a string'],
  ])('POST /groups refuses %j with 400', async (body, errors) => {
    const { headers } = await account();
    const response = await post('/groups', body, headers);
    expect([response.statusCode, response.json()]).toEqual([400, { errors }]);
  });

  test('a parent that is inactive or of another account is 400', async () => {
    const { key, headers } = await account();
    const other = await account();
    const inactive = await group(key, 'Closed', undefined, false);
    const foreign = await group(other.key, 'Foreign');
    for (const parent of [inactive, foreign]) {
      expect((await post('/groups', { name: 'x', parent_group_key: parent.key }, headers)).statusCode).toBe(400);
    }
  });
});

describe('a user restricted to groups', () => {
  test('sees devices and groups in and below them and nothing else', async () => {
    const { key } = await account();
    const north = await group(key, 'North');
    const harbour = await group(key, 'Harbour', north);
    const south = await group(key, 'South');
    const inside = await device(key, { groups: [harbour] });
    const outside = await device(key, { groups: [south] });
    const loose = await device(key);
    const { headers } = await appFor(await user(key, [north]), ['account.read', 'devices.manage', 'account.manage']);

    expect((await get('/devices', headers)).json().devices).toMatchObject([{ key: inside.key }]);
    expect((await get('/groups', headers)).json().groups).toMatchObject([{ name: 'North' }]);
    for (const { key: hidden } of [outside, loose]) {
      expect((await get(`/device/${hidden}`, headers)).statusCode).toBe(404);
      expect((await post(`/device/${hidden}`, { subscription_status: 'canceled' }, headers)).statusCode).toBe(404);
      expect((await get(`/devices?cursor=${hidden}`, headers)).statusCode).toBe(400);
    }
    expect((await get(`/group/${south.key}`, headers)).statusCode).toBe(404);
    expect((await post('/groups', { name: 'x' }, headers)).statusCode).toBe(403);
    expect((await post('/groups', { name: 'x', parent_group_key: south.key }, headers)).statusCode).toBe(400);
    expect((await post('/groups', { name: 'x', parent_group_key: harbour.key }, headers)).statusCode).toBe(201);
  });
});

describe('credentials', () => {
  test.each<[string, Headers]>([
    ['none', {}],
    ['an unknown API key', { 'service-api-key': 'wb_key_unknown' }],
    ['an empty API key', { 'service-api-key': '' }],
    ['an unknown bearer', { authorization: 'Bearer unknown' }],
    ['Basic', { authorization: 'Basic dTpw' }],
  ])('%s: 401, empty, with a challenge', async (_, headers) => {
    const response = await get('/account', headers);
    expect([response.statusCode, response.body]).toEqual([401, '']);
    expect(response.headers['www-authenticate']).toMatch(/^Bearer /);
  });

  test('both in one request: 401', async () => {
    const { key, headers } = await account();
    const { headers: bearer } = await appFor(await user(key), ['account.read']);
    expect((await get('/account', headers)).statusCode).toBe(200);
    expect((await get('/account', bearer)).statusCode).toBe(200);
    expect((await get('/account', { ...headers, ...bearer })).statusCode).toBe(401);
  });

  test('an API key of a basic account: 403, empty, everywhere', async () => {
    const { headers } = await account({ account_plan: 'basic' });
    for (const path of ['/account', '/devices', '/subscriptions', '/groups', '/device/x', '/group/x']) {
      const response = await get(path, headers);
      expect([response.statusCode, response.body]).toEqual([403, '']);
    }
  });

  test.each([
    ['GET', '/account', 'account.read'],
    ['GET', '/devices', 'account.read'],
    ['GET', '/groups', 'account.read'],
    ['GET', '/subscriptions', 'billing.read'],
    ['POST', '/account', 'account.manage'],
    ['POST', '/groups', 'account.manage'],
    ['POST', '/device/x', 'devices.manage'],
  ] as const)('%s %s needs %s of an app', async (method, path, scope) => {
    const { key } = await account();
    const someone = await user(key);
    const all = ['account.read', 'billing.read', 'account.manage', 'devices.manage', 'trippoints.read'];
    const having = await appFor(someone, [scope]);
    const lacking = await appFor(
      someone,
      all.filter((one) => one !== scope),
    );
    const ask = (headers: Headers) => (method === 'GET' ? get(path, headers) : post(path, {}, headers));
    expect([200, 400]).toContain((await ask(having.headers)).statusCode);
    const refused = await ask(lacking.headers);
    expect([refused.statusCode, refused.body]).toEqual([403, '']);
  });
});

describe('paths and methods', () => {
  test('another account cannot be reached', async () => {
    const mine = await account();
    const other = await account();
    const { key } = await device(other.key);
    const response = await get(`/device/${key}`, mine.headers);
    expect([response.statusCode, response.body]).toEqual([404, '']);
  });

  test('an unknown path is 404, empty, even without credentials', async () => {
    const response = await get('/nothing');
    expect([response.statusCode, response.body]).toEqual([404, '']);
  });

  test('a known path with another method is 405 with Allow, empty', async () => {
    const response = await app.inject({ method: 'DELETE', url: '/api/v2/groups', headers: { host: 'localhost' } });
    expect([response.statusCode, response.body]).toEqual([405, '']);
    expect(response.headers.allow?.toString().split(', ').sort()).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST']);
  });

  test('HEAD answers as GET does, without a body', async () => {
    const { headers } = await account();
    const ask = (method: 'GET' | 'HEAD') =>
      app.inject({ method, url: '/api/v2/account', headers: { host: 'localhost', ...headers } });
    const [get, head] = [await ask('GET'), await ask('HEAD')];
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    const refused = await app.inject({ method: 'HEAD', url: '/api/v2/account', headers: { host: 'localhost' } });
    expect([refused.statusCode, refused.body]).toEqual([401, '']);
  });

  test('OPTIONS names the methods of a path', async () => {
    const response = await app.inject({ method: 'OPTIONS', url: '/api/v2/device/x', headers: { host: 'localhost' } });
    expect([response.statusCode, response.body, response.headers.allow]).toEqual([
      204,
      '',
      'GET, POST, DELETE, HEAD, OPTIONS',
    ]);
  });

  test('a body over 1 MiB is 413 with a message', async () => {
    const { headers } = await account();
    const response = await post('/account', { city: 'x'.repeat(2 ** 20) }, headers);
    expect([response.statusCode, response.json()]).toEqual([413, { errors: expect.stringContaining('large') }]);
  });

  test('pages of any origin may read with GET and a key, not write', async () => {
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/api/v2/groups',
      headers: { host: 'localhost', origin: 'https://a.example', 'access-control-request-method': 'GET' },
    });
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'Service-Api-Key, Authorization, If-None-Match',
    });
    const { headers } = await get('/account');
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringMatching(/^ETag/),
    });
    expect((await post('/account', {})).headers['access-control-allow-origin']).toBeUndefined();
  });
});

/** Root fields without a path, with the reason. */
const WITHOUT_PATH: Readonly<Record<string, string>> = {
  node: 'ids are of GraphQL; REST has keys',
  redeemShare: 'the component asks for it, in pages of others',
  visit: 'GET /places/visits lists visits',
};

test('every root field has a path, or a reason to have none', async () => {
  const schema = await gatewaySchema();
  const fields = [schema.getQueryType(), schema.getMutationType()]
    .flatMap((type) => Object.values(type?.getFields() ?? {}))
    .filter(({ deprecationReason }) => !deprecationReason)
    .map(({ name }) => name);
  const answering = Object.values(accountRoutes).map((route) => ('query' in route ? route.query : route.mutation));
  expect(fields.filter((field) => !answering.includes(field)).sort()).toEqual(Object.keys(WITHOUT_PATH).sort());
});

test('REST alone adds a device, lets it send, and takes its key away', async () => {
  const { headers } = await account();
  const { key: vehicle_key } = (await post('/vehicles', { nickname: 'Van' }, headers)).json();
  const { key: device_key } = (await post('/devices', { serial: 'WB-7', vehicle_key }, headers)).json();
  const issued = (await post(`/device/${device_key}/keys`, { name: 'SIM 1' }, headers)).json();
  const bearer = { authorization: `Bearer ${issued.secret}` };
  const points = [{ point: { lat: 53, lon: 8 }, timestamp: new Date().toISOString() }];
  expect((await post('/ingest', { points }, bearer)).json()).toMatchObject({ accepted: 1 });
  const listed = (await get(`/device/${device_key}/keys`, headers)).json().device_keys;
  expect(listed).toMatchObject([{ key: issued.key, name: 'SIM 1' }]);
  expect(JSON.stringify(listed)).not.toContain(issued.secret);
  const revoked = await client.delete(`/device_key/${issued.key}`, headers);
  expect([revoked.statusCode, revoked.json()]).toEqual([200, { key: issued.key, deleted: true }]);
  expect((await post('/ingest', { points }, bearer)).statusCode).toBe(401);
});
