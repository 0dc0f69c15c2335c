import { expect, test } from 'vitest';

import type { MapSettings } from '../../../element/engine/map-settings.ts';
import { simplifyPath } from '../../../element/trips/simplify-path.ts';
import { staticImageUrl, MAX_URL_LENGTH } from '../../../element/map/static-image-url.ts';
import { type LonLat, tripOf } from '../../../element/trips/trip.ts';
import { decodePolyline } from '../../../schema/trips/polyline.ts';
import { wireTrip } from '../../browser/fake-trips-service.ts';

const settings: MapSettings = {
  type: 'static',
  accessToken: 'pk.x&y',
  providerUrl: 'https://api.mapbox.com',
  mapsUrl: null,
  style: null,
  theme: 'light',
  fallback: { center: [11.5, 48.1], zoom: 9 },
  locale: 'en',
  units: 'km',
  speeds: null,
  cooperative: false,
  fullscreen: false,
};
const size = { width: 600, height: 400, retina: true };
const noise = (at: number): number => Math.abs(Math.sin(at * 12.9898) * 43758.5453) % 1;
const walk = (length: number, seed: number): LonLat[] =>
  Array.from({ length }, (_, at) => [11 + at * 0.001 + noise(seed + at) * 0.002, 48 + noise(seed + at + 0.5) * 0.01]);
const drawnLines = (url: string): LonLat[][] =>
  [...url.matchAll(/path-[^(]*\(([^)]*)\)/g)].map(([, points]) => decodePolyline(decodeURIComponent(points ?? '')));

test('a short trip is drawn exactly, with a pin at each end', () => {
  const path: LonLat[] = [
    [11.5, 48.1],
    [11.52, 48.12],
    [11.56, 48.13],
  ];
  const { url, leftOut } = staticImageUrl([tripOf(wireTrip('t', path))], settings, size, { color: '#2563eb' });
  expect(leftOut).toBe(0);
  expect(drawnLines(url)).toEqual([path]);
  expect(url).toMatch(/^https:\/\/api\.mapbox\.com\/styles\/v1\/mapbox\/streets-v12\/static\/path-/);
  expect(url).toContain('pin-s-a+2563eb(11.5,48.1)');
  expect(url).toContain('pin-s-b+2563eb(11.56,48.13)');
  expect(url).toMatch(/\/auto\/600x400@2x\?access_token=pk\.x%26y&padding=48$/);
});

test('a long trip is simplified until the address fits, and keeps its ends', () => {
  const path = walk(5000, 1);
  const { url, leftOut } = staticImageUrl([tripOf(wireTrip('t', path))], settings, size, { color: '#2563eb' });
  const line = drawnLines(url)[0] ?? [];
  expect(url.length).toBeLessThanOrEqual(MAX_URL_LENGTH);
  expect(leftOut).toBe(0);
  expect(line.length).toBeGreaterThan(20);
  expect([line[0], line.at(-1)]).toEqual(
    [path[0], path.at(-1)].map((position) => position?.map((degrees) => Number(degrees.toFixed(5)))),
  );
});

test('where not even coarse lines fit, the last trips are left out and counted', () => {
  const trips = Array.from({ length: 300 }, (_, at) => tripOf(wireTrip(`t${at}`, walk(20, at))));
  const { url, leftOut } = staticImageUrl(trips, settings, size, { color: '#2563eb' });
  expect(url.length).toBeLessThanOrEqual(MAX_URL_LENGTH);
  expect(drawnLines(url).length + leftOut).toBe(300);
  expect(drawnLines(url).length).toBeGreaterThan(20);
});

test('one trip alone keeps its colour; what a privacy zone hides is not drawn', () => {
  const whole = tripOf(wireTrip('a', walk(4, 1)));
  const parted = { ...tripOf(wireTrip('b', walk(6, 2))), breaks: [2, 5] };
  const { url, leftOut } = staticImageUrl([whole, parted], settings, size, { color: '#2563eb', only: 'b' });
  expect(leftOut).toBe(0);
  expect(drawnLines(url).map(({ length }) => length)).toEqual([2, 3]);
  expect(url).toContain('path-5+d9480f');
  expect(url).not.toContain('2563eb');
});

test('the way across a gap is fainter than the line, and is none of it', () => {
  const gappy = { ...tripOf(wireTrip('a', walk(6, 2))), gaps: [4] };
  const { url } = staticImageUrl([gappy], settings, size, { color: '#2563eb' });
  expect(drawnLines(url).map(({ length }) => length)).toEqual([4, 2, 2]);
  expect([...url.matchAll(/path-5\+2563eb-([\d.]+)/g)].map(([, opacity]) => opacity)).toEqual(['0.9', '0.9', '0.35']);
});

test('without trips the image shows the fallback view', () => {
  const { url, leftOut } = staticImageUrl([], settings, { ...size, retina: false }, { color: '#2563eb' });
  expect(url).toBe(
    'https://api.mapbox.com/styles/v1/mapbox/streets-v12/static/11.5,48.1,9,0/600x400?access_token=pk.x%26y',
  );
  expect(leftOut).toBe(0);
});

test('the provider’s limit of size is kept, and dark is another style', () => {
  const { url } = staticImageUrl(
    [],
    { ...settings, theme: 'dark' },
    { width: 4000, height: 0, retina: false },
    { color: '' },
  );
  expect(url).toContain('/mapbox/dark-v11/static/');
  expect(url).toContain('/1280x1?');
});

test('simplifying leaves out what lies on the way, nothing else', () => {
  expect(
    simplifyPath(
      [
        [0, 0],
        [1, 0.00001],
        [2, 0],
        [2, 1],
      ],
      0.001,
    ),
  ).toEqual([
    [0, 0],
    [2, 0],
    [2, 1],
  ]);
  expect(
    simplifyPath(
      [
        [0, 0],
        [1, 1],
        [0, 0],
      ],
      0.1,
    ),
  ).toEqual([
    [0, 0],
    [1, 1],
    [0, 0],
  ]);
  expect(simplifyPath([], 1)).toEqual([]);
});
