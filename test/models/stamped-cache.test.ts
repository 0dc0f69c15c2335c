import { expect, test } from 'vitest';

import { BY_REVISION, StampedCache } from '../../models/stamped-cache.ts';

/** Computations that end when they are told to, each with its number. */
function controlled() {
  const ends: ((fault?: Error) => void)[] = [];
  const compute = () =>
    new Promise<number>((resolve, reject) => {
      const number = ends.push((fault) => (fault ? reject(fault) : resolve(number)));
    });
  return { ends, compute };
}

test('a value serves under its stamp alone', async () => {
  const cache = new StampedCache<number>({ max: 10 });
  cache.keep('a', 'first', 0);
  expect(cache.find('a', 'first')).toBe(0);
  expect(await cache.get('a', 'first', async () => 1)).toBe(0);
  expect(cache.find('a', 'second')).toBeUndefined();
  expect(await cache.get('a', 'second', async () => 2)).toBe(2);
  expect(cache.find('a', 'first')).toBeUndefined();
});

test('nothing is kept or used without a stamp', async () => {
  const cache = new StampedCache<number>({ max: 10 });
  cache.keep('a', 'first', 1);
  expect(await cache.get('a', null, async () => 2)).toBe(2);
  expect(cache.find('a', 'first')).toBe(1);
});

test('data of an account serve for an earlier number of its changes, and not for a later one', async () => {
  const cache = new StampedCache<string, number>(BY_REVISION);
  expect(await cache.get('a', 2, async () => 'second')).toBe('second');
  expect(await cache.get('a', 1, async () => 'again')).toBe('second');
  expect(await cache.get('a', 3, async () => 'third')).toBe('third');
});

test('those who ask under one stamp share a computation, and compute by themselves if it fails', async () => {
  const { ends, compute } = controlled();
  const cache = new StampedCache<number>({ max: 10 });
  const first = cache.get('a', 'first', compute);
  const others = [cache.get('a', 'first', compute), cache.get('a', 'first', async () => 7)];
  expect(ends).toHaveLength(1);
  ends[0]?.();
  expect(await Promise.all([first, ...others])).toEqual([1, 1, 1]);

  const failing = cache.get('b', 'first', compute);
  const other = cache.get('b', 'first', async () => 7);
  ends[1]?.(new Error('failed'));
  await expect(failing).rejects.toThrow('failed');
  expect(await other).toBe(7);
  expect(cache.find('b', 'first')).toBeUndefined();
});

test('what was computed under an earlier stamp does not displace what others computed meanwhile', async () => {
  const { ends, compute } = controlled();
  const cache = new StampedCache<number>({ max: 10 });
  const early = cache.get('a', 'first', compute);
  const late = cache.get('a', 'second', compute);
  ends[1]?.();
  expect(await late).toBe(2);
  ends[0]?.();
  expect(await early).toBe(1);
  expect(cache.find('a', 'second')).toBe(2);
});

test('the least recently used go first where all are too large, and what has no size is not kept', () => {
  const cache = new StampedCache<number>({ max: 10, size: { max: 100, of: (value) => (value === 0 ? null : value) } });
  cache.keep('a', 'first', 60);
  cache.keep('b', 'first', 60);
  cache.keep('c', 'first', 0);
  expect(['a', 'b', 'c'].map((name) => cache.has(name))).toEqual([false, true, false]);
});

test('a value is not used when it is too old, counted from the begin of its computation', async () => {
  const cache = new StampedCache<number>({ max: 10, ttl: 1000 });
  cache.keep('b', 'first', 1, performance.now() - 1010);
  expect(cache.find('b', 'first')).toBeUndefined();
  cache.keep('c', 'first', 1);
  expect(cache.find('c', 'first')).toBe(1);
});
