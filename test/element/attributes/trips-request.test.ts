import { expect, test } from 'vitest';

import { tripsRequestOf } from '../../../element/attributes/trips-request.ts';
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
