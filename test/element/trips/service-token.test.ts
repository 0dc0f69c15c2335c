import { expect, test } from 'vitest';

import { faultOfServiceToken } from '../../../element/trips/service-token.ts';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = (header: unknown): string => `${part(header)}.${part({ sub: 'vehicle:v' })}.c2lnbmF0dXJl`;

test.each([
  ['of the service', token({ alg: 'ES256', typ: 'trips+jwt', kid: 'ключ' })],
  ['whose header needs both letters of base64url', token({ typ: 'trips+jwt', x: '~~~???>>>' })],
])('a token %s is for the service to judge', (_, text) => {
  expect(faultOfServiceToken(text)).toBeNull();
});

test.each([
  ['absent', null],
  ['empty', ''],
])('an %s token is missing', (_, text) => {
  expect(faultOfServiceToken(text)).toBe('The service-token attribute is missing');
});

test.each([
  ['an opaque token', 'b3BhcXVl'],
  ['an OAuth token in JWT form', token({ alg: 'ES256', typ: 'at+jwt' })],
  ['a header without typ', token({ alg: 'ES256' })],
  ['a header that is null', token(null)],
  ['a header that is not JSON', 'bm8.e30.c2ln'],
  ['two parts', token({ typ: 'trips+jwt' }).split('.').slice(0, 2).join('.')],
  ['four parts', `${token({ typ: 'trips+jwt' })}.c2ln`],
  ['an empty signature', `${part({ typ: 'trips+jwt' })}.e30.`],
  ['white space', ` ${token({ typ: 'trips+jwt' })}`],
])('%s is no special-purpose token', (_, text) => {
  expect(faultOfServiceToken(text)).toBe('The service-token is not a special-purpose token');
});
