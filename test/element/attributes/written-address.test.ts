import { expect, test } from 'vitest';

import { writtenAddress } from '../../../element/attributes/written-address.ts';

test('an address that the server has written is taken as it is', () => {
  expect(writtenAddress('https://b.example/graphql')).toBe('https://b.example/graphql');
});

test.each(['__WAYBRIDGE_GRAPHQL_URL__', '__WAYBRIDGE_SITE_URL__'])(
  'a file that no server has filled has %s',
  (text) => {
    expect(writtenAddress(text)).toBeNull();
  },
);
