import { expect, test } from 'vitest';

import { SharedReads } from '../../models/shared-reads.ts';

/** Reads that end when they are told to, each with the number of its begin. */
function controlledReads() {
  const ends: ((fault?: Error) => void)[] = [];
  const begin = () =>
    new Promise<number>((resolve, reject) => {
      const number = ends.push((fault) => (fault ? reject(fault) : resolve(number)));
    });
  const reads = new SharedReads<number>();
  return { ends, read: (key = 'a') => reads.read(key, begin) };
}

/** Lets everything go on that waits for nothing else. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('one who comes while nothing is read begins to read at once', async () => {
  const { ends, read } = controlledReads();
  const first = read();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  expect(await first).toBe(1);
  await settled();
  const second = read();
  ends[1]?.();
  expect(await second).toBe(2);
});

test('those who come while something is read share the read after it, which begins when that has ended', async () => {
  const { ends, read } = controlledReads();
  const first = read();
  const others = [read(), read(), read()];
  await settled();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  expect(await first).toBe(1);
  await settled();
  expect(ends).toHaveLength(2);
  const late = read();
  ends[1]?.();
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
  await settled();
  ends[2]?.();
  expect(await late).toBe(3);
});

test('a read that fails fails for those who share it alone', async () => {
  const { ends, read } = controlledReads();
  const first = read();
  const second = read();
  ends[0]?.(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  await settled();
  ends[1]?.();
  expect(await second).toBe(2);
});

test('other keys are read beside each other', async () => {
  const { ends, read } = controlledReads();
  const both = [read('a'), read('b')];
  expect(ends).toHaveLength(2);
  for (const end of ends) end();
  expect(await Promise.all(both)).toEqual([1, 2]);
});
