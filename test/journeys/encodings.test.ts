import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { addWebsiteUser } from '../../content/users/manage-website-user.ts';
import { contentEndpoint } from '../../content/rest/content-endpoint.ts';
import { ContentItemStore } from '../../content/models/content-item.ts';
import { PlaceStore } from '../../models/places/place.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import { oauthEndpoint } from '../../pages/endpoints/oauth-endpoint.ts';
import { tokenEndpoint } from '../../server/endpoints/token-endpoint.ts';
import { gatewayEndpoint, ORIGIN } from '../clients/graphql-client.ts';
import { account } from '../services/account-fixture.ts';
import { useDatabase, testService } from '../services/database.ts';
import { recordingDevice } from '../hosts/ingest-host.ts';
import { openHost } from '../hosts/open-host.ts';

useDatabase();

type Headers = Readonly<Record<string, string>>;

/** A request whose body is written with one character a byte. */
interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

let app: FastifyInstance;
let owner: Headers;
let device: Headers;
let editor: Headers;
beforeAll(async () => {
  const url = new URL(ORIGIN);
  app = await openHost([
    await accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), url),
    await gatewayEndpoint(),
    await tokenEndpoint(testService, url, ORIGIN),
    await oauthEndpoint(testService, ORIGIN),
    await contentEndpoint(testService, url),
  ]);
  const recording = await recordingDevice(await account({ city: 'Ulm' }));
  owner = recording.owner.headers;
  device = { authorization: `Bearer ${recording.secret}` };
  const { application_password } = await addWebsiteUser(testService, 'ed', 'ed@example.com', 'editor');
  editor = { authorization: `Basic ${Buffer.from(`ed:${application_password}`).toString('base64')}` };
});
afterAll(() => app.close());

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const post = ({ url, headers, body }: Sent) =>
  app.inject({
    method: 'POST',
    url,
    headers: { host: 'localhost', 'content-type': JSON_TYPE, ...headers },
    payload: Buffer.from(body, 'latin1'),
  });

const accountNow = async () =>
  (await app.inject({ url: '/api/v2/account', headers: { host: 'localhost', ...owner } })).json();

/** Records that requests of these tests would make. */
async function stored(): Promise<number[]> {
  const options = unrestricted(testService);
  return Promise.all([
    VehicleStore.countDocuments(options, {}),
    PlaceStore.countDocuments(options, {}),
    ContentItemStore.countDocuments(testService, {}),
  ]);
}

/** Endpoints that take JSON, each with a body of a text; the API's answer names what is wrong with it. */
const API: readonly [what: string, sent: (text: string) => Sent][] = [
  ['the account', (text) => ({ url: '/api/v2/account', headers: owner, body: `{"city":"${text}"}` })],
  ['a vehicle', (text) => ({ url: '/api/v2/vehicles', headers: owner, body: `{"nickname":"${text}"}` })],
  [
    'a place',
    (text) => ({
      url: '/api/v2/places',
      headers: owner,
      body: `{"name":"${text}","point":{"lat":1,"lon":2},"radius":100}`,
    }),
  ],
  [
    'positions',
    (text) => ({
      url: '/api/v2/ingest',
      headers: device,
      body: `{"points":[{"point":{"lat":1,"lon":2},"timestamp":"2026-01-01T00:00:00Z","address":{"city":"${text}"}}]}`,
    }),
  ],
  [
    'a message of OwnTracks',
    (text) => ({
      url: '/api/v2/ingest/owntracks',
      headers: device,
      body: `{"_type":"location","lat":1,"lon":2,"tst":1767225600,"SSID":"${text}"}`,
    }),
  ],
  [
    'GraphQL',
    (text) => ({
      url: '/graphql',
      headers: owner,
      body: `{"query":"mutation($i:AccountInput!){updateAccount(input:$i){city}}","variables":{"i":{"city":"${text}"}}}`,
    }),
  ],
];

/** The message of an error of REST or GraphQL. */
function messageOf(body: { errors: string | readonly { message: string }[] }): string {
  return typeof body.errors === 'string' ? body.errors : (body.errors[0]?.message ?? '');
}

