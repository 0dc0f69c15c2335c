import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { signTripToken } from '../../../auth/trip-token.ts';
import { TIMED_TRIPS_QUERY, TRIPS_QUERY } from '../../../schema/trips/trips-query.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { TRIP_DAYS_QUERY } from '../../../graphql/endpoint/trip-days-query.ts';
import { gatewayEndpoint, ORIGIN } from '../../clients/graphql-client.ts';
import { httpsFetch } from '../../clients/https-fetch.ts';
import { account, appFor, device, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { openHost } from '../../hosts/open-host.ts';
import { queriesDuring } from '../../services/queries-during.ts';
import { listen } from '../../hosts/test-host.ts';

useDatabase();

const DEVICE = 'query OneDevice($key: String!) {\n  device(key: $key) { key serial }\n}\n';
/** Begins with a byte order mark. */
const MARKED = '\u{feff}query Marked { account { key } }';
const CANCEL =
  'mutation Cancel($key: String!) { updateDevice(key: $key, input: { subscription_status: canceled }) { key } }';
const COSTLY = `{ ${Array.from({ length: 40 }, (_, at) => `d${at}: devices(first: 1000) { nodes { key } }`).join(' ')} }`;
const PAGE = 'https://fleet.example';
/** The operations of earlier components, of which pages have saved copies: of version 0.1, and before lines told gaps. */
const EARLIER = [
  'path(tolerance_meters: $tolerance_meters) { precision points breaks }',
  'timed_path(tolerance_meters: $tolerance_meters) { precision points breaks times speeds } gaps { started ended }',
].flatMap((line) =>
  ['distance_meters', 'distance_meters time_zone'].map(
    (distance) => `query ServiceTripsMap(
  $vehicle_key: String!, $trip_key: String, $started_after: String, $started_before: String,
  $first: Int!, $after: String, $tolerance_meters: Float!
) {
  trips(
    vehicle_key: $vehicle_key, trip_key: $trip_key, started_after: $started_after, started_before: $started_before,
    first: $first, after: $after
  ) {
    nodes {
      key vehicle_key duration_seconds ${distance}
      start_point { point { lat lon } timestamp }
      end_point { point { lat lon } timestamp }
      stops { arrival departure point { lat lon } }
      ${line}
    }
    page_info { end_cursor has_next_page }
  }
}`,
  ),
);

/** The id as `sha256sum` prints it. */
const idOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

type Settings = Parameters<typeof gatewayEndpoint>[0];
type Headers = Readonly<Record<string, string>>;

let owner: Awaited<ReturnType<typeof account>>;
let key: string;
let vehicleKey: string;
/** Services with the documents of a folder: that execute any document, trusted ones only, and automatic persisted queries. */
let usual: Service;
let only: Service;
let automatic: Service;
beforeAll(async () => {
  owner = await account();
  key = (await device(owner.key, { serial: 'A1' })).key;
  vehicleKey = await vehicle(owner.key);
  const files = { 'device.graphql': DEVICE, 'cancel.graphql': CANCEL, 'marked.graphql': MARKED, 'readme.md': '{' };
  const trustedDocuments = await folderWith(files);
  usual = await serve({ trustedDocuments });
  only = await serve({ trustedDocuments, trustedDocumentsOnly: true });
  automatic = await serve({ automaticPersistedQueries: true });
  await rm(trustedDocuments, { recursive: true });
});
afterAll(() => Promise.all([usual, only, automatic].map(({ app }) => app.close())));

async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-documents-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

type Service = Awaited<ReturnType<typeof serve>>;

/** A client of a gateway with these settings, and of the account API beside it, over HTTPS. */
async function serve(settings: Settings) {
  const app = await openHost([
    await gatewayEndpoint(settings),
    await accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN)),
  ]);
  const base = `https://localhost:${await listen(app)}`;
  const fetch = await httpsFetch();
  const read = async (answer: Response) => ({ status: answer.status, body: JSON.parse(await answer.text()) });
  return {
    app,
    fetch: (path: string, headers: Headers) => fetch(base + path, { headers }),
    post: async (body: object, headers: Headers = owner.headers) =>
      read(
        await fetch(`${base}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }),
      ),
    get: async (parameters: Record<string, string> | string[][], headers: Headers = owner.headers) =>
      read(await fetch(`${base}/graphql?${new URLSearchParams(parameters)}`, { headers })),
  };
}

async function mapHeaders(): Promise<Headers> {
  const { client_id, grant } = await appFor(await user(owner.key), ['account_activity.read']);
  const claims = { sub: `vehicle:${vehicleKey}`, aud: PAGE, scope: 'loc-past', client_id, grant: grant.grant_hash };
  return { authorization: `Bearer ${await signTripToken(testService, ORIGIN, claims)}`, origin: PAGE };
}

const rejected = (code: string) => ({
  status: 400,
  body: { errors: [{ message: expect.any(String), extensions: { code } }] },
});

describe('a document of the folder', () => {
  test('is executed by its id, by POST and by GET, with variables', async () => {
    const { post, get } = usual;
    const found = { status: 200, body: { data: { device: { key, serial: 'A1' } } } };
    const documentId = idOf(DEVICE);
    expect(await post({ documentId, variables: { key } })).toEqual(found);
    expect(await post({ documentId, operationName: 'OneDevice', query: null, variables: { key } })).toEqual(found);
    expect(await get({ documentId, variables: JSON.stringify({ key }) })).toEqual(found);
    expect(await post({ query: DEVICE, variables: { key } })).toEqual(found);
  });

  test('has the callers, permissions, errors and methods of any document', async () => {
    const { post, get } = usual;
    const documentId = idOf(DEVICE);
    for (const [body, headers] of [
      [{ variables: { key } }, {}],
      [{ variables: { key } }, { 'service-api-key': 'wrong' }],
      [{ variables: { key } }, await mapHeaders()],
      [{ variables: {} }, owner.headers],
      [{ variables: { key: 'absent' } }, owner.headers],
      [{ operationName: 'Other', variables: { key } }, owner.headers],
    ] as const) {
      expect(await post({ documentId, ...body }, headers)).toEqual(await post({ query: DEVICE, ...body }, headers));
    }
    const variables = JSON.stringify({ key });
    const changed = await get({ documentId: idOf(CANCEL), variables });
    expect(changed).toEqual(await get({ query: CANCEL, variables }));
    expect(JSON.stringify(changed)).toContain('GET requests only support query operations');
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    [
      'an unknown field',
      '{ device(key: "a") {\n  colour } }',
      /^TRUSTED_DOCUMENTS must .* wrong\.graphql: line 2, column 3: Cannot query field "colour"/,
    ],
    ['no document', '{ device', /^TRUSTED_DOCUMENTS must .* wrong\.graphql: line 1, column 9: Syntax Error/],
    ['no operation', 'fragment F on Device { key }', /^TRUSTED_DOCUMENTS must .* wrong\.graphql: it has 0 operations/],
    [
      'two operations',
      'query A { plan { name } } query B { plan { name } }',
      /^TRUSTED_DOCUMENTS must .* wrong\.graphql: it has 2 operations/,
    ],
    [
      'a cost over the limit',
      COSTLY,
      /^TRUSTED_DOCUMENTS must .* wrong\.graphql: line 1, column 1: The operation has a cost of/,
    ],
    [
      'brackets without an end',
      `{ trips(vehicle_key: ${'['.repeat(100_000)}`,
      /^TRUSTED_DOCUMENTS must .* wrong\.graphql: /,
    ],
    ['a subscription', 'subscription { device { key } }', /^TRUSTED_DOCUMENTS must .* wrong\.graphql: .*subscription/i],
    ['other than UTF-8', new Uint8Array([0x7b, 0xff]), /^TRUSTED_DOCUMENTS must be a folder/],
  ])('with %s ends the start by an error', async (_, text, message) => {
    const trustedDocuments = await folderWith({ 'device.graphql': DEVICE, 'wrong.graphql': text });
    onTestFinished(() => rm(trustedDocuments, { recursive: true }));
    await expect(gatewayEndpoint({ trustedDocuments })).rejects.toThrow(message);
  });

  test('in a folder that cannot be read ends the start by an error', async () => {
    const trustedDocuments = join(tmpdir(), 'waybridge-documents-absent');
    await expect(gatewayEndpoint({ trustedDocuments })).rejects.toThrow('TRUSTED_DOCUMENTS must be a folder');
  });

  test('is hashed as it is, with its byte order mark', async () => {
    expect(await usual.post({ documentId: idOf(MARKED), variables: { key } })).toMatchObject({ status: 200 });
    expect(await usual.post({ documentId: idOf(MARKED.slice(1)) })).toEqual(rejected('PERSISTED_DOCUMENT_NOT_FOUND'));
  });
});

describe('a documentId', () => {
  test.each<[string, object, string]>([
    ['that nobody knows', { documentId: idOf('{ other }') }, 'PERSISTED_DOCUMENT_NOT_FOUND'],
    ['without its prefix', { documentId: idOf(TRIPS_QUERY).slice(7) }, 'BAD_REQUEST'],
    ['with another prefix', { documentId: idOf(TRIPS_QUERY).replace('sha256', 'x-mine') }, 'BAD_REQUEST'],
    ['in upper case', { documentId: idOf(TRIPS_QUERY).toUpperCase() }, 'BAD_REQUEST'],
    ['that is no text', { documentId: 5 }, 'BAD_REQUEST'],
    ['that is a list', { documentId: [idOf(TRIPS_QUERY)] }, 'BAD_REQUEST'],
    ['that is empty', { documentId: '' }, 'BAD_REQUEST'],
    ['beside a query', { documentId: idOf(TRIPS_QUERY), query: TRIPS_QUERY }, 'BAD_REQUEST'],
    ['of null', { documentId: null }, 'BAD_REQUEST'],
  ])('%s is 400', async (_, body, code) => {
    const { post } = usual;
    expect(await post(body)).toEqual(rejected(code));
    expect(await post(body, {})).toEqual(rejected(code));
  });

  test('is 401 before it is anything else, where the credentials are not valid', async () => {
    const { post } = usual;
    expect(await post({ documentId: 'x' }, { 'service-api-key': 'wrong' })).toMatchObject({ status: 401 });
  });

  test('given twice by GET is 400', async () => {
    const { get } = usual;
    const documentId = idOf(TRIPS_QUERY);
    const variables = JSON.stringify({ vehicle_key: vehicleKey, first: 1, tolerance_meters: 1 });
    expect((await get({ documentId, variables })).status).toBe(200);
    expect(
      await get([
        ['documentId', documentId],
        ['documentId', documentId],
        ['variables', variables],
      ]),
    ).toEqual(rejected('BAD_REQUEST'));
    expect(await get({ documentId, query: TRIPS_QUERY, variables })).toEqual(rejected('BAD_REQUEST'));
  });
});

test('a trip map that names its operation is answered from the cache, as by text, and the other way round', async () => {
  const { post } = usual;
  const headers = await mapHeaders();
  const variables = { vehicle_key: vehicleKey, first: 50, tolerance_meters: 1 };
  const identification = [{ collection: 'oauth_records', method: 'aggregate' }];
  const byText = await post({ query: TRIPS_QUERY, variables }, headers);
  expect(byText).toMatchObject({ status: 200, body: { data: { trips: { nodes: [] } } } });
  expect(
    await queriesDuring(async () => {
      expect(await post({ documentId: idOf(TRIPS_QUERY), variables }, headers)).toEqual(byText);
    }),
  ).toEqual(identification);
  await post({ documentId: idOf(TIMED_TRIPS_QUERY), variables }, headers);
  expect(
    await queriesDuring(async () => {
      await post({ query: `# By text\n${TIMED_TRIPS_QUERY}`, variables }, headers);
    }),
  ).toEqual(identification);
});

