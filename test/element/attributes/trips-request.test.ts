import { expect, test } from 'vitest';

import { reachesNow, tripsRequestOf } from '../../../element/attributes/trips-request.ts';
import { attributesWith } from './attributes-with.ts';

const SELECTION = { serviceUrl: 'https://service.example/graphql', vehicleKey: 'v' };
const WHOLE_REQUEST = { ...SELECTION, tripKey: null, startedAfter: null, startedBefore: null, timed: false };

test('times are handed on as written', () => {
  const times = { startedAfter: '2026-11-03T08:00+02', startedBefore: '2026-11-04' };
  expect(tripsRequestOf(attributesWith({ ...SELECTION, ...times }))).toEqual({ ...WHOLE_REQUEST, ...times });
});

test('trip-key makes the times ignored, even invalid ones', () => {
  const changes = { tripKey: 't', startedAfter: 'yesterday', startedBefore: '2026-11-04' };
  expect(tripsRequestOf(attributesWith({ ...SELECTION, ...changes }))).toEqual({
    ...WHOLE_REQUEST,
    tripKey: 't',
    timed: true,
  });
});

test('empty attributes count as absent', () => {
  const empty = { tripKey: '', startedAfter: '', startedBefore: '' };
  expect(tripsRequestOf(attributesWith({ ...SELECTION, ...empty }))).toEqual(WHOLE_REQUEST);
});

test.each([
  ['vehicle-key', { vehicleKey: null }],
  ['vehicle-key', { vehicleKey: '', tripKey: 't' }],
  ['started-after', { startedAfter: 'yesterday' }],
  ['started-after', { startedAfter: '2026-02-30' }],
  ['started-before', { startedBefore: '2026-11-03 08:00' }],
  ['service-url', { serviceUrl: null }],
])('%s keeps trips from being loaded: %j', (name, changes) => {
  const read = (): unknown => tripsRequestOf(attributesWith({ ...SELECTION, ...changes }));
  expect(read).toThrow(name);
});

test.each([
  [{ colorBy: 'speed' }, true],
  [{ replay: true }, true],
  [{ tripKey: 'trip-1' }, true],
  [{}, false],
])('times and speeds are loaded where they are shown: %j', (changes, timed) => {
  expect(tripsRequestOf(attributesWith({ ...SELECTION, ...changes })).timed).toBe(timed);
});

test.each([
  [{}, true],
  [{ startedAfter: '2026-11-20' }, true],
  [{ startedAfter: '2026-11-20T13:00Z' }, false],
  [{ startedAfter: '2026-11-19' }, false],
  [{ startedAfter: '2026-11-19T18:00-06:00' }, false],
  [{ startedAfter: '2026-11-20T18:00+08:00' }, true],
  [{ startedAfter: '2026-11-21' }, false],
  [{ startedBefore: '2026-11-20T23:00Z' }, true],
  [{ startedBefore: '2026-11-20T11:00Z' }, false],
  [{ startedBefore: '2026-11-22' }, false],
  [{ startedAfter: '2026-11-20', startedBefore: '2026-11-20T11:00Z' }, false],
  [{ startedAfter: '2026-11-20', startedBefore: '2026-11-22' }, true],
  [{ tripKey: 'trip-1' }, false],
])('trips of noon on November 20 are selected by %j: %j', (changes, reaches) => {
  const request = tripsRequestOf(attributesWith({ ...SELECTION, ...changes }));
  expect(reachesNow(request, Date.parse('2026-11-20T12:00Z'))).toBe(reaches);
});