describe.each(API)('JSON for %s', (_, sent) => {
  test.each([
    ['Latin-1', 'Br\xe9men', {}, 'The body must be UTF-8'],
    ['a half of a character in UTF-8', 'Br\xed\xa0\x80', {}, 'The body must be UTF-8'],
    [
      'Latin-1 by its type',
      'Br\xe9men',
      { 'content-type': `${JSON_TYPE}; charset=ISO-8859-1` },
      'The charset of Content-Type must be UTF-8, not ISO-8859-1',
    ],
    [
      'another charset by its type',
      'Ulm',
      { 'content-type': `${JSON_TYPE};charset="UTF-16LE"` },
      'The charset of Content-Type must be UTF-8, not UTF-16LE',
    ],
    ['an escaped half of a character', '\\ud83d', {}, 'The body must not contain unpaired surrogates'],
    ['an escaped second half', 'x\\uDE00\\ud83d', {}, 'The body must not contain unpaired surrogates'],
  ])('that is %s is 400 with the reason, and nothing is stored', async (_what, text, headers, message) => {
    const before = [await stored(), await accountNow()];
    const request = sent(text);
    const answer = await post({ ...request, headers: { ...request.headers, ...headers } });
    expect([answer.statusCode, messageOf(answer.json())]).toEqual([400, message]);
    expect([await stored(), await accountNow()]).toEqual(before);
  });

  test.each([
    ['UTF-8', 'Br\xc3\xa9men', `${JSON_TYPE}; charset=utf-8`],
    ['characters beyond 16 bits', '\\ud83d\\ude00 \xf0\x9f\x98\x80 \\\\ud83d', `${JSON_TYPE}; charset="UTF8"`],
  ])('may have %s', async (_what, text, type) => {
    const { url, headers, body } = sent(text);
    const answer = await post({ url, headers: { ...headers, 'content-type': type }, body: `\xef\xbb\xbf${body}` });
    expect([answer.statusCode, answer.body.includes('"errors"')]).toEqual([expect.toBeOneOf([200, 201]), false]);
  });
});

test('what is stored is what was sent, without the byte order mark', async () => {
  await post({ url: '/api/v2/account', headers: owner, body: '\xef\xbb\xbf{"city":"Br\xc3\xa9men \\ud83d\\ude00"}' });
  expect(await accountNow()).toMatchObject({ city: 'Brémen 😀' });
});

describe('the special-purpose token endpoint', () => {
  const url = '/api/special-purpose/v1/token';
  const body = '{"client_id":"a","client_secret":"b"}';

  test.each([
    ['a byte order mark is skipped', `\xef\xbb\xbf${body}`, JSON_TYPE, 'Missing auth token'],
    ['bytes that are not UTF-8 cannot be parsed', body.replace('a"', '\xe9"'), JSON_TYPE, 'Missing client credentials'],
    ['nor can another charset', body, `${JSON_TYPE}; charset=ISO-8859-1`, 'Missing client credentials'],
    ['nor half a character', body.replace('a"', '\\udc00"'), JSON_TYPE, 'Missing client credentials'],
  ])('%s', async (_, text, type, errors) => {
    const answer = await post({ url, headers: { 'content-type': type }, body: text });
    expect([answer.statusCode, answer.json()]).toEqual([400, { errors }]);
  });
});

describe('the OAuth server', () => {
  const fields = 'grant_type=refresh_token&client_id=app&client_secret=secret&refresh_token=';

  test.each([
    ['a form in Latin-1', `${fields}\xe9`, FORM_TYPE],
    ['escapes in Latin-1', `${fields}%e9`, FORM_TYPE],
    ['another charset', `${fields}x`, `${FORM_TYPE}; charset=ISO-8859-1`],
  ])('answers %s by invalid_request', async (_, body, type) => {
    for (const url of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
      const answer = await post({ url, headers: { 'content-type': type }, body });
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request']);
    }
    const well = await post({ url: '/oauth/token', headers: { 'content-type': FORM_TYPE }, body: `${fields}%C3%A9` });
    expect(well.json().error).toBe('invalid_client');
  });

  test.each([
    ['a query', '/authorize?client_id=app&state=%e9', undefined],
    ['a form', '/apps/sign-in', 'email=ada%40example.com&password=%e9'],
  ])('answers %s that is not UTF-8 by a page', async (_, url, form) => {
    const answer =
      form === undefined
        ? await app.inject({ url, headers: { host: 'localhost' } })
        : await post({ url, headers: { 'content-type': FORM_TYPE }, body: form });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect(answer.body).toContain('must be percent-encoded UTF-8');
  });
});