describe('if only trusted documents are executed', () => {
  test('those are, by id and by text', async () => {
    const { post, get } = only;
    const found = { status: 200, body: { data: { device: { key, serial: 'A1' } } } };
    expect(await post({ documentId: idOf(DEVICE), variables: { key } })).toEqual(found);
    expect(await post({ query: DEVICE, variables: { key } })).toEqual(found);
    expect(await get({ query: DEVICE, variables: JSON.stringify({ key }) })).toEqual(found);
  });

  test('operations of the trip map and of the pages are among them', async () => {
    const { post } = only;
    const headers = await mapHeaders();
    const variables = { vehicle_key: vehicleKey, first: 50, tolerance_meters: 1 };
    for (const query of [TRIPS_QUERY, TIMED_TRIPS_QUERY, ...EARLIER]) {
      expect(await post({ query, variables }, headers)).toMatchObject({ status: 200, body: { data: {} } });
    }
    const days = { query: TRIP_DAYS_QUERY, variables: { vehicle: vehicleKey } };
    expect(await post(days, headers)).toMatchObject({ status: 200, body: { data: {} } });
  });

  test.each<[string, string]>([
    ['another operation', '{ account { key } }'],
    ['a trusted one with a comment', `${DEVICE}# more`],
    ['introspection', getIntrospectionQuery()],
    ['an invalid one, which reveals nothing of the schema', '{ devicez { key } }'],
    ['no document', '{'],
  ])('%s is 400, and 401 without credentials, as on a page whose session has ended', async (_, query) => {
    const { post, get } = only;
    for (const answer of [await post({ query }), await get({ query })]) {
      expect(answer).toEqual(rejected('PERSISTED_DOCUMENT_REQUIRED'));
      expect(JSON.stringify(answer)).not.toContain('Did you mean');
    }
    for (const answer of [
      await post({ query }, {}),
      await post({ query }, { cookie: '__Host-session=ended', origin: ORIGIN }),
    ])
      expect(answer).toMatchObject({ status: 401, body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] } });
  });

  test('none slips in as a second query of an address, or as an automatic persisted query', async () => {
    const { get, post } = only;
    const variables = JSON.stringify({ key });
    for (const texts of [
      [DEVICE, '{ account { key } }'],
      ['{ account { key } }', DEVICE],
    ]) {
      expect(await get([...texts.map((text) => ['query', text]), ['variables', variables]])).toEqual(
        rejected('BAD_REQUEST'),
      );
    }
    const extensions = { persistedQuery: { version: 1, sha256Hash: idOf(DEVICE).slice(7) } };
    expect(await post({ extensions, variables: { key } })).toMatchObject({
      body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }] },
    });
  });

  test('REST and its own operations stay as they are', async () => {
    const answer = await only.fetch(`/api/v2/device/${key}`, owner.headers);
    expect(answer.status).toBe(200);
    expect(JSON.parse(await answer.text())).toMatchObject({ serial: 'A1' });
  });

  test('no page for trying out queries is shown', async () => {
    const html = { accept: 'text/html' };
    const page = async ({ fetch }: Service) => (await fetch('/graphql', html)).headers.get('content-type');
    expect(await page(usual)).toContain('text/html');
    expect(await page(only)).toContain('application/json');
  });
});

