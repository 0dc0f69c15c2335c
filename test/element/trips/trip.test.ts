import { expect, test } from 'vitest';

import { boundsOf } from '../../../element/map/bounds-of.ts';
import { gapsOf, tripOf, unwrapPath } from '../../../element/trips/trip.ts';
import { timedTrip, wireTrip } from '../../browser/fake-trips-service.ts';

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
    { kind: 'start', position: [11.5, 48.1], timeZone: null, arrival: null, departure: '2026-11-03T08:00:00+00:00' },
    {
      kind: 'stop',
      timeZone: null,
      position: [11.52, 48.12],
      arrival: '2026-11-03T08:00:15+00:00',
      departure: '2026-11-03T08:10:15+00:00',
    },
    { kind: 'end', position: [11.56, 48.13], timeZone: null, arrival: '2026-11-03T08:10:30+00:00', departure: null },
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

test('a gap in the recording lies before the position that ends it, whatever fractions of a second its times have', () => {
  const path = [0, 1, 2, 3].map((at): [number, number] => [11.5 + at / 100, 48.1]);
  const wire = timedTrip('t', path, [30, 30, 30], '2026-11-03T08:00:00Z');
  const gaps = [{ started: '2026-11-03T08:00:10.400Z', ended: '2026-11-03T08:00:20.900Z' }];
  expect(gapsOf(tripOf({ ...wire, gaps }))).toEqual([2]);
  expect(gapsOf(tripOf(wire))).toEqual([]);
  expect(gapsOf(tripOf(wireTrip('t', path)))).toEqual([]);
});
