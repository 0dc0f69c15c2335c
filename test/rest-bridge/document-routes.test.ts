import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { TrustedDocuments } from '../../graphql/endpoint/trusted-documents.ts';
import { planLimited } from '../../graphql/endpoint/limited-operation.ts';
import { terseErrorResponse } from '../../http/answers/error-response.ts';
import { gatewaySchema } from '../../resolvers/gateway-schema.ts';
import { documentEndpoints } from '../../rest-bridge/document-routes.ts';
import { mergeEndpoints, SPECIFIED_PATHS } from '../../rest-bridge/specified-paths.ts';
import { ConfigError } from '../../schema/config-error.ts';
import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import { builtInPaths } from '../../server/endpoints/account-paths.ts';
import { AccountClient, type Headers } from '../clients/account-client.ts';
import { ORIGIN } from '../clients/graphql-client.ts';
import { testHost } from '../hosts/test-host.ts';
import { openHost } from '../hosts/open-host.ts';
import { account, device, vehicle } from '../services/account-fixture.ts';
import { testService, useDatabase } from '../services/database.ts';

useDatabase();

/** The paths of an API with these documents. */
async function pathsWith(...texts: readonly string[]) {
  const schema = await gatewaySchema();
  const sources = texts.map((text, at) => ({ name: `${at + 1}.graphql`, text }));
  const documents = new TrustedDocuments(schema, sources).all();
  const options = { plan: planLimited, reject: terseErrorResponse, maySee: () => true };
  return mergeEndpoints(await builtInPaths(), documentEndpoints(schema, documents, options));
}

async function endpointWith(...texts: readonly string[]) {
  return accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN), await pathsWith(...texts));
}

const at = (route: string, selection = 'account { key }') => `query Mine @route(${route}) { ${selection} }`;

