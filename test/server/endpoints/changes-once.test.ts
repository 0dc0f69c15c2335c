import { randomUUID } from 'node:crypto';

import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { IdempotentAnswerStore } from '../../../models/account/idempotent-answer.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { UserStore } from '../../../models/account/user.ts';
import { ingestHost } from '../../hosts/ingest-host.ts';
import { account, appFor, device, group, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';

useDatabase();

type Headers = Readonly<Record<string, string>>;

let app: FastifyInstance;
beforeAll(async () => {
  ({ app } = await ingestHost());
  return () => app.close();
});

async function send(method: 'GET' | 'POST' | 'DELETE', path: string, headers: Headers, body?: unknown) {
  const response = await app.inject({
    method,
    url: `/api/v2${path}`,
    headers: { host: 'localhost', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  return { status: response.statusCode, body: response.body, tag: String(response.headers.etag) };
}

async function groupNames(headers: Headers): Promise<string[]> {
  const { groups } = JSON.parse((await send('GET', '/groups', headers)).body);
  return groups.map(({ name }: { name: string }) => name);
}

const keyed = (headers: Headers, key: string = randomUUID()) => ({ ...headers, 'idempotency-key': key });

describe('Idempotency-Key', () => {
  test('gives a repeated request the first answer, and does nothing again', async () => {
    const { headers } = await account();
    const once = keyed(headers);
    const first = await send('POST', '/groups', once, { name: 'North' });
    expect(first.status).toBe(201);
    expect(await send('POST', '/groups', once, { name: 'North' })).toEqual(first);
    expect(await groupNames(headers)).toEqual(['North']);
    await send('POST', '/groups', keyed(headers), { name: 'North' });
    expect(await groupNames(headers)).toEqual(['North', 'North']);
  });

  test('repeats a refusal as well', async () => {
    const { headers } = await account();
    const once = keyed(headers);
    const first = await send('POST', '/groups', once, { name: ' ' });
    expect(first).toMatchObject({ status: 400, body: '{"errors":"name must have 1 to 255 characters"}' });
    expect(await send('POST', '/groups', once, { name: ' ' })).toEqual(first);
  });

  test('is 422 with another body or at another path, and changes nothing', async () => {
    const { headers } = await account();
    const once = keyed(headers);
    await send('POST', '/groups', once, { name: 'North' });
    const errors = 'Idempotency-Key was sent with another request';
    for (const [path, body] of [
      ['/groups', { name: 'South' }],
      ['/vehicles', { name: 'North' }],
    ] as const) {
      const { status, body: answered } = await send('POST', path, once, body);
      expect([status, JSON.parse(answered)]).toEqual([422, { errors }]);
    }
    expect(await groupNames(headers)).toEqual(['North']);
  });

  test('lets only one of many equal requests through, the others are 409 or get its answer', async () => {
    const { headers } = await account();
    const once = keyed(headers);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send('POST', '/groups', once, { name: 'North' })),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body)).size).toBe(1);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await groupNames(headers)).toEqual(['North']);
  });

  test('is executed anew a minute after its process was killed', async () => {
    const { headers } = await account();
    const once = keyed(headers);
    const first = await send('POST', '/groups', once, { name: 'North' });
    await IdempotentAnswerStore.updateMany(testService, {}, { sealed: null });
    expect((await send('POST', '/groups', once, { name: 'North' })).status).toBe(409);
    await IdempotentAnswerStore.updateMany(testService, {}, { busy_until: new Date(0) });
    const second = await send('POST', '/groups', once, { name: 'North' });
    expect([second.status, second.body === first.body]).toEqual([201, false]);
  });

  test('is executed anew a minute after its process was killed whose clock was ahead', async () => {
    const { headers } = await account();
    const once = keyed(headers);
    await send('POST', '/groups', once, { name: 'North' });
    const tomorrow = new Date(Date.now() + 86_400_000);
    await IdempotentAnswerStore.updateMany(testService, {}, { sealed: null, busy_until: tomorrow });
    expect((await send('POST', '/groups', once, { name: 'North' })).status).toBe(409);
    const now = performance.now.bind(performance);
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    onTestFinished(() => later.mockRestore());
    expect((await send('POST', '/groups', once, { name: 'North' })).status).toBe(201);
  });

  test('belongs to a credential: that of another is another', async () => {
    const [one, other] = [await account(), await account()];
    const key = randomUUID();
    const first = await send('POST', '/groups', keyed(one.headers, key), { name: 'North' });
    const second = await send('POST', '/groups', keyed(other.headers, key), { name: 'North' });
    expect([second.status, second.body === first.body]).toEqual([201, false]);
  });

  test('repeats nothing to a caller who may reach less than before', async () => {
    const { key } = await account();
    const north = await group(key, 'North');
    const someone = await user(key);
    const acting = await appFor(someone, ['account.manage', 'account.read']);
    const once = keyed(acting.headers);
    await send('POST', '/groups', once, { name: 'South' });
    const membership = { group_keys: [north.key], group_path: [north.key] };
    await UserStore.updateOne(unrestricted(testService), { key: someone }, membership);
    const again = await send('POST', '/groups', once, { name: 'South' });
    expect(again).toMatchObject({ status: 422 });
    await UserStore.updateOne(unrestricted(testService), { key: someone }, { disabled: true });
    expect((await send('POST', '/groups', once, { name: 'South' })).status).toBe(401);
  });

  test('stores no answer that can be read without the credential and the key', async () => {
    const { headers } = await account();
    const name = 'Entirely unmistakable name';
    await send('POST', '/groups', keyed(headers, 'my key'), { name });
    const stored = JSON.stringify(await IdempotentAnswerStore.find(testService));
    for (const secret of [name, 'my key', headers['service-api-key']]) expect(stored).not.toContain(secret);
  });

  test.each([
    ['', 400],
    ['x'.repeat(256), 400],
    ['ä', 400],
    ['x'.repeat(255), 201],
  ])('with the value %j is %i', async (key, status) => {
    const { headers } = await account();
    expect((await send('POST', '/groups', keyed(headers, key), { name: 'North' })).status).toBe(status);
  });
});

