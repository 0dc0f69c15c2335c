import { parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';

import { TRIPS_QUERY } from '../../../schema/trips/trips-query.ts';
import { gatewaySchema } from '../../../resolvers/gateway-schema.ts';
import { GRAPHQL_LIMITS, limitsRule } from '../../../graphql/endpoint/graphql-limits.ts';
import { ask, graphqlHost } from '../../hosts/graphql-host.ts';

const nested = (depth: number): string =>
  `query A { node${' { below'.repeat(depth - 2)} { name }${' }'.repeat(depth - 2)} }`;
const times = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(' ');

/** As many tokens as asked for, in operations of five tokens each. */
function operations(tokens: number): string {
  const rest = times(tokens % 5, () => 'public');
  return `query A { public ${rest} } ${times(Math.floor(tokens / 5) - 1, (at) => `query B${at} { public }`)}`;
}

/** Fragments that double each other's cost, spread so that the operation costs what is asked for. */
function doublings(cost: number): string {
  const powers = Array.from({ length: 12 }, (_, power) => power);
  const spreads = powers.filter((power) => (cost - 50) & (1 << power)).map((power) => `...F${power}`);
  const fragments = powers.map(
    (power) => `fragment F${power} on Node { ${power === 0 ? 'name' : `...F${power - 1} ...F${power - 1}`} }`,
  );
  const used = fragments.slice(0, 1 + Math.floor(Math.log2(cost - 50)));
  return `query A { node { ${spreads.join(' ')} } } ${used.join(' ')}`;
}

test('fragments that go in a circle are 400', async () => {
  const refused = await ask(await graphqlHost(), '{ node { ...F } } fragment F on Node { below { ...F } }');
  expect(refused.status).toBe(400);
  expect(refused.body.errors?.[0]?.message).toMatch(/Cannot spread fragment "F" within itself/);
});

test.each<[string, (depth: number) => string]>([
  ['fields', (depth) => `{ ${'node { '.repeat(depth)} name ${'}'.repeat(depth)} }`],
  ['fragments', (depth) => `{ node { ${'... { '.repeat(depth)} name ${'}'.repeat(depth)} } }`],
  ['lists', (depth) => `{ greeting(name: ${'['.repeat(depth)}${']'.repeat(depth)}) }`],
  ['members', (depth) => `{ greeting(name: ${'{a:'.repeat(depth)}1${'}'.repeat(depth)}) }`],
  ['types', (depth) => `query ($a: ${'['.repeat(depth)}Int${']'.repeat(depth)}) { public }`],
  ['defaults', (depth) => `query ($a: Int = ${'['.repeat(depth)}${']'.repeat(depth)}) { public }`],
])('%s within each other are no fault at any depth', async (_, nest) => {
  const host = await graphqlHost();
  for (const depth of [300, 480, 650, 900, 990, 1900, 5000, 100_000]) {
    expect([200, 400]).toContain((await ask(host, nest(depth))).status);
  }
});

test('fields that are repeated beyond what graphql-js compares are 400 in plain words', async () => {
  const refused = await ask(await graphqlHost(), `{ node { ${times(1900, () => 'name')} } }`);
  expect(refused.status).toBe(400);
  expect(refused.body.errors?.[0]?.message).toBe('The operation repeats too many fields to be checked');
});

describe('an operation at the limit is answered, and one beyond it is 400, naming the limit', () => {
  test.each([
    ['depth', nested, GRAPHQL_LIMITS.depth, /depth of 16, and at most 15 is allowed/],
    [
      'aliases',
      (aliases: number) => `query A { node { ${times(aliases, (at) => `a${at}: name`)} } }`,
      GRAPHQL_LIMITS.aliases,
      /number of aliases of 51, and at most 50 is allowed/,
    ],
    ['tokens', operations, GRAPHQL_LIMITS.tokens, /^The document has more than 2000 tokens/],
    ['cost', doublings, GRAPHQL_LIMITS.cost, /cost of 3001, and at most 3000 is allowed; Query.node alone costs 50$/],
  ])('%s', async (_, query, limit, message) => {
    const host = await graphqlHost();
    expect((await ask(host, query(limit), { operationName: 'A' })).body.errors).toBeUndefined();
    const refused = await ask(host, query(limit + 1));
    expect(refused.status).toBe(400);
    expect(refused.body.errors?.map((error) => error.message).join()).toMatch(message);
  });
});

describe('A page is reckoned by its size and geometry by its weight:', () => {
  const rejections = async (query: string) =>
    validate(await gatewaySchema(), parse(query), [limitsRule]).map(({ message }) => message);
  const paths = (count: number) => times(count, (at) => `p${at}: path(tolerance_meters: 0.01) { points }`);

  test.each([
    ['the operation of the component', TRIPS_QUERY],
    ['all of a page', `{ trips(vehicle_key: "v") { nodes { encoded_polyline ${paths(2)} stops { arrival } } } }`],
    [
      'a page of positions',
      '{ tripPoints(trip_key: "t") { nodes { point { lat lon } timestamp heading speed events } } }',
    ],
    ['the trips of a page of vehicles', '{ vehicles { nodes { trips(first: 10) { nodes { key max_speed } } } } }'],
    [
      'the positions of some trips',
      '{ vehicle(key: "v") { trips(first: 10) { nodes { points(first: 100) { nodes { speed } } } } } }',
    ],
    ['the vehicles of the largest page of devices', '{ devices(first: 1000) { nodes { vehicle { nickname } } } }'],
    [
      'nested lists whose sizes are not known yet',
      'query ($n: Int) { vehicles(first: $n) { nodes { trips(first: $n) { nodes { key } } } } }',
    ],
    ['the largest page of vehicles', '{ vehicles(first: 1000) { nodes { key vin nickname device_keys group_keys } } }'],
  ])('%s is answered', async (_, query) => {
    expect(await rejections(query)).toEqual([]);
  });

  test.each([
    ['48 paths of one trip', `{ trip(key: "t") { ${paths(48)} } }`],
    ['48 paths of a page of one', `{ trips(vehicle_key: "v", first: 1) { nodes { ${paths(48)} } } }`],
    ['3 paths of the largest page', `{ trips(vehicle_key: "v", first: 1000) { nodes { ${paths(3)} } } }`],
    [
      '3 paths of the edges of the largest page',
      `{ trips(vehicle_key: "v", first: 1000) { edges { node { ${paths(3)} } } } }`,
    ],
    [
      '3 paths of the largest page, in a fragment',
      `{ trips(vehicle_key: "v", first: 1000) { ...F } } fragment F on TripConnection { nodes { ${paths(3)} } }`,
    ],
    [
      '40 times the stops of the largest page',
      `{ trips(vehicle_key: "v", first: 1000) { nodes { ${times(40, (at) => `s${at}: stops { arrival }`)} } } }`,
    ],
    [
      'the trips of the largest page of vehicles',
      '{ vehicles(first: 1000) { nodes { trips(first: 1) { nodes { key } } } } }',
    ],
    [
      'the trips of as many vehicles in a fragment',
      '{ vehicles(first: 1000) { nodes { ...F } } } fragment F on Vehicle { trips(first: 1) { nodes { key } } }',
    ],
    [
      'the positions of all trips of a page',
      '{ vehicle(key: "v") { trips { nodes { points { nodes { speed } } } } } }',
    ],
    [
      'the positions of the trips of the vehicles of a group',
      '{ group(group_key: "g") { vehicles { nodes { trips { nodes { points(first: 10) { nodes { speed } } } } } } } }',
    ],
    ['the positions of 20 trips', `{ ${times(20, (at) => `t${at}: tripPoints(trip_key: "t") { nodes { speed } }`)} }`],
  ])('%s is refused', async (_, query) => {
    expect(await rejections(query)).toEqual([
      expect.stringMatching(/^The operation has a cost of \d+, and at most 3000/),
    ]);
  });
});
