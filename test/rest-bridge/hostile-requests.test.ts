import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import { account, device, group, subscription } from '../services/account-fixture.ts';
import { useDatabase, testService, storeNamed } from '../services/database.ts';
import { openHost } from '../hosts/open-host.ts';
import { runSize } from '../services/run-size.ts';
import { AccountClient, type Headers } from '../clients/account-client.ts';

useDatabase();

const REQUESTS = runSize(400, 5000);

let app: FastifyInstance;
let client: AccountClient;
let headers: Headers;
let bystander: string;
beforeAll(async () => {
  app = await openHost([
    await accountEndpoint(testService, new URL('https://localhost/api/v2'), new URL('https://localhost')),
  ]);
  client = await AccountClient.of(app);
  const mine = await account();
  headers = mine.headers;
  await subscription(mine.key);
  await group(mine.key, 'North');
  await device(mine.key);
  const other = await account({ nickname: 'Bystander' });
  bystander = other.key;
  await group(other.key, 'Foreign');
  await device(other.key);
});
afterAll(() => app.close());

/** Everything that belongs to an account, as it lies in the database. */
async function belongings(accountKey: string): Promise<unknown> {
  const models = ['Account', 'Device', 'Group', 'BillingSubscription', 'User'].map((name) => storeNamed(name));
  return Promise.all(
    models.map((model) =>
      model
        .driver(testService)
        .find({ $or: [{ key: accountKey }, { account_key: accountKey }] })
        .toArray(),
    ),
  );
}

const nastyText = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e309',
    '9'.repeat(400),
    'NaN',
    'null',
    'undefined',
    '\u0000',
    'a\u0000b',
    '%00',
    '../../etc/passwd',
    '..%2f..%2f',
    '$where',
    '{"$ne":null}',
    '[object Object]',
    '__proto__',
    'constructor',
    "' OR 1=1 --",
    '<script>alert(1)</script>',
    '\ud800',
    '\u202e\u200b\ufeff',
    'ｄｅｖｉｃｅ',
    'x'.repeat(5000),
    '\r\nSet-Cookie: a=b',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

const operator = fc.constantFrom<unknown>(
  { $ne: null },
  { $gt: '' },
  { $regex: '.*' },
  { $where: 'sleep(1000)' },
  { $in: [] },
  { __proto__: { admin: true } },
  { toString: 1 },
  { length: 1e9 },
);

const nastyValue = fc.oneof(
  nastyText,
  operator,
  fc.constantFrom<unknown>(null, true, false, 0, -0, 1e308, 2 ** 53, [], {}, [[[[]]]], ['a', null]),
  fc.double(),
  fc.array(nastyText, { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 4 }),
);

const FIELDS = ['nickname', 'external_id', 'street', 'city', 'state', 'zipcode', 'name', 'parent_group_key', 'key'];
const PARAMETERS = ['q', 'size', 'cursor', 'group_keys', 'group_keys[]', 'group_keys[0][$ne]', 'show_inactive', 'x'];
const fieldName = fc.oneof(fc.constantFrom(...FIELDS, 'subscription_status', '__proto__', 'input'), nastyText);

const deep = fc.integer({ min: 100, max: 20_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth));
const nastyBody = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.tuple(fieldName, nastyValue), { maxLength: 5 }).map(duplicateKeys) },
  { weight: 2, arbitrary: nastyText },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: deep.map((list) => `{"name":${list}}`) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
);

/** An object whose members may have the same name, as JSON text. */
function duplicateKeys(members: readonly (readonly [string, unknown])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`;
}

const contentType = fc.oneof(
  { weight: 5, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'text/plain',
      'application/json; charset=utf-16',
      'application/x-www-form-urlencoded',
      '////',
    ),
  },
);

const query = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...PARAMETERS), nastyText), nastyText), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, value]) => `${escapeText(name)}=${escapeText(value)}`).join('&'));

const segment = nastyText.filter((text) => text !== '').map(escapeText);

/** Percent-encodes, also what is no text (lone surrogates), and sometimes leaves a sign as it is. */
function escapeText(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString()).replaceAll('%25', '%');
}

const hostile = fc.oneof(
  fc.record({
    method: fc.constant('GET' as const),
    path: fc.constantFrom('/account', '/subscriptions', '/devices', '/groups'),
    query,
  }),
  fc.record({
    method: fc.constant('GET' as const),
    path: segment.chain((key) => fc.constantFrom(`/device/${key}`, `/group/${key}`)),
    query,
  }),
  fc.record({
    method: fc.constant('POST' as const),
    path: fc.oneof(
      fc.constantFrom('/account', '/groups'),
      segment.map((key) => `/device/${key}`),
    ),
    query,
    body: nastyBody,
    contentType,
  }),
);

test(`${REQUESTS} hostile requests never get a fault, an undescribed answer, or at another account`, async () => {
  const before = await belongings(bystander);
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(hostile, async (request) => {
      const url = request.query ? `${request.path}?${request.query}` : request.path;
      const response =
        'body' in request
          ? await client.send('POST', url, { ...headers, 'content-type': request.contentType }, request.body)
          : await client.send('GET', url, headers);
      statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1);
      expect(response.statusCode).toBeLessThan(500);
    }),
    { numRuns: REQUESTS, seed: 20260303 },
  );
  expect(await belongings(bystander)).toEqual(before);
  expect([...statuses.keys()].sort()).toEqual([200, 201, 400, 404]);
});

test.each<[string, string | Buffer]>([
  ['one byte over 1 MiB', Buffer.alloc(2 ** 20 + 1, 0x20)],
  ['a text over 1 MiB', JSON.stringify({ city: 'x'.repeat(2 ** 20) })],
])('%s is 413', async (_, body) => {
  const response = await client.post('/account', body, headers);
  expect(response.statusCode).toBe(413);
});

test.each([
  ['of nothing but brackets', '['.repeat(2 ** 20), 'The body must not be nested more than 64 deep'],
  ['that is nested 64 deep', `{"x":${'['.repeat(63)}${']'.repeat(63)}}`, undefined],
  ['that is nested 65 deep', `{"x":${'['.repeat(64)}${']'.repeat(64)}}`, /64 deep/],
  ['with brackets in a text only', JSON.stringify({ x: `\\"${'['.repeat(100)}` }), undefined],
])('a body %s is read or refused by its depth', async (_, body, rejection) => {
  const response = await client.post('/account', body, headers);
  expect(response.statusCode).toBe(rejection === undefined ? 200 : 400);
  if (rejection !== undefined) expect(response.json().errors).toMatch(rejection);
});

test('a body of 1 MiB is read', async () => {
  const body = JSON.stringify({ city: '' });
  const padded = `${body}${' '.repeat(2 ** 20 - body.length)}`;
  expect((await client.post('/account', padded, headers)).statusCode).toBe(200);
});
