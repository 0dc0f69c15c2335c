import { expect, test } from 'vitest';

import { encodingFor } from '../../../http/answers/content-encoding.ts';

test.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['deflate, zstd', null],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.1', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0 , gzip;q=0.000', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0, *', 'gzip'],
])('of %o takes %o', (header, encoding) => {
  expect(encodingFor(header)).toBe(encoding);
});