describe('ETag', () => {
  test('lets a client that has the answer receive 304 without a body, until it changes', async () => {
    const { headers } = await account();
    const first = await send('GET', '/account', headers);
    expect(first.tag).toMatch(/^"[\w-]{22}"$/);
    const asked = { ...headers, 'if-none-match': `"other", W/${first.tag}` };
    expect(await send('GET', '/account', asked)).toEqual({ status: 304, body: '', tag: first.tag });
    await send('POST', '/account', headers, { city: 'Ulm' });
    const changed = await send('GET', '/account', asked);
    expect([changed.status, changed.tag === first.tag]).toEqual([200, false]);
  });

  test.each(['"TAG-gzip"', '"TAG--gzip"', '"TAG;gzip"', '"TAG"-gzip', 'W/"TAG-br"', '"other-gzip", "TAG-zstd"'])(
    'is known as %s, as proxies that compress answers write it',
    async (form) => {
      const { headers } = await account();
      const { tag } = await send('GET', '/account', headers);
      const changedTag = (of: string | undefined) => form.replace('TAG', String(of).slice(1, -1));
      expect(await send('GET', '/account', { ...headers, 'if-none-match': changedTag(tag) })).toMatchObject({
        status: 304,
      });
      const onlyIf = { ...headers, 'if-match': changedTag(tag) };
      expect(await send('POST', '/account', onlyIf, { city: 'Ulm' })).toMatchObject({ status: 200 });
      expect(await send('POST', '/account', onlyIf, { city: 'Aalen' })).toMatchObject({ status: 412 });
    },
  );

  test('in If-Match makes a change of another state 412, empty, and changes nothing', async () => {
    const owner = await account();
    const path = `/vehicle/${await vehicle(owner.key)}`;
    const { tag } = await send('GET', path, owner.headers);
    const onlyIf = { ...owner.headers, 'if-match': tag };
    expect((await send('POST', path, onlyIf, { nickname: 'Van 1' })).status).toBe(200);
    expect(await send('POST', path, onlyIf, { nickname: 'Van 2' })).toMatchObject({ status: 412, body: '' });
    expect(await send('DELETE', path, onlyIf)).toMatchObject({ status: 412 });
    expect(JSON.parse((await send('GET', path, owner.headers)).body)).toMatchObject({ nickname: 'Van 1' });
    expect((await send('POST', path, { ...owner.headers, 'if-match': '*' }, { nickname: 'Van 3' })).status).toBe(200);
  });

  test('of a change is the one that GET has then, so that another change may follow', async () => {
    const owner = await account();
    for (const [path, changes] of [
      ['/account', [{ city: 'Ulm' }, { city: 'Aalen' }]],
      [`/vehicle/${await vehicle(owner.key)}`, [{ nickname: 'Van 1' }, { nickname: 'Van 2' }]],
      [`/user/${await user(owner.key)}`, [{ first_name: 'Ada' }, { first_name: 'Grace' }]],
      [`/group/${(await group(owner.key, 'North')).key}`, [{ name: 'South' }, { name: 'West' }]],
    ] as const) {
      let { tag } = await send('GET', path, owner.headers);
      for (const change of changes) {
        const changed = await send('POST', path, { ...owner.headers, 'if-match': tag }, change);
        expect([path, changed.status, changed.tag]).toEqual([path, 200, (await send('GET', path, owner.headers)).tag]);
        tag = changed.tag;
      }
    }
  });

  test.each([
    ['/vehicles', '/vehicle', { nickname: 'Van' }],
    ['/devices', '/device', { serial: 'WB-1' }],
    ['/groups', '/group', { name: 'North' }],
    ['/places', '/place', { name: 'Depot', point: { lat: 53, lon: 8 }, radius: 40 }],
    ['/rules', '/rule', { name: 'Fast', speed_limit: 70 }],
    ['/tags', '/tag', { value: 'Express', type: 'Trip' }],
    ['/privacy_zones', '/privacy_zone', { point: { lat: 53, lon: 8 }, radius: 100 }],
  ])('of a record that POST %s creates is the one that GET has', async (path, shown, body) => {
    const { headers } = await account();
    const created = await send('POST', path, headers, body);
    const { key } = JSON.parse(created.body);
    const { tag } = await send('GET', `${shown}/${key}`, headers);
    expect([created.status, created.tag]).toEqual([201, tag]);
  });

  test.each(['vehicle', 'device', 'user'] as const)('of a restored %s is the one that GET has', async (kind) => {
    const owner = await account();
    const key = {
      vehicle: () => vehicle(owner.key),
      device: async () => (await device(owner.key)).key,
      user: () => user(owner.key),
    };
    const path = `/${kind}/${await key[kind]()}`;
    expect((await send('DELETE', path, owner.headers)).status).toBe(200);
    const restored = await send('POST', `${path}/restore`, owner.headers);
    expect([restored.status, restored.tag]).toEqual([200, (await send('GET', path, owner.headers)).tag]);
  });

  test('is that of the account after its settings change, and of a tag that is applied', async () => {
    const owner = await account();
    const { key } = JSON.parse((await send('POST', '/tags', owner.headers, { value: 'Express', type: 'Car' })).body);
    for (const [path, shown, body] of [
      ['/account/retention', '/account', { positions_days: 90, trips: 'keep_facts' }],
      ['/account/trip_settings', '/account', { stop_seconds: 600 }],
      [`/tag/${key}/apply`, `/tag/${key}`, { entity_keys: [await vehicle(owner.key)] }],
    ] as const) {
      const changed = await send('POST', path, owner.headers, body);
      const { tag } = await send('GET', shown, owner.headers);
      expect([path, changed.status, changed.tag]).toEqual([path, 200, tag]);
    }
  });

  test('is not of answers that GET does not show: issued keys, invited users', async () => {
    const { headers } = await account();
    const { status, tag } = await send('POST', '/users', headers, { email: 'ada@bakery.example', first_name: 'Ada' });
    expect([status, tag]).toEqual([201, 'undefined']);
    expect((await send('POST', '/api_keys', headers)).tag).toBe('undefined');
  });

  test.each(['vehicle', 'group', 'device'] as const)(
    'in If-Match lets one of many changes of a %s pass in the same instant',
    async (kind) => {
      const owner = await account();
      const { key: northKey } = await group(owner.key, 'North');
      const vehicleKey = await vehicle(owner.key);
      const { key: deviceKey } = await device(owner.key, { vehicle_key: vehicleKey });
      const path = `/${kind}/${{ vehicle: vehicleKey, group: northKey, device: deviceKey }[kind]}`;
      const { tag } = await send('GET', path, owner.headers);
      const onlyIf = { ...owner.headers, 'if-match': tag };
      const body = (at: number) =>
        ({
          vehicle: { nickname: `Van ${at}` },
          group: { name: `North ${at}` },
          // Unlike its subscription, its vehicle is part of what GET answers, of which the tag is made.
          device: { vehicle_key: null },
        })[kind];
      const changes = Array.from({ length: 6 }, (_, at) =>
        send('POST', path, at % 2 === 0 ? onlyIf : keyed(onlyIf), body(at)),
      );
      const statuses = (await Promise.all(changes)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status !== 200 && status !== 409 && status !== 412)).toEqual([]);
      const changed = (await send('GET', path, owner.headers)).tag;
      expect((await send('DELETE', path, { ...onlyIf, 'if-match': changed })).status).toBeLessThan(300);
    },
  );

  test.each(['vehicle', 'device', 'group', 'user', 'place', 'rule', 'tag', 'share', 'webhook', 'trip'])(
    'in If-Match is not looked at where there is no such %s: 404',
    async (kind) => {
      const { headers } = await account();
      for (const tag of ['"other"', '*']) {
        const onlyIf = { ...headers, 'if-match': tag };
        const body = kind === 'rule' ? { name: 'Fast' } : { subscription_status: 'active' };
        expect(await send('POST', `/${kind}/zz`, onlyIf, body)).toMatchObject({ status: 404, body: '' });
        expect((await send('POST', `/${kind}/zz`, keyed(onlyIf), body)).status).toBe(404);
        if (kind !== 'trip') expect((await send('DELETE', `/${kind}/zz`, onlyIf)).status).toBe(404);
      }
    },
  );

  test('in If-Match is of no use to a caller who may not read the record', async () => {
    const owner = await account();
    const vehicleKey = await vehicle(owner.key);
    const { tag } = await send('GET', `/vehicle/${vehicleKey}`, owner.headers);
    const writer = await appFor(await user(owner.key), ['vehicles.manage']);
    const onlyIf = { ...writer.headers, 'if-match': tag };
    expect((await send('POST', `/vehicle/${vehicleKey}`, onlyIf, { nickname: 'Van 2' })).status).toBe(412);
  });
});
