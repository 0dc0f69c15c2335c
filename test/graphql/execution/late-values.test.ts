import { buildSchema, parse } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';

import { planOperation } from '../../../graphql/execution/plan-operation.ts';
import { completeInSlices } from '../../../tracking/scheduling/complete-in-slices.ts';
import { testService } from '../../services/database.ts';

/** Longer than a time slice, in milliseconds. */
const LONG = 10;

test('a late value that fails while its list is paused is an error of the answer, not of the process', async () => {
  const unhandled: unknown[] = [];
  const notice = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', notice);
  onTestFinished(() => void process.off('unhandledRejection', notice));
  const schema = buildSchema('type Query { items: [Item!] } type Item { value: Int! }');
  const items = [
    { value: async () => Promise.reject(new Error('too late')) },
    ...Array.from({ length: 3 }, () => ({
      value: () => {
        for (const end = performance.now() + LONG; performance.now() < end; );
        return 1;
      },
    })),
  ];
  Object.assign(schema.getQueryType()?.getFields().items ?? {}, { resolve: () => items });
  const run = planOperation(completeInSlices(schema), parse('{ items { value } }'));
  const { data, errors } = await run({}, { service: testService, caller: { kind: 'visitor' } });
  expect([data, errors?.map(({ message }) => message)]).toEqual([{ items: null }, ['too late']]);
  expect(unhandled).toEqual([]);
});
