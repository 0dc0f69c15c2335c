import { expect, test } from 'vitest';

import { tokenFault } from '../../../element/trips/token-fault.ts';

const NOW = Date.UTC(2026, 10, 3, 8);
const PAGE = 'https://fleet.example';

/** A token with these claims over those of a good one. */
function tokenWith(claims: object): string {
  const good = { aud: PAGE, sub: 'vehicle:v1', exp: NOW / 1000 + 60 };
  return `e30.${Buffer.from(JSON.stringify({ ...good, ...claims })).toString('base64url')}.c2ln`;
}

test('a token for this page, this vehicle and this time has no fault', () => {
  expect(tokenFault(tokenWith({}), 'v1', PAGE, NOW)).toBeNull();
  expect(tokenFault('opaque', 'v1', PAGE, NOW)).toBeNull();
});

test.each([
  [
    'another origin',
    { aud: 'https://other.example' },
    'the token is for pages of https://other.example, but this page is from https://fleet.example; request a token whose aud is https://fleet.example',
    false,
  ],
  ['another vehicle', { sub: 'vehicle:v2' }, 'the token is for vehicle:v2, but vehicle-key is v1', false],
  ['the time before', { exp: NOW / 1000 }, 'the token expired at 2026-11-03T08:00:00.000Z', true],
])('of a token for %s it says so', (_, claims, reason, signInHelps) => {
  expect(tokenFault(tokenWith(claims), 'v1', PAGE, NOW)).toEqual({ reason, signInHelps });
});

test('a page that was opened by http is told to be opened by https', () => {
  expect(tokenFault(tokenWith({}), 'v1', 'http://fleet.example', NOW)).toEqual({
    reason:
      'the token is for pages of https://fleet.example, but this page is from http://fleet.example; open it over https',
    signInHelps: false,
  });
});
