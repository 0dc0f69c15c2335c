import { isObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';

import { gatewaySchema } from '../../../resolvers/gateway-schema.ts';
import { newKey } from '../../../models/key.ts';
import { VisitStore } from '../../../models/places/visit.ts';
import { writeNodeId } from '../../../resolvers/relations/nodes.ts';
import { type AskGraphql, graphqlClient } from '../../clients/graphql-client.ts';
import { drivenPoints } from '../../fixtures/driven-points.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { account, appFor, device, group, subscription, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';

useDatabase();

const NODE = 'query ($id: ID!) { node(id: $id) { __typename id } }';

type World = Awaited<ReturnType<typeof world>>;

let ask: AskGraphql;
let own: World;
let foreign: World;
beforeAll(async () => {
  ask = await graphqlClient();
  own = await world();
  foreign = await world();
});

/** An account with one object of each type, and their ids. */
async function world() {
  const { key, headers } = await account();
  const vehicle_key = await vehicle(key);
  const made = async (mutation: string) => {
    const { data } = await ask(`mutation { made: ${mutation} { key } }`, headers);
    return (data?.made as { key: string } | undefined)?.key ?? '';
  };
  const trip = await storeTrip({ account_key: key, vehicle_key, points: drivenPoints(5, 1) });
  const { data } = await ask('{ events(first: 1) { nodes { key } } }', headers);
  const { key: device_key } = await device(key, { vehicle_key });
  const user_key = await user(key);
  const grant = (await appFor(user_key, ['vehicles.read'])).grant.grant_hash;
  const app = await ask(
    'mutation { registerApp(input: { name: "Planner", redirect_uris: ["https://a.example"] }) { client_id } }',
    headers,
  );
  const visit = newKey();
  const entry_timestamp = new Date();
  const place_key = await made('createPlace(input: { name: "Depot", point: { lat: 53, lon: 8 }, radius: 100 })');
  await VisitStore.driver(testService).insertOne({
    key: visit,
    account_key: key,
    vehicle_key,
    place_key,
    entry_timestamp,
    staged: false,
  } as never);
  const keys = {
    Account: key,
    ApiKey: await made('issueApiKey'),
    App: (app.data?.registerApp as { client_id: string } | undefined)?.client_id ?? '',
    AppGrant: grant,
    BillingSubscription: (await subscription(key)).key,
    Device: device_key,
    Event: (data?.events as { nodes: { key: string }[] } | undefined)?.nodes[0]?.key ?? '',
    ForwarderKey: await made('issueForwarderKey'),
    Group: (await group(key, 'North')).key,
    IngestKey: await made(`issueDeviceKey(device_key: "${device_key}")`),
    Place: place_key,
    PrivacyZone: await made('createPrivacyZone(input: { lat: 53, lon: 8, radius_meters: 100 })'),
    Rule: await made('createRule(input: { name: "Fast", speed_limit: 70 })'),
    Share: await made(`createShare(input: { vehicle_key: "${vehicle_key}", expires: "2099-01-01" })`),
    Tag: await made('createTag(input: { value: "Electric", type: Car })'),
    Trip: trip,
    User: user_key,
    Vehicle: vehicle_key,
    Visit: visit,
    Webhook: await made('createWebhook(input: { url: "https://a.example/", events: [trip_end] })'),
  };
  return {
    headers,
    user_key: keys.User,
    ids: Object.entries(keys).map(([type, one]) => [type, writeNodeId({ type, key: one })] as const),
  };
}

test('a root field that finds no object is null with its error, and leaves the rest of the query', async () => {
  const finding = Object.values((await gatewaySchema()).getQueryType()?.getFields() ?? {}).flatMap(({ name, args }) => {
    const argument = args.find(({ type }) => String(type) === 'String!');
    return argument ? [{ name, field: `${name}(${argument.name}: "nothing") { __typename }` }] : [];
  });
  const { data, errors } = await ask(
    `{ account { __typename } ${finding.map(({ field }) => field).join(' ')} }`,
    own.headers,
  );
  expect(data).toEqual({
    account: { __typename: 'Account' },
    ...Object.fromEntries(finding.map(({ name }) => [name, null])),
  });
  const notFound = { path: [expect.any(String)], extensions: { code: 'NOT_FOUND' } };
  expect(errors).toEqual(finding.map(() => expect.objectContaining(notFound)));
});

describe('node', () => {
  test('finds an object of each type that has an id', async () => {
    const schema = await gatewaySchema();
    const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && 'id' in type.getFields());
    expect(own.ids.map(([type]) => type)).toEqual(types.map(({ name }) => name).toSorted());
    for (const [type, id] of own.ids) {
      expect(await ask(NODE, own.headers, { id })).toEqual({ data: { node: { __typename: type, id } } });
    }
  });

  test('finds nothing that belongs to others, and nothing that is not there', async () => {
    const absent = writeNodeId({ type: 'Vehicle', key: 'nothing' });
    for (const id of [...foreign.ids.map(([, one]) => one), absent]) {
      expect(await ask(NODE, own.headers, { id })).toEqual({ data: { node: null } });
    }
  });

  test('gives the fields that a fragment selects of its type, also those that are computed', async () => {
    const [, id] = own.ids.find(([type]) => type === 'Trip') ?? [];
    const query = `query ($id: ID!) {
      node(id: $id) { ... on Trip { duration_seconds start_point { timestamp } path { point_count } } ... on Vehicle { vin } }
    }`;
    const { data } = await ask(query, own.headers, { id });
    expect(data?.node).toMatchObject({ duration_seconds: expect.any(Number), path: { point_count: 5 } });
  });

  test('asks of an app the permission that the root field of the type asks', async () => {
    const { headers } = await appFor(own.user_key, ['vehicles.read']);
    for (const [type, id] of own.ids) {
      const { data, errors } = await ask(NODE, headers, { id });
      if (type === 'Vehicle') expect(data?.node).toEqual({ __typename: type, id });
      else expect([data?.node, errors?.[0]?.extensions.code]).toEqual([null, 'FORBIDDEN']);
    }
  });

  test('is for nobody without a credential', async () => {
    const { errors } = await ask(NODE, {}, { id: own.ids[0]?.[1] });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  test.each([
    ['no id', 'nothing'],
    ['an id of no type', Buffer.from('Nothing:key').toString('base64url')],
    ['an id with something behind it', `${writeNodeId({ type: 'Trip', key: 'key' })}=`],
    ['an id of a name that all objects have', Buffer.from('constructor:key').toString('base64url')],
  ])('rejects %s and names the argument', async (_, id) => {
    expect((await ask(NODE, own.headers, { id })).errors).toMatchObject([
      { message: 'id was not issued by this service', extensions: { code: 'BAD_REQUEST' } },
    ]);
  });
});