describe('automatic persisted queries', () => {
  const sha256Hash = idOf(DEVICE).slice(7);
  const extensions = { persistedQuery: { version: 1, sha256Hash } };

  test('are registered with their text, and executed by their hash from then on', async () => {
    const { post, get } = automatic;
    const variables = { variables: { key } };
    const unknown = { body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] } };
    const found = { status: 200, body: { data: { device: { key, serial: 'A1' } } } };
    expect(await post({ extensions, ...variables })).toMatchObject(unknown);
    expect(await post({ extensions, query: '{ account { key } }' })).toMatchObject({ status: 400 });
    expect(await post({ extensions, ...variables })).toMatchObject(unknown);
    expect(await post({ extensions, query: DEVICE, ...variables })).toEqual(found);
    expect(await post({ extensions, ...variables })).toEqual(found);
    const parameters = { extensions: JSON.stringify(extensions), variables: JSON.stringify({ key }) };
    expect(await get(parameters)).toEqual(found);
    expect(await post({ extensions, ...variables }, {})).toMatchObject({ status: 401 });
  });

  test('are registered by GET, too', async () => {
    const { get } = automatic;
    const query = `${DEVICE} # by GET`;
    const persisted = { persistedQuery: { version: 1, sha256Hash: idOf(query).slice(7) } };
    const parameters = { extensions: JSON.stringify(persisted), variables: JSON.stringify({ key }) };
    expect(await get(parameters)).toMatchObject({
      body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
    });
    const found = { status: 200, body: { data: { device: { key, serial: 'A1' } } } };
    expect(await get({ ...parameters, query })).toEqual(found);
    expect(await get(parameters)).toEqual(found);
  });

  test('that are invalid or cost too much are not registered', async () => {
    const { post } = automatic;
    const costly = { persistedQuery: { version: 1, sha256Hash: idOf(COSTLY).slice(7) } };
    expect(await post({ extensions: costly, query: COSTLY })).toMatchObject({ status: 400 });
    expect(await post({ extensions: costly })).toMatchObject({
      body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
    });
  });

  test('that have not been sent for long give way to others', async () => {
    const { post } = automatic;
    const register = async (query: string) => {
      const persisted = { persistedQuery: { version: 1, sha256Hash: idOf(query).slice(7) } };
      expect(await post({ extensions: persisted, query })).toMatchObject({ status: 200 });
      return persisted;
    };
    const first = await register('{ account { key } }');
    expect(await post({ extensions: first })).toMatchObject({ status: 200, body: { data: {} } });
    for (let count = 0; count < 20; count++) await register(`{ account { key } } # ${'x'.repeat(60_000)}${count}`);
    expect(await post({ extensions: first })).toMatchObject({
      body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
    });
  });

  test('are rejected unless the service is set to accept them', async () => {
    const { post } = usual;
    expect(await post({ extensions, query: DEVICE })).toMatchObject({
      body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }] },
    });
  });
});
