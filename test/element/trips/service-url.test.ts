import { expect, test } from 'vitest';

import { serviceUrlOf } from '../../../element/trips/service-url.ts';

test.each([
  ['the attribute wins', 'https://a.example/graphql', 'https://b.example/graphql', 'https://a.example/graphql'],
  ['the server has written its address', null, 'https://b.example/graphql', 'https://b.example/graphql'],
  ['an empty attribute is an absent one', '', 'https://b.example/graphql', 'https://b.example/graphql'],
])('%s', (_, attribute, written, url) => {
  expect(serviceUrlOf(attribute, written)).toBe(url);
});

test('a file that no server has filled knows no address', () => {
  expect(serviceUrlOf(null)).toBeNull();
});
