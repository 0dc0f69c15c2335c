import fc from 'fast-check';
import { expect, test } from 'vitest';

import { stringifyInSlices } from '../../../graphql/execution/stringify-in-slices.ts';
import { countTurns, stepClock } from '../../services/event-loop-turns.ts';

test('an answer is written as JSON.stringify writes it', async () => {
  const long = fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 51, maxLength: 55 });
  const nodes = fc.record({ nodes: long, page_info: fc.jsonValue({ maxDepth: 1 }) });
  const member = fc.oneof({ weight: 4, arbitrary: fc.jsonValue({ maxDepth: 5 }) }, long, nodes, fc.constant(undefined));
  const answer = fc.dictionary(fc.string(), fc.oneof(member, fc.dictionary(fc.string(), member)), { maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(answer, async (value) => {
      expect(await stringifyInSlices(value)).toBe(JSON.stringify(value));
    }),
  );
});

test.each([
  ['a list', { data: { groups: Array.from({ length: 60 }, () => null) } }],
  ['a page of a list', { data: { devices: { nodes: Array.from({ length: 60 }, () => ({ key: 'k' })) } } }],
])('%s is written in several turns of the event loop', async (_, answer) => {
  stepClock();
  const turn = countTurns();
  const before = turn();
  await stringifyInSlices(answer);
  expect(turn() - before).toBeGreaterThan(2);
});
