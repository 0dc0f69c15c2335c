import { readFileSync } from 'node:fs';

import {
  buildSchema,
  findBreakingChanges,
  type GraphQLField,
  getNamedType,
  type GraphQLOutputType,
  isCompositeType,
  isInputObjectType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { withDateTimeVariables } from '../../../graphql/endpoint/former-variables.ts';
import { gatewaySchema } from '../../../resolvers/gateway-schema.ts';
import { at, ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { account, device } from '../../services/account-fixture.ts';
import { useDatabase } from '../../services/database.ts';

useDatabase();

const RELEASED = buildSchema(readFileSync('command/released/schema.graphql', 'utf8'));
const ACCEPTED: Readonly<Record<string, string>> = JSON.parse(readFileSync('command/released/accepted.json', 'utf8'));

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

/** Selects all fields of a type of the released schema, to some depth, by fragments on its name. */
function selectionOf(type: GraphQLOutputType, depth = 5): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return isCompositeType(named) ? ' { __typename }' : '';
  const fields = Object.values(named.getFields()).flatMap((field) => {
    if (field.args.length > 0) return [];
    const isObject = isObjectType(getNamedType(field.type));
    if (isObject && depth === 0) return [];
    return `${field.name}${selectionOf(field.type, depth - 1)}`;
  });
  return ` { ... on ${named.name} { __typename ${fields.join(' ')} } }`;
}

function documentOf(kind: string, { name, args, type }: GraphQLField<unknown, unknown>): string {
  const declared = args.map((one) => `$${one.name}: ${one.type}`).join(', ');
  const given = args.map((one) => `${one.name}: $${one.name}`).join(', ');
  const named = (list: string) => (list === '' ? '' : `(${list})`);
  return `${kind} ${named(declared)} { ${name}${named(given)}${selectionOf(type)} }`;
}

const DOCUMENTS = [RELEASED.getQueryType(), RELEASED.getMutationType(), RELEASED.getSubscriptionType()].flatMap(
  (root) =>
    Object.values(root?.getFields() ?? {}).map((field): [string, string] => {
      return [field.name, documentOf(root?.name.toLowerCase() ?? '', field)];
    }),
);

test('every document of the last release is valid: all root fields, with all arguments as variables and all fields below', async () => {
  const schema = await gatewaySchema();
  expect(DOCUMENTS.length).toBeGreaterThan(60);
  for (const [name, text] of DOCUMENTS) {
    const document = withDateTimeVariables(schema, parse(text));
    expect([name, validate(schema, document).map(({ message }) => message)]).toEqual([name, []]);
  }
});

test('every change of the schema that graphql-js calls breaking is accepted with a reason, and no other', async () => {
  const changes = findBreakingChanges(RELEASED, await gatewaySchema()).map(({ description }) => description);
  expect(Object.keys(ACCEPTED).toSorted()).toEqual(changes.toSorted());
  for (const reason of Object.values(ACCEPTED)) expect(reason).toMatch(/\w{4}/);
});

test('a deprecated name says which one replaces it, and that one is not deprecated', async () => {
  const schema = await gatewaySchema();
  const reasons = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) && !isInputObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) => {
      const values = [field, ...('args' in field ? field.args : [])];
      return values.flatMap(({ deprecationReason }) => deprecationReason ?? []);
    });
  });
  expect(reasons.length).toBeGreaterThan(20);
  for (const reason of reasons) expect(reason).toMatch(/^Use `[\w.]+`\.$/);
  const page = readFileSync('docs/versioning.md', 'utf8');
  const named = reasons.map((reason) => /[\w]+/.exec(reason.slice(5))?.[0] ?? '');
  expect([...new Set(named)].filter((name) => !page.includes(name))).toEqual([]);
});

