import { describe, expect, test } from 'vitest';

import { GRAPHQL_LIMITS } from '../../../server/doors/graphql-limits.ts';
import { ask, graphqlHost } from './graphql-host.ts';

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
    ['cost', doublings, GRAPHQL_LIMITS.cost, /cost of 3001, and at most 3000 is allowed/],
  ])('%s', async (_, query, limit, message) => {
    const host = await graphqlHost();
    expect((await ask(host, query(limit), { operationName: 'A' })).body.errors).toBeUndefined();
    const refused = await ask(host, query(limit + 1));
    expect(refused.status).toBe(400);
    expect(refused.body.errors?.map((error) => error.message).join()).toMatch(message);
  });
});
