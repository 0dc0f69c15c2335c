import { expect, test } from 'vitest';

import { boundsOf } from '../../../element/engine/bounds-of.ts';
import { interruptionsOf, tripOf, unwrapPath } from '../../../element/trips/trip.ts';
import { timedTrip, wireTrip, withGaps } from '../../browser/fake-trips-service.ts';

test('a trip is its line and its places in the order of travel', () => {
  const trip = tripOf(
    wireTrip(
      't',
      [
        [11.5, 48.1],
        [11.52, 48.12],
        [11.56, 48.13],
      ],
      '2026-11-03T08:00:00Z',
    ),
  );
  expect(trip.path).toEqual([
    [11.5, 48.1],
    [11.52, 48.12],
    [11.56, 48.13],
  ]);
  expect(trip.stops).toEqual([
    {
      kind: 'start',
      name: null,
      position: [11.5, 48.1],
      timeZone: null,
      arrival: null,
      departure: '2026-11-03T08:00:00+00:00',
    },
    {
      kind: 'stop',
      timeZone: null,
      position: [11.52, 48.12],
      arrival: '2026-11-03T08:00:15+00:00',
      departure: '2026-11-03T08:10:15+00:00',
    },
    {
      kind: 'end',
      name: null,
      position: [11.56, 48.13],
      timeZone: null,
      arrival: '2026-11-03T08:10:30+00:00',
      departure: null,
    },
  ]);
});

test('what a token hides is absent, not an error', () => {
  const wire = {
    ...wireTrip('t', []),
    start_point: null,
    end_point: null,
    stops: null,
    path: null,
    distance_meters: null,
  };
  expect(tripOf(wire)).toMatchObject({ path: [], stops: [], distanceMeters: null });
  expect(boundsOf([tripOf(wire)])).toBeNull();
});

test('a line across the 180th meridian goes on instead of around the earth', () => {
  expect(
    unwrapPath([
      [179, 1],
      [-179, 2],
      [-178, 3],
      [179.5, 4],
    ]),
  ).toEqual([
    [179, 1],
    [181, 2],
    [182, 3],
    [179.5, 4],
  ]);
  expect(
    unwrapPath([
      [-179, 1],
      [179, 2],
    ]),
  ).toEqual([
    [-179, 1],
    [-181, 2],
  ]);
});

test('the box holds every line', () => {
  const trips = [
    tripOf(
      wireTrip('a', [
        [11, 48],
        [12, 49],
      ]),
    ),
    tripOf(
      wireTrip('b', [
        [-1, 50],
        [3, 40],
      ]),
    ),
  ];
  expect(boundsOf(trips)).toEqual([-1, 40, 12, 50]);
});

test('gaps are told by the line, whether its times are known or not', () => {
  const path = [0, 1, 2, 3].map((at): [number, number] => [11.5 + at / 100, 48.1]);
  const plain = wireTrip('t', path);
  const timed = timedTrip('t', path, [30, 30, 30], '2026-11-03T08:00:00Z');
  expect(tripOf(withGaps(plain, [2])).gaps).toEqual([2]);
  expect(tripOf(withGaps(timed, [2])).gaps).toEqual([2]);
  expect(tripOf(plain).gaps).toEqual([]);
  expect(interruptionsOf({ breaks: [1, 7], gaps: [3] })).toEqual([1, 3, 7]);
});
