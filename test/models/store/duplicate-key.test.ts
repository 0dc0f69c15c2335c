import { expect, test } from 'vitest';

import { insertIfAbsent, isDuplicateKey } from '../../../models/store/duplicate-key.ts';

const DUPLICATE = Object.assign(new Error('E11000 duplicate key error'), { code: 11_000 });

test('tells a document that a unique index refuses from every other failure', () => {
  expect(isDuplicateKey(DUPLICATE)).toBe(true);
  expect(isDuplicateKey(Object.assign(new Error('not primary'), { code: 10_107 }))).toBe(false);
  expect(isDuplicateKey({ code: 11_000 })).toBe(false);
});

test('answers whether the document is new, and lets every other failure through', async () => {
  expect(await insertIfAbsent(async () => undefined)).toBe(true);
  expect(await insertIfAbsent(() => Promise.reject(DUPLICATE))).toBe(false);
  await expect(insertIfAbsent(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
});