describe('the content interface', () => {
  const PARTS = 'multipart/form-data; boundary=x';
  const part = (head: string, text: string) =>
    `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n--x--\r\n`;
  const malformed = {
    code: 'rest_invalid_json',
    message: 'Invalid JSON body passed.',
    data: {
      status: 400,
      json_error_code: 5,
      json_error_message: 'Malformed UTF-8 characters, possibly incorrectly encoded',
    },
  };
  const invalid = {
    code: 'rest_invalid_param',
    message: 'Invalid parameter(s): title',
    data: { status: 400, params: { title: 'title is not valid UTF-8.' } },
  };

  test.each([
    ['JSON', JSON_TYPE, '{"title":"Br\xe9men"}', malformed],
    [
      'JSON of another charset',
      `${JSON_TYPE}; charset=ISO-8859-1`,
      '{"title":"Bremen"}',
      { code: 'rest_invalid_request', message: 'The charset of Content-Type must be UTF-8, not ISO-8859-1' },
    ],
    ['a form', FORM_TYPE, 'title=Br%E9men', invalid],
    [
      'a form of bytes',
      FORM_TYPE,
      'title=Br\xe9men',
      { code: 'rest_invalid_request', message: 'The body must be UTF-8' },
    ],
    ['a field', PARTS, part('name="title"', 'Br\xe9men'), invalid],
    [
      'a field of another charset',
      PARTS,
      part('name="title"\r\nContent-Type: text/plain; charset=ISO-8859-1', 'Bremen'),
      { code: 'rest_invalid_request' },
    ],
    ['the name of a file', PARTS, part('name="file"; filename="\xe9.png"', 'x'), { code: 'rest_invalid_request' }],
  ])('refuses %s that is not UTF-8 in its words, and stores nothing', async (_, type, body, error) => {
    const before = await stored();
    const answer = await post({ url: '/wp-json/wp/v2/posts', headers: { ...editor, 'content-type': type }, body });
    expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining(error)]);
    expect(await stored()).toEqual(before);
  });

  test('skips a byte order mark before JSON', async () => {
    const body = '\xef\xbb\xbf{"title":"Br\xc3\xa9men"}';
    const answer = await post({ url: '/wp-json/wp/v2/posts', headers: editor, body });
    expect(answer.json().title.raw).toBe('Brémen');
  });

  test.each(['/wp-json/wp/v2/posts?search=%e9', '/wp-json/wp/v2/posts?title=100%&search=%C3'])(
    'refuses the query of %s',
    async (url) => {
      const answer = await app.inject({ url, headers: { host: 'localhost' } });
      expect([answer.statusCode, answer.json().message]).toEqual([400, 'Invalid parameter(s): search']);
    },
  );
});

test.each([
  ['/api/v2/devices?q=%e9', 'The query must be percent-encoded UTF-8'],
  ['/api/v2/ingest/osmand?id=%e9&lat=1&lon=2', 'The query must be percent-encoded UTF-8'],
  ['/api/v2/device/%e9', 'The path must be percent-encoded UTF-8'],
  ['/wp-json/wp/v2/posts/%e9', 'The path must be percent-encoded UTF-8'],
])('%j is 400, since it is not UTF-8', async (url, errors) => {
  const answer = await app.inject({ url, headers: { host: 'localhost', ...owner } });
  expect([answer.statusCode, answer.json()]).toEqual([400, { errors }]);
});

test('GraphQL by GET is 400 for a query that is not UTF-8', async () => {
  const headers = { host: 'localhost', ...owner, 'apollo-require-preflight': 'true' };
  const answer = await app.inject({ url: '/graphql?query={account{city}}&operationName=%e9', headers });
  expect([answer.statusCode, messageOf(answer.json())]).toEqual([400, 'The query must be percent-encoded UTF-8']);
});

test('a message of OsmAnd in another encoding is 400', async () => {
  for (const [type, body] of [
    [FORM_TYPE, 'id=%e9&lat=1&lon=2'],
    [FORM_TYPE, 'id=\xe9&lat=1&lon=2'],
    [JSON_TYPE, '{"device_id":"\xe9"}'],
  ] as const) {
    const answer = await post({ url: '/api/v2/ingest/osmand', headers: { 'content-type': type }, body });
    expect(answer.statusCode).toBe(400);
  }
});
