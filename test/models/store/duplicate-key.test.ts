import { expect, test } from 'vitest';

import { insertIfAbsent, isDuplicateKey } from '../../../models/store/duplicate-key.ts';
import { retryTransient } from '../../../models/store/retry-transient.ts';

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

test.each([
  ['the pattern', { code: 11_000, keyPattern: { email: 1 } }, 'duplicate', [true, false]],
  ['the name of the index', { code: 11_000 }, "Duplicate key violation: Index 'email_1'", [true, false]],
  ['the name of an index of several fields', { code: 11_000 }, 'index: account_key_1_email_1 dup key', [true, false]],
  ['the name of an index of a longer field', { code: 11_000 }, "Index 'account_email_1_number_-1'", [false, false]],
  ['nothing', { code: 11_000 }, 'Duplicate key violation', [true, true]],
  ['nothing, by findOneAndUpdate', { code: 1 }, 'conflicting key value violates a constraint', [true, true]],
  ['another fault', { code: 1 }, 'internal error', [false, false]],
])('knows the field of a duplicate by %s', (_, fields, message, expected) => {
  const error = Object.assign(new Error(message), fields);
  expect(['email', 'name'].map((field) => isDuplicateKey(error, field))).toEqual(expected);
});

test('does a write again that the database has ended in favor of another', async () => {
  const deadlock = Object.assign(new Error('deadlock detected'), { code: 16_908_292 });
  let attempts = 0;
  const write = async () => {
    attempts += 1;
    if (attempts < 3) throw deadlock;
    return 'done';
  };
  expect(await retryTransient(write)).toBe('done');
  await expect(retryTransient(() => Promise.reject(deadlock))).rejects.toBe(deadlock);
  await expect(retryTransient(() => Promise.reject(DUPLICATE))).rejects.toBe(DUPLICATE);
});
