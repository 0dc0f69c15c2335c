import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  decodeNumbers,
  decodePolyline,
  encodeNumbers,
  encodePolyline,
  POLYLINE_PRECISION,
} from '../../../schema/trips/polyline.ts';

test("Google's own example is encoded as Google encodes it", () => {
  const positions = [
    { lat: 38.5, lon: -120.2 },
    { lat: 40.7, lon: -120.95 },
    { lat: 43.252, lon: -126.453 },
  ];
  expect(encodePolyline(positions)).toBe('_p~iF~ps|U_ulLnnqC_mqNvxq`@');
  expect(decodePolyline('_p~iF~ps|U_ulLnnqC_mqNvxq`@')).toEqual(positions.map(({ lat, lon }) => [lon, lat]));
});

test('No position is an empty polyline', () => {
  expect(encodePolyline([])).toBe('');
  expect(decodePolyline('')).toEqual([]);
});

test('Any path comes back within half a unit of the last decimal, without drift', () => {
  const position = fc.record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(position, { maxLength: 200 }), (positions) => {
      const decoded = decodePolyline(encodePolyline(positions));
      expect(decoded).toHaveLength(positions.length);
      const tolerance = 0.5 * 10 ** -POLYLINE_PRECISION + 1e-9;
      for (const [i, { lat, lon }] of positions.entries()) {
        expect(Math.abs((decoded[i]?.[0] ?? Number.NaN) - lon)).toBeLessThanOrEqual(tolerance);
        expect(Math.abs((decoded[i]?.[1] ?? Number.NaN) - lat)).toBeLessThanOrEqual(tolerance);
      }
    }),
  );
});

test.each([['_p~iF~ps|'], ['_p~iF'], ['_p~iF~ps|U\u0020'], ['é']])('%j is refused as malformed', (text) => {
  expect(() => decodePolyline(text)).toThrow(RangeError);
});

test('Any whole numbers come back', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -(2 ** 40), max: 2 ** 40 })), (numbers) => {
      expect(decodeNumbers(encodeNumbers(numbers))).toEqual(numbers);
    }),
  );
  expect(() => decodeNumbers('_')).toThrow(RangeError);
});
