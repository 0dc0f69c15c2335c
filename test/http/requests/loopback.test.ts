import { expect, test } from 'vitest';

import { isLoopbackAddress, isLoopbackHost } from '../../../http/requests/loopback.ts';

test.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['192.0.2.1', false],
  ['::', false],
  ['localhost', false],
  [undefined, false],
])('the address %s is of this machine: %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});

test.each([
  ['localhost', true],
  ['LOCALHOST.', true],
  ['auth.localhost', true],
  ['[::1]', true],
  ['127.0.0.1', true],
  ['localhost.example.com', false],
  ['notlocalhost', false],
  ['example.com', false],
])('the host %s names this machine: %s', (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected);
});
