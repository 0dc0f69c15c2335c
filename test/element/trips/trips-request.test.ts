import { expect, test } from 'vitest';

import { tripsRequestOf } from '../../../element/trips/trips-request.ts';

const attributes = {
  serviceUrl: 'https://service.example/graphql',
  vehicleKey: 'v',
  tripKey: null,
  startedAfter: null,
  startedBefore: null,
};
const plain = { colorBy: 'trip', replay: false };

test('times are handed on as written', () => {
  const times = { startedAfter: '2026-11-03T08:00+02', startedBefore: '2026-11-04' };
  expect(tripsRequestOf({ ...attributes, ...plain, ...times })).toEqual({ ...attributes, ...times, timed: false });
});

test('trip-key makes the times ignored, whatever they say', () => {
  const request = tripsRequestOf({
    ...attributes,
    ...plain,
    tripKey: 't',
    startedAfter: 'yesterday',
    startedBefore: '2026-11-04',
  });
  expect(request).toEqual({ ...attributes, tripKey: 't', timed: false });
});

test('empty attributes are absent ones', () => {
  expect(tripsRequestOf({ ...attributes, ...plain, tripKey: '', startedAfter: '', startedBefore: '' })).toEqual({
    ...attributes,
    timed: false,
  });
});

test.each([
  ['vehicle-key', { vehicleKey: null }],
  ['vehicle-key', { vehicleKey: '', tripKey: 't' }],
  ['started-after', { startedAfter: 'yesterday' }],
  ['started-after', { startedAfter: '2026-02-30' }],
  ['started-before', { startedBefore: '2026-11-03 08:00' }],
  ['service-url', { serviceUrl: null }],
])('%s keeps trips from being loaded: %j', (name, changes) => {
  const read = (): unknown => tripsRequestOf({ ...attributes, ...plain, ...changes });
  expect(read).toThrow(name);
});

test.each([
  [{ colorBy: 'speed' }, true],
  [{ replay: true }, true],
  [{}, false],
])('times and speeds are loaded where they are shown: %j', (changes, timed) => {
  expect(tripsRequestOf({ ...attributes, ...plain, ...changes }).timed).toBe(timed);
});