describe('a former name does what the one does that replaces it:', () => {
  test('secrets, and the ends of keys', async () => {
    const { key, headers } = await account();
    const { key: device_key } = await device(key);
    const { a, b, c } = await host.ask(
      `mutation { a: issueApiKey { key api_key secret } b: issueForwarderKey { key forwarder_key_secret secret }
        c: issueDeviceKey(device_key: "${device_key}") { key device_key_secret secret } }`,
      headers,
    );
    const made = [a, b, c] as Record<string, string>[];
    expect(made.map((one) => Object.values(one)[1] === one.secret && one.secret)).toEqual(
      made.map(({ secret }) => secret),
    );
    const [api, forwarder, own] = made.map((one) => one.key);
    const ended = await host.ask(
      `mutation { revokeForwarderKey(key: "${forwarder}") revokeDeviceKey(key: "${own}") revokeApiKey(key: "${api}") { key revoked } }`,
      headers,
    );
    const revoked = { key: api, revoked: expect.any(String) };
    expect(ended).toEqual({ revokeForwarderKey: true, revokeDeviceKey: true, revokeApiKey: revoked });
  });

  test('zones as circles of numbers, whole or in part', async () => {
    const { headers } = await account();
    const fields = '{ key radius radius_meters point { lat lon } }';
    const { made } = await host.ask(
      `mutation { made: createPrivacyZone(input: { lat: 53, lon: 8, radius_meters: 100 }) ${fields} }`,
      headers,
    );
    expect(made).toMatchObject({ radius: 100, radius_meters: 100, point: { lat: 53, lon: 8 } });
    const { key } = made as { key: string };
    const { moved } = await host.ask(
      `mutation { moved: updatePrivacyZone(key: "${key}", input: { lat: 54 }) ${fields} }`,
      headers,
    );
    expect(moved).toMatchObject({ radius: 100, point: { lat: 54, lon: 8 } });
    const { changed } = await host.ask(
      `mutation { changed: updatePrivacyZone(key: "${key}", input: { point: { lat: 1, lon: 2 }, radius: 7 }) ${fields} }`,
      headers,
    );
    expect(changed).toMatchObject({ radius_meters: 7, point: { lat: 1, lon: 2 } });
    expect(await host.ask(`mutation { deletePrivacyZone(key: "${key}") }`, headers)).toEqual({
      deletePrivacyZone: true,
    });
    const { errors } = await host.graphql('mutation { createPrivacyZone(input: { radius: 7 }) { key } }', headers);
    expect(errors).toMatchObject([{ message: 'point is required', extensions: { code: 'BAD_REQUEST' } }]);
  });

  test('apps: PKCE, and their end', async () => {
    const { headers } = await account();
    const { app } = await host.ask(
      'mutation { app: registerApp(input: { name: "Planner", redirect_uris: ["https://a.example"] }) { client_id secret client_secret } }',
      headers,
    );
    const { client_id, secret, client_secret } = app as Record<string, string>;
    expect(client_secret).toBe(secret);
    const ended = await host.ask(
      `mutation { requireAppPkce(client_id: "${client_id}", required: false) deleteApp(client_id: "${client_id}") }`,
      headers,
    );
    expect(ended).toEqual({ requireAppPkce: client_id, deleteApp: client_id });
  });

  test('vehicles near a point, boxes of paths, and date-times in variables of text', async () => {
    const { owner, secret, vehicle_key } = await recordingDevice();
    await host.post(secret, { points: [0, 10, 20, 30].map((seconds) => at(seconds)) });
    const { lat, lon } = at(0).point;
    const { old, now } = await host.ask(
      `{ old: nearbyVehicles(lat: ${lat}, long: ${lon}, size: 1) { key }
        now: nearbyVehicles(point: { lat: ${lat}, lon: ${lon} }, first: 1) { key } }`,
      owner.headers,
    );
    expect([old, now]).toEqual([[{ key: vehicle_key }], [{ key: vehicle_key }]]);
    const query = `query ($from: String, $to: ISO8601DateTime) {
      trips(started_after: $from) { nodes { path { bbox bounding_box } } } stays(vehicle_key: "${vehicle_key}", started_before: $to) { nodes { key } } }`;
    const payload = { query, variables: { from: '2026-03-01', to: '2026-04-01T00:00:00Z' } };
    const answer = await host.app.inject({ method: 'POST', url: '/graphql', headers: owner.headers, payload });
    const { data, errors } = answer.json();
    expect(errors).toBeUndefined();
    const [{ path }] = data.trips.nodes;
    expect(path.bbox).toEqual(path.bounding_box);
    expect(path.bbox).toHaveLength(4);
  });
});
