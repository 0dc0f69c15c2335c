import { expect, test } from 'vitest';

import { AddressRanges } from '../../../http/requests/address-ranges.ts';

test.each([
  ['10.0.0.0/8', '10.255.0.1', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['10.0.0.0/8', '::ffff:10.0.0.1', true],
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7', '192.0.2.8', false],
  ['fd00::/8', 'fd12::1', true],
  ['fd00::/8', '10.0.0.1', false],
  ['::1 127.0.0.1', '127.0.0.1', true],
  ['', '127.0.0.1', false],
  ['0.0.0.0/0', 'unknown', false],
])('proxies %j trust %s: %s', (text, address, trusted) => {
  expect(AddressRanges.parse(text)?.has(address)).toBe(trusted);
});

test.each(['10.0.0.0/33', 'localhost', '10.1', '1.2.3.4/8/8'])('%j is no list of proxies', (text) => {
  expect(AddressRanges.parse(text)).toBeUndefined();
});

test('an absent address is not trusted', () => {
  expect(AddressRanges.parse('0.0.0.0/0')?.has(undefined)).toBe(false);
});
