import { createHash } from 'node:crypto';

import type { GraphQLArgument, GraphQLField, GraphQLSchema } from 'graphql';

import { jsonOf, member } from '../answer.ts';
import { ACCOUNT_CALLERS } from '../callers.ts';
import type { Draft, Comparison } from '../comparison.ts';
import { literalOf, queryOfAllFields, readSchema, rootFieldsOf } from '../gateway-schema.ts';
import { CALLBACK } from '../seed.ts';
import { BAD_BODIES, BAD_VALUES } from './bad-values.ts';

const PATH = '/graphql';
type Arguments = Readonly<Record<string, unknown>>;

/** Values of arguments that are right or at an edge, by the name of the argument; of `key`, by root field. */
const GOOD: Readonly<Record<string, readonly unknown[]>> = {
  q: ['van', 'BOX'],
  first: [1, 2, 1000, 1001, 0],
  after: ['{{cursor}}'],
  'device.key': ['{{van_device}}', '{{lorry_device}}', '{{pending_device}}', '{{van}}'],
  'updateDevice.key': ['{{van_device}}', '{{lorry_device}}', '{{removed_device}}'],
  'vehicle.key': ['{{van}}', '{{lorry}}', '{{north}}'],
  'trip.key': ['{{van_trip}}', '{{lorry_trip}}', '{{van}}'],
  trip_key: ['{{van_trip}}', '{{lorry_trip}}'],
  vehicle_key: ['{{van}}', '{{lorry}}', '{{spare}}'],
  group_key: ['{{north}}', '{{south}}', '{{closed}}'],
  group_keys: [['{{north}}'], ['{{south}}', '{{harbour}}'], []],
  show_inactive: [true, false],
  started_after: ['2026-03-01', '2026-03-01T09:00:00Z', '2026-03-01T09:00:00+05:30'],
  started_before: ['2026-03-03', '2026-03-01T09:00:00'],
  user_key: ['{{owner}}', '{{restricted_user}}'],
  'updateDevice.input': [{ vehicle_key: '{{van}}' }, { vehicle_key: null }],
  input: [{ nickname: 'Bakery', city: 'Bremen' }, { city: null }, {}],
  name: ['Night shift'],
  parent_group_key: ['{{north}}', null],
  'registerApp.input': [
    { name: 'Planner', redirect_uris: [CALLBACK] },
    { name: 'Planner', redirect_uris: [CALLBACK], is_public: true },
  ],
  client_id: ['{{made_client_id}}'],
  required: [true, false],
  'createPrivacyZone.input': [{ lat: 53.2, lon: 8.9, radius_meters: 100 }],
  lat: [53.2],
  long: [8.9],
  'revokeApiKey.key': ['{{made_api_key}}'],
  'revokeAppGrant.key': ['{{grant}}'],
  'deletePrivacyZone.key': ['{{made_zone}}'],
};

/** GraphQL: each root field × caller × arguments, the whole schema, and requests that are none. */
export async function graphqlEndpoint(comparison: Comparison, size: number): Promise<void> {
  const schema = await readSchema(comparison);
  await keepKeys(comparison, schema);
  for (const draft of protocol()) await comparison.ask(draft);
  const queries = rootFieldsOf(schema, 'query');
  for (const field of queries) {
    for (const as of ACCOUNT_CALLERS) await comparison.ask({ ...operation(schema, 'query', field), as });
  }
  const odd = queries.flatMap((field) => variants(schema, 'query', field, ['owner', 'app', 'trip_map']));
  for (const draft of comparison.random.sample(odd, Math.floor(size / 2))) await comparison.ask(draft);
  const mutations = rootFieldsOf(schema, 'mutation');
  for (const field of mutations) {
    for (const as of ACCOUNT_CALLERS.filter((caller) => caller !== 'owner')) {
      await comparison.ask({ ...operation(schema, 'mutation', field), as });
    }
    for (const keep of [EXTRACTED[field.name]]) {
      await comparison.ask({
        ...operation(schema, 'mutation', field),
        as: 'owner',
        ...(keep && { keep, isNeeded: true }),
      });
    }
  }
  const changes = mutations.flatMap((field) => variants(schema, 'mutation', field, ['owner']));
  for (const draft of comparison.random.sample(changes, Math.floor(size / 4))) await comparison.ask(draft);
  for (const field of queries) await comparison.ask({ ...operation(schema, 'query', field), as: 'owner' });
}