describe('a route is rejected at the start, by its file and the reason, if', () => {
  test.each([
    ['its path is of the specification', at('path: "/devices"'), /1\.graphql: \/devices would replace \/devices/],
    [
      'one of the specification has its shape',
      at('path: "/device/{id}"').replace('Mine', 'Mine($id: String!)').replace('account', 'device(key: $id)'),
      /would replace \/device\/\{key\}/,
    ],
    ['it takes a part of one', at('path: "/group/mine"'), /would replace \/group\/\{group_key\}/],
    ['it is that of the description', at('path: "/openapi.json"'), /would replace \/openapi\.json/],
    ['a variable of the path is missing', at('path: "/a/{key}"'), /1\.graphql: the operation has no variable \$key/],
    ['its path has other characters', at('path: "/a b"'), /path must have segments/],
    ['its path is relative', at('path: "a"'), /path must have segments/],
    ['a query has another method', at('path: "/a", method: POST'), /a query has the method GET/],
    [
      'a mutation has GET',
      'mutation M @route(path: "/a", method: GET) { deleteTag(key: "a") { key } }',
      /GET is for queries/,
    ],
    [
      'a mutation changes two records',
      'mutation M @route(path: "/a") { a: deleteTag(key: "a") { key } b: deleteTag(key: "b") { key } }',
      /one root field/,
    ],
    ['the operation has no name', '{ account { key } }'.replace('{', 'query @route(path: "/a") {'), /must have a name/],
    ['its answer is no member', at('path: "/a", answer: "account.nodes"'), /nodes is not one of an object/],
    ['a query has another status', at('path: "/a", status: 404'), /a query has the status 200/],
    [
      'its status is an error',
      'mutation M @route(path: "/a", status: 404) { deleteTag(key: "a") { key } }',
      /status must be one of 200, 201, 202, 204/,
    ],
    ['a query has a body', at('path: "/a", body: "key"'), /the operation has no variable \$key/],
    [
      'a variable is neither in the path nor the body',
      'mutation M($key: String!, $change: VehicleInput!) @route(path: "/a", body: "change") { updateVehicle(key: $key, input: $change) { key } }',
      /\$key must be in the path, beside the body/,
    ],
    ['flat members have one name', at('path: "/a"', 'account { key partner_tier @flat { key } }'), /two members key/],
    ['what is flat is a text', at('path: "/a"', 'account { key @flat }'), /@flat must be at an object; key is not one/],
    [
      'the address has an object',
      'query Mine($at: GeoPointInput) @route(path: "/a") { nearbyVehicles(point: $at) { key } }',
      /\$at must be a scalar/,
    ],
    ['the directive has another argument', at('pfad: "/a"'), /Unknown argument "pfad" on directive "@route"/],
  ])('%s', async (_, text, reason) => {
    const error = await pathsWith(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toMatch(/TRUSTED_DOCUMENTS must have valid (?:routes|documents) only; /);
    expect(String(error)).toMatch(reason);
  });

  test('another document has its name or its path', async () => {
    const one = at('path: "/a/{key}"').replace('Mine', 'Mine($key: String!)').replace('account', 'vehicle(key: $key)');
    const samePath = one.replaceAll('key}', 'id}').replaceAll('$key', '$id').replace('Mine', 'Other');
    await expect(pathsWith(one, samePath)).rejects.toThrow(
      '2.graphql: its name and its path must differ from those of 1.graphql',
    );
    await expect(pathsWith(one, at('path: "/b"').replace('Mine', 'mi_ne'))).rejects.toThrow('must differ');
  });
});

test.skipIf(!existsSync(specification()))(
  'the paths that no document replaces are those of section A (skipped without the specification)',
  () => {
    const [, section = ''] = /^### A\. ([\s\S]*?)^### B\. /m.exec(readFileSync(specification(), 'utf8')) ?? [];
    const paths = [...section.matchAll(/^\| (?:GET|POST) \| `([^`]+)`/gm)].map(([, path]) => path);
    expect(new Set([...paths, '/openapi.json'])).toEqual(new Set(SPECIFIED_PATHS));
  },
);

function specification(): string {
  return join(import.meta.dirname, '../../../shared/spec/service.md');
}

test('a document answers in place of a later path of the service, which the log says', async () => {
  const text = `query OneVehicle($id: String!) @route(path: "/vehicle/{id}") { vehicle(key: $id) { id: key } }`;
  const { app, lines } = await testHost([await endpointWith(text)]);
  const owner = await account();
  const key = await vehicle(owner.key);
  const answer = await app.inject({ url: `/api/v2/vehicle/${key}`, headers: { host: 'localhost', ...owner.headers } });
  expect(answer.json()).toEqual({ id: key });
  const { paths } = (await app.inject({ url: '/api/v2/openapi.json', headers: { host: 'localhost' } })).json();
  expect(Object.keys(paths).filter((path) => /^\/vehicle\/\{\w+\}$/.test(path))).toEqual(['/vehicle/{key}']);
  expect(paths['/vehicle/{key}'].get.operationId).toBe('oneVehicle');
  expect(paths['/vehicle/{key}'].post.operationId).toBe('updateVehicle');
  const warnings = lines.filter((line) => JSON.parse(line).level === 40).map((line) => JSON.parse(line).msg);
  expect(warnings).toEqual(['GET /vehicle/{key} is answered by 1.graphql of TRUSTED_DOCUMENTS, not by vehicle']);
});

describe('a document is served', () => {
  const TYPES = `query Typed(
    $year: Int!, $near: Float, $on: Boolean, $kind: EventName, $keys: [String!], $id: ID
  ) @route(path: "/typed/{year}") {
    vehicles(first: $year, group_keys: $keys) { nodes { key } }
    nearbyVehicles(lat: $near, long: $near) { key }
    groups(show_inactive: $on) { key }
    events(event: $kind) { total_count }
    node(id: $id) @include(if: $on) { id ... on Vehicle { nickname } }
  }`
    .replace('$id: ID', '$id: ID = "VmVoaWNsZTph"')
    .replace('$near: Float', '$near: Float = 53.5')
    .replace('$on: Boolean', '$on: Boolean! = false');
  const RENAME = `mutation RenameVehicle($key: String!, $change: VehicleInput!)
    @route(path: "/old/{key}", method: PUT, body: "change") { updateVehicle(key: $key, input: $change) { nickname } }`;
  const LAST = `query LastTrip($key: String!) @route(path: "/last/{key}", answer: "vehicle.last_trip") {
    vehicle(key: $key) { last_trip { key vehicle { plate_number } } } }`;
  const [PLATE, NAME] = ['plate_number', 'nickname'].map(
    (member) =>
      `query Trip${member}($key: String!) @route(path: "/${member}/{key}") { trip(key: $key) { vehicle { ${member} } } }`,
  ) as [string, string];
  const CREATE = `mutation CreateDevice($serial: String!) @route(path: "/create") { createDevice(serial: $serial) { key } }`;
  const ZONE = `mutation AddZone($zone: PrivacyZoneInput!) @route(path: "/zones", body: "zone", status: 201) {
    createPrivacyZone(input: $zone) { key radius } }`;
  const COSTLY = `query Costly($first: Int) @route(path: "/costly") {
    vehicles(first: $first) { nodes { trips(first: $first) { nodes { points(first: 1) { nodes { heading } } } } } } }`;

  let client: AccountClient;
  let app: Awaited<ReturnType<typeof openHost>>;
  let owner: Headers & { readonly 'service-api-key': string };
  let accountKey: string;
  beforeAll(async () => {
    app = await openHost([await endpointWith(TYPES, RENAME, LAST, PLATE, NAME, CREATE, ZONE, COSTLY)]);
    client = await AccountClient.of(app);
    const made = await account();
    owner = made.headers;
    accountKey = made.key;
  });
  afterAll(() => app.close());

  test('with arguments of their types, wrong ones of which are named', async () => {
    const good = await client.get('/typed/2?near=8.5&on=0&kind=trip_end&keys=a,b', owner);
    expect([good.statusCode, good.json()]).toEqual([
      200,
      { vehicles: { nodes: [] }, nearbyVehicles: [], groups: [], events: { total_count: null } },
    ]);
    for (const [url, errors] of [
      ['/typed/two', 'year must be an integer'],
      ['/typed/2?near=north', 'near must be a number'],
      ['/typed/2?on=yes', 'on must be true, false, 1 or 0'],
      ['/typed/2?kind=end', expect.stringMatching(/^kind must be one of /)],
      ['/typed/2?keys[a]=b', expect.stringMatching(/^keys must be a list/)],
      ['/typed/5000', expect.stringMatching(/^year must be /)],
      ['/typed/2?on=1&id=x', expect.stringMatching(/^id /)],
    ]) {
      const answer = await client.get(url, owner);
      expect([url, answer.statusCode, answer.json()]).toEqual([url, 400, { errors }]);
    }
  });

  test('by PUT, with a variable as the whole body', async () => {
    const key = await vehicle(accountKey);
    const put = (body: object, headers = {}) =>
      app.inject({
        method: 'PUT',
        url: `/api/v2/old/${key}`,
        headers: { host: 'localhost', ...owner, ...headers },
        payload: body,
      });
    expect((await put({ nickname: 'Lorry' })).json()).toEqual({ nickname: 'Lorry' });
    expect((await put({ year: 'new' })).json()).toEqual({ errors: 'year must be an integer' });
    expect((await put({}, { 'if-match': '"a"' })).statusCode).toBe(412);
  });

  test('by POST, with the inputs of GraphQL, which has deprecated names', async () => {
    const added = await client.post('/zones', { lat: 53, lon: 8, radius_meters: 300 }, owner);
    expect([added.statusCode, added.json()]).toEqual([201, { key: expect.any(String), radius: 300 }]);
    const wrong = await client.post('/zones', { point: { lat: 53, lon: 8 }, radius: 'wide' }, owner);
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { errors: 'radius must be a number' }]);
  });

  test('with a member that is null as 404', async () => {
    const key = await vehicle(accountKey);
    expect((await client.get(`/last/${key}`, owner)).statusCode).toBe(404);
  });

  test('within the limits of GraphQL', async () => {
    for (let each = 0; each < 3; each++) await vehicle(accountKey);
    await device(accountKey);
    const answer = await client.get('/costly?first=1000', owner);
    expect([answer.statusCode, answer.json()]).toEqual([400, { errors: expect.stringMatching(/cost/) }]);
    expect((await client.get('/costly?first=2', owner)).statusCode).toBe(200);
  });

  test('in an OpenAPI document without fault, with the scopes of relations', async () => {
    const response = await app.inject({ url: '/api/v2/openapi.json', headers: { host: 'localhost' } });
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-server-example.com': 'off' } });
    const problems = await lintFromString({ source: response.body, config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
    const { paths, components } = response.json();
    const { get } = paths['/last/{key}'];
    expect(get.security[1].oauth2.toSorted()).toEqual(['account_activity.read', 'vehicles.read']);
    expect(paths['/plate_number/{key}'].get.security[1].oauth2).toContain('vehicles.read');
    expect(paths['/nickname/{key}'].get.security[1].oauth2).toEqual(['account_activity.read']);
    expect(get.responses[200].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/LastTrip_vehicle_last_trip',
    });
    expect(components.schemas.TypedAnswer.required).not.toContain('node');
    expect(components.schemas.Typed_node).toMatchObject({
      required: ['id'],
      properties: { nickname: { type: ['string', 'null'] } },
    });
    expect(paths['/create'].post.operationId).toBe('createDeviceRoute');
    expect(paths['/old/{key}'].put.requestBody.content['application/json'].schema).toEqual({
      $ref: expect.stringMatching(/VehicleInput$/),
    });
  });
});
