import { describe, expect, test } from 'vitest';

import { useCollections } from '../use-collections.ts';

const collectionOf = useCollections();

describe('a pattern that JavaScript reads differently', () => {
  test.each([
    '\\x{41}',
    '\\Aa',
    '\\e',
    '\\v',
    '[\\h]',
    '[]a]',
    '[[:alpha:]]',
    'a++',
    '(?P<n>a)',
    'a(?i)b',
    '(*ANY)a',
    '\\p{Latin}',
    '\\p{L}{',
  ])('is refused with what to do (%s)', async (pattern) => {
    const collection = await collectionOf([{ a: 'a' }]);
    await expect(collection.findOne({ a: { $regex: pattern } })).rejects.toMatchObject({
      message: expect.stringContaining('MONGODB_URI'),
    });
  });

  test.each(['a\\-b', 'a\\.b', 'a\\\\b', '[a\\]b]', '\\bab\\b', '(?i)A', 'a[+*]+b', '\\x41', '\\p{Lu}'])(
    'is not one like %s',
    async (pattern) => {
      await expect((await collectionOf([{ a: 'a' }])).findOne({ a: { $regex: pattern } })).resolves.toBeDefined();
    },
  );
});