/** Values that mutations make, for those that follow. */
const EXTRACTED: Readonly<Record<string, Required<Draft>['keep']>> = {
  issueApiKey: { made_api_key: member('data', 'issueApiKey', 'key') },
  registerApp: { made_client_id: member('data', 'registerApp', 'client_id') },
  createPrivacyZone: { made_zone: member('data', 'createPrivacyZone', 'key') },
};

async function keepKeys(comparison: Comparison, schema: GraphQLSchema): Promise<void> {
  const ask = (query: string, keep: Draft['keep'] = {}) =>
    comparison.ask({ method: 'POST', path: PATH, as: 'owner', json: { query }, keep, isNeeded: true });
  await ask('{ vehicles(first: 1) { page_info { end_cursor } } }', {
    cursor: member('data', 'vehicles', 'page_info', 'end_cursor'),
  });
  await ask(queryOfAllFields(schema, 'query', 'appGrants'), {
    grant: (answer) => {
      const { data } = jsonOf(answer) as {
        readonly data: { readonly appGrants: { readonly nodes: readonly { readonly key: string }[] } };
      };
      return data.appGrants.nodes.at(-1)?.key;
    },
  });
  // What the mutations change is made by them; until then nothing is there.
  comparison.give({ made_api_key: 'none', made_client_id: 'none', made_zone: 'none' });
}

function operation(schema: GraphQLSchema, kind: 'query' | 'mutation', field: GraphQLField<unknown, unknown>): Draft {
  const required = field.args.filter(({ type, defaultValue }) => `${type}`.endsWith('!') && defaultValue === undefined);
  const args = Object.fromEntries(required.map((arg) => [arg.name, valuesOf(field, arg)[0]]));
  return { method: 'POST', path: PATH, json: { query: queryOfAllFields(schema, kind, field.name, args) } };
}

function valuesOf(field: GraphQLField<unknown, unknown>, { name }: GraphQLArgument): readonly unknown[] {
  return GOOD[`${field.name}.${name}`] ?? GOOD[name] ?? ['x'];
}

/** The operation of a field with each argument in turn given every value, as literals and as variables. */
function variants(
  schema: GraphQLSchema,
  kind: 'query' | 'mutation',
  field: GraphQLField<unknown, unknown>,
  callers: readonly string[],
): Draft[] {
  const base: Arguments = Object.fromEntries(
    field.args
      .filter(({ type, defaultValue }) => `${type}`.endsWith('!') && defaultValue === undefined)
      .map((arg) => [arg.name, valuesOf(field, arg)[0]]),
  );
  return field.args.flatMap((arg) =>
    [...valuesOf(field, arg), ...BAD_VALUES].flatMap((value) => {
      const args = { ...base, [arg.name]: value };
      const literal = queryOfAllFields(schema, kind, field.name, args);
      const named = queryOfAllFields(schema, kind, field.name, { ...args, [arg.name]: '$value' });
      const query = named.replace('"$value"', '$value').replace(kind, `${kind} Named($value: ${arg.type})`);
      return callers.flatMap((as): Draft[] => [
        { method: 'POST', path: PATH, as, json: { query: literal } },
        { method: 'POST', path: PATH, as, json: { query, variables: { value } } },
      ]);
    }),
  );
}

