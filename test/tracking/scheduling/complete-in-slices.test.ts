import { makeExecutableSchema } from '@graphql-tools/schema';
import fc from 'fast-check';
import { graphql, type GraphQLSchema } from 'graphql';
import { expect, test } from 'vitest';

import { completeInSlices } from '../../../tracking/scheduling/complete-in-slices.ts';
import { countTurns, stepClock } from '../../services/event-loop-turns.ts';
import { runSize } from '../../services/run-size.ts';

/** A node as a resolver returns it: a text, null, or an error where the text is asked for. */
interface Node {
  readonly name: string | null | Error;
  readonly note: string | null | Error;
  readonly words: readonly (string | null)[];
  readonly below: readonly (Node | null)[];
  readonly firm: readonly Node[] | null;
}

const SOURCE = `{ nodes { ...N below { ...N below { ...N } firm { ...N } } firm { ...N } } }
  fragment N on Node { name note words }`;

function schemaOf(nodes: readonly (Node | null)[]): GraphQLSchema {
  return makeExecutableSchema({
    typeDefs: `
      type Query { nodes: [Node] }
      type Node { name: String!, note: String, words: [String], below: [Node], firm: [Node!] }
    `,
    resolvers: { Query: { nodes: async () => nodes } },
  });
}

const { node } = fc.letrec<{ node: Node; leaf: Node }>((tie) => {
  const text = fc.oneof(
    { weight: 12, arbitrary: fc.string({ maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.string({ maxLength: 3 }).map((message) => new Error(message)) },
  );
  const fields = { name: text, note: text, words: fc.array(fc.option(fc.string({ maxLength: 3 })), { maxLength: 3 }) };
  const leaf = fc.record({ ...fields, below: fc.constant([]), firm: fc.constant(null) });
  const nodes = fc.array(tie('node'), { maxLength: 6 });
  return {
    leaf,
    node: fc.oneof(
      { depthSize: 'small' },
      tie('leaf'),
      fc.record({ ...fields, below: fc.array(fc.option(tie('node')), { maxLength: 6 }), firm: nodes }),
    ),
  };
});

test('answers are the same, with nulls and errors in the same places and order', async () => {
  stepClock();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(node), { maxLength: 30 }), async (nodes) => {
      const whole = await graphql({ schema: schemaOf(nodes), source: SOURCE, contextValue: {} });
      const sliced = await graphql({ schema: completeInSlices(schemaOf(nodes)), source: SOURCE, contextValue: {} });
      expect(JSON.stringify(sliced)).toBe(JSON.stringify(whole));
    }),
    { numRuns: runSize(100, 2000) },
  );
});

test('a tree of short lists takes several turns of the event loop', async () => {
  stepClock();
  const turn = countTurns();
  const leaf: Node = { name: 'leaf', note: null, words: [], below: [], firm: null };
  const tree = (depth: number): Node => (depth === 0 ? leaf : { ...leaf, below: [tree(depth - 1), tree(depth - 1)] });
  const schema = completeInSlices(schemaOf([tree(2), tree(2), tree(2), tree(2)]));
  const before = turn();
  await graphql({ schema, source: SOURCE, contextValue: {} });
  expect(turn() - before).toBeGreaterThan(2);
});

test('requests that compute at the same time go on by turns', async () => {
  stepClock();
  const finished: string[] = [];
  const leaf: Node = { name: 'leaf', note: null, words: [], below: [], firm: null };
  const ask = async (name: string, nodes: number) => {
    const schema = completeInSlices(schemaOf(Array.from({ length: nodes }, () => leaf)));
    await graphql({ schema, source: SOURCE, contextValue: {} });
    finished.push(name);
  };
  await Promise.all([ask('long', 500), ask('short', 20), ask('shorter', 10)]);
  expect(finished).toEqual(['shorter', 'short', 'long']);
});
