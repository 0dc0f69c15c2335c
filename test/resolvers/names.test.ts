import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { AccountStore } from '../../models/account/account.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { AccountClient, type Headers } from '../clients/account-client.ts';
import { account, device, user } from '../services/account-fixture.ts';
import { useDatabase, testService } from '../services/database.ts';
import { apiHost } from '../hosts/api-host.ts';

useDatabase();

let app: FastifyInstance;
let client: AccountClient;
let headers: Headers;
let account_key: string;
beforeAll(async () => {
  app = await apiHost();
  client = await AccountClient.of(app);
  ({ key: account_key, headers } = await account());
});
afterAll(() => app.close());

const POINT = { lat: 53.0758, lon: 8.8072 };

/** Texts of people by their parameters, with what else their path requires. */
const BY_REST: readonly [path: string, parameter: string, more?: object][] = [
  ...['nickname', 'external_id', 'street', 'city', 'state', 'zipcode'].map((name) => ['/account', name] as const),
  ['/groups', 'name'],
  ['/devices', 'serial'],
  ...['nickname', 'plate_number', 'make', 'model'].map((name) => ['/vehicles', name] as const),
  ['/users', 'first_name', { email: 'ada@bakery.example' }],
  ['/users', 'last_name', { email: 'ada@bakery.example' }],
  ['/places', 'name', { point: POINT, radius: 100 }],
  ['/rules', 'name', { speed_limit: 70 }],
  ['/tags', 'value', { type: 'Trip' }],
].map((row) => [...row] as unknown as [string, string, object?]);

const BY_GRAPHQL: readonly [what: string, document: string][] = [
  ['issueApiKey', 'mutation($text:String!){issueApiKey(name:$text){key}}'],
  ['issueForwarderKey', 'mutation($text:String!){issueForwarderKey(name:$text){key}}'],
  ['issueDeviceKey', 'mutation($text:String!){issueDeviceKey(device_key:"DEVICE",name:$text){key}}'],
  [
    'createPrivacyZone',
    'mutation($text:String!){createPrivacyZone(input:{name:$text,lat:1,lon:2,radius_meters:200}){key}}',
  ],
];

const REJECTED = [
  ['nothing that is seen', '\u200b\u2060\ufe0f', 'must have a visible character'],
  ['a blank that is no white space', '\u3164\u2800', 'must have a visible character'],
  ['a zero', 'Van\0', 'must not have control characters or line breaks'],
  ['a line break', 'Van\nx', 'must not have control characters or line breaks'],
  ['a line separator', 'Van\u2028x', 'must not have control characters or line breaks'],
  ['an override of direction', 'Van \u202egpj', 'must not have control characters or line breaks'],
  ['an isolate', 'Van \u2067x', 'must not have control characters or line breaks'],
  ['256 characters', 'x'.repeat(256), 'must have 1 to 255 characters'],
  ['500 KB', 'x'.repeat(500_000), 'must have 1 to 255 characters'],
  ['500 KB of blanks behind it', `x${' '.repeat(254)}${'\u200b'.repeat(100_000)}`, 'must have 1 to 255 characters'],
] as const;

const ACCEPTED = [
  ['emoji of several parts', '👩‍🔧 👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️'],
  ['combining marks', 'Zoe\u0308 q\u0323\u0307'],
  ['text from right to left with its marks', 'שלום\u200f עולם'],
  ['Persian with a zero-width non-joiner', 'می\u200cخواهم'],
  ['255 characters beyond 16 bits', '😀'.repeat(255)],
] as const;

/** Sends a text as a parameter, beside what else the path requires. */
async function send([path, parameter, more = {}]: (typeof BY_REST)[number], text: string) {
  const unique = 'email' in more ? { email: `${crypto.randomUUID()}@bakery.example` } : {};
  const answer = await client.post(path, { ...more, ...unique, [parameter]: text }, headers);
  return { status: answer.statusCode, body: answer.json() };
}

test.each(REJECTED)('a text of a person is not %s', async (_, text, fault) => {
  expect(await send(['/account', 'city'], text)).toEqual({ status: 400, body: { errors: `city ${fault}` } });
});

test.each(ACCEPTED)('a text of a person may be %s', async (_, text) => {
  expect((await send(['/account', 'city'], text)).body).toMatchObject({ city: text });
});

test.each(BY_REST)('POST %s checks and bounds %s', async (...row) => {
  const [, parameter] = row;
  for (const [, text, fault] of [REJECTED[0], REJECTED[2], REJECTED[7]]) {
    expect(await send(row, text)).toEqual({ status: 400, body: { errors: `${parameter} ${fault}` } });
  }
  const [, text] = ACCEPTED[0];
  expect((await send(row, text)).body).toMatchObject({ [parameter]: text });
});

test.each(BY_GRAPHQL)('%s checks and bounds a name', async (_, document) => {
  const { key } = await device(account_key);
  for (const [, text, fault] of [REJECTED[0], REJECTED[2], REJECTED[7]]) {
    const payload = { query: document.replace('DEVICE', key), variables: { text } };
    const answer = await app.inject({ method: 'POST', url: '/graphql', headers, payload });
    expect(answer.json().errors).toMatchObject([{ message: `name ${fault}`, extensions: { code: 'BAD_REQUEST' } }]);
  }
});

test.each(['ada\0@bakery.example', 'ada\u200b@bakery.example', '\u202eada@bakery.example'])(
  'an e-mail address has no character that is not seen: %j',
  async (email) => {
    const answer = await client.post('/users', { email }, headers);
    expect([answer.statusCode, answer.json().errors]).toEqual([400, expect.stringMatching(/^email must be an e-mail/)]);
  },
);

test('a preferred_locale has at most 255 characters', async () => {
  const preferred_locale = `x-${'abcdefgh-'.repeat(1000)}a`;
  const answer = await client.post('/users', { email: 'ada@bakery.example', preferred_locale }, headers);
  expect(answer.json()).toEqual({ errors: 'preferred_locale must have 1 to 255 characters' });
});

test('what was stored before is read as it is, and other fields can be changed', async () => {
  const { key, headers: owner } = await account();
  await user(key);
  const city = `\u202e${'x'.repeat(300)}\0`;
  await AccountStore.updateOne(accountAccessScope(testService, key), {}, { city });
  expect((await client.post('/account', { state: 'Bremen' }, owner)).json()).toMatchObject({ city, state: 'Bremen' });
  expect((await client.get('/account', owner)).json()).toMatchObject({ city });
});

test('white space around a field of the account is not stored, and an empty one clears it', async () => {
  const { headers: owner } = await account({ zipcode: '28195' });
  const answer = await client.post('/account', { city: ' Bremen\n', zipcode: '' }, owner);
  expect(answer.json()).toMatchObject({ city: 'Bremen', zipcode: '' });
});