/** Requests about the protocol itself. */
function protocol(): Draft[] {
  const query = '{ account { nickname } }';
  const post = (json: unknown, rest: Partial<Draft> = {}): Draft => ({
    method: 'POST',
    path: PATH,
    as: 'owner',
    json,
    ...rest,
  });
  const get = (search: Readonly<Record<string, string>>, rest: Partial<Draft> = {}): Draft => ({
    path: `${PATH}?${new URLSearchParams(search)}`,
    as: 'owner',
    ...rest,
  });
  const sha256Hash = createHash('sha256').update(query).digest('hex');
  const persisted = { persistedQuery: { version: 1, sha256Hash } };
  const deep = `{ groups ${'{ children '.repeat(40)}{ key }${' }'.repeat(40)} }`;
  const aliases = Array.from({ length: 200 }, (_, at) => `a${at}: account { nickname }`).join(' ');
  return [
    { path: PATH },
    { path: PATH, headers: { accept: 'text/html' } },
    { path: PATH, as: 'owner', headers: { accept: 'text/html' } },
    get({ query }),
    get({ query }, { headers: { accept: 'text/event-stream' } }),
    get({ query }, { headers: { 'content-type': 'application/json' } }),
    get({ query: 'mutation { issueApiKey { key } }' }),
    get({ extensions: JSON.stringify(persisted) }),
    ...BAD_BODIES.map((bad): Draft => ({ method: 'POST', path: PATH, as: 'owner', ...bad })),
    ...[
      '',
      '{',
      '{ }',
      '{ nothing }',
      '{ account }',
      '{ account { nothing } }',
      'query A { account { nickname } } query B { account { nickname } }',
      'subscription { x }',
      '{ __typename }',
      '# nothing',
      '{ account(x: 1) { nickname } }',
      'query($x: Int!) { devices(first: $x) { nodes { key } } }',
      '{ ...F } fragment F on Query { account { nickname } }',
      '{ ...F } fragment F on Query { ...F }',
      '{ account @skip(if: true) { nickname } }',
      '{ account @nothing { nickname } }',
      '{ a: account { nickname } b: account { city } }',
    ].map((text) => post({ query: text })),
    post({ query: deep }),
    post({ query: `{ ${aliases} }` }),
    post({ query: `${query}${' '.repeat(20_000)}` }),
    post({ query, variables: [] }),
    post({ query, variables: 'x' }),
    post({ query, variables: { unknown: 1 } }),
    post({ query, operationName: 'Missing' }),
    post({ query: 'query A { account { nickname } }', operationName: 'A' }),
    post({ query: 7 }),
    post({ extensions: persisted }),
    post({ query, extensions: persisted }),
    post({ extensions: persisted }),
    post([{ query }, { query }]),
    post({ query }, { headers: { accept: 'application/graphql-response+json' } }),
    post({ query: '{ nothing }' }, { headers: { accept: 'application/graphql-response+json' } }),
    post({ query }, { headers: { accept: 'text/plain' } }),
    post({ query }, { headers: { origin: 'https://www.example.com' } }),
    post({ query }, { as: 'trip_map' }),
    post(
      { query: '{ trips(vehicle_key: "{{van}}", started_after: "2026-03-01") { nodes { key } } }' },
      { as: 'trip_map' },
    ),
    post(
      {
        query:
          '{ trips(vehicle_key: "{{van}}", started_after: "2026-03-01", started_before: "2026-03-02") { nodes { key path(tolerance_meters: 5, max_points: 10) { polyline } } } }',
      },
      { as: 'trip_map' },
    ),
    post(
      {
        query:
          '{ trips(vehicle_key: "{{van}}", started_after: "2026-03-01", started_before: "2026-03-02") { nodes { key path(tolerance_meters: 5, max_points: 10) { polyline } } } }',
      },
      { as: 'trip_map' },
    ),
    post({ query: '{ trips(vehicle_key: "{{lorry}}") { nodes { key } } }' }, { as: 'trip_map' }),
    {
      method: 'OPTIONS',
      path: PATH,
      headers: {
        origin: 'https://www.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    },
    { method: 'PUT', path: PATH, as: 'owner' },
    { method: 'HEAD', path: PATH },
    { path: `${PATH}/`, as: 'owner' },
    ...['account', 'devices', 'group'].map((name) => post({ query: `{ __type(name: ${literalOf(name)}) { name } }` })),
  ];
}
