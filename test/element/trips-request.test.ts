import { expect, test } from 'vitest';

import { AuthError } from '../../element/load-failure.ts';
import { tripsRequestOf } from '../../element/trips-request.ts';
import { TOKEN } from './element-page.ts';

const attributes = {
  serviceUrl: 'https://service.example/graphql',
  serviceToken: TOKEN,
  vehicleKey: 'v',
  tripKey: null,
  startedAfter: null,
  startedBefore: null,
};

test('times are handed on as written', () => {
  const times = { startedAfter: '2026-11-03T08:00+02', startedBefore: '2026-11-04' };
  expect(tripsRequestOf({ ...attributes, ...times })).toEqual({ ...attributes, ...times });
});

test('trip-key makes the times ignored, whatever they say', () => {
  const request = tripsRequestOf({
    ...attributes,
    tripKey: 't',
    startedAfter: 'yesterday',
    startedBefore: '2026-11-04',
  });
  expect(request).toEqual({ ...attributes, tripKey: 't', startedAfter: null, startedBefore: null });
});

test('empty attributes are absent ones', () => {
  expect(tripsRequestOf({ ...attributes, tripKey: '', startedAfter: '', startedBefore: '' })).toEqual(attributes);
});

test.each([
  ['vehicle-key', { vehicleKey: null }],
  ['vehicle-key', { vehicleKey: '', tripKey: 't' }],
  ['started-after', { startedAfter: 'yesterday' }],
  ['started-after', { startedAfter: '2026-02-30' }],
  ['started-before', { startedBefore: '2026-11-03 08:00' }],
  ['service-url', { serviceUrl: null }],
  ['vehicle-key', { vehicleKey: null, serviceToken: null }],
])('%s keeps trips from being loaded: %j', (name, changes) => {
  const read = (): unknown => tripsRequestOf({ ...attributes, ...changes });
  expect(read).toThrow(name);
  expect(read).not.toThrow(AuthError);
});

test.each([[null], [''], ['opaque']])('the token %j is an authentication error', (serviceToken) => {
  expect(() => tripsRequestOf({ ...attributes, serviceToken })).toThrow(AuthError);
});
