import { expect, test } from 'vitest';

import { listsWeakly } from '../../../http/answers/preconditions.ts';

test.each([
  ['"abc-"', '"abc--gzip"', true],
  ['"abc-"', '"abc---gzip"', true],
  ['"abc"', '"abc-gzip"', true],
  ['"abc"', 'W/"abc;br", "other"', true],
  ['"abc"', '"abc"-zstd', true],
  ['"abc"', '*', true],
  ['"abc"', '"abcd-gzip"', false],
  ['"abc"', '"abc-lzma"', false],
  ['"abc"', '"abc"-gzip"', false],
  ['"abc"', '"abc-gzip', false],
  ['"abc-gzip"', '"abc"', false],
])('the tag %s in the list %s: %j', (etag, tags, expected) => {
  expect(listsWeakly(tags, etag)).toBe(expected);
});
