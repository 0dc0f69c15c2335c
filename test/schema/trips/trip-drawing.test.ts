import fc from 'fast-check';
import { expect, test } from 'vitest';

import { type DrawingOptions, drawTrips } from '../../../schema/trips/trip-drawing.ts';

const OPTIONS: DrawingOptions = {
  width: 600,
  height: 400,
  colors: { ground: '#eee', grid: '#ddd', casing: '#fff', surface: '#fff', text: '#000' },
  units: 'km',
  label: 'Trips',
};

const trip = (...path: [number, number][]) => ({
  color: '#f00',
  path,
  breaks: [] as number[],
  gaps: [] as number[],
  stops: [],
});

/** Points of all lines of a drawing, each once. */
function pointsOf(svg: string): number[][] {
  const data = [...svg.matchAll(/<path d="([^"]*)" stroke="#f00"/g)].map(([, path = '']) => path).join('');
  return [...data.matchAll(/[ML](\S+?) ([-\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

test('north is up, east is right, and angles are those of Web Mercator', () => {
  const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = pointsOf(
    drawTrips([trip([11, 48], [11.01, 48.0067])], OPTIONS),
  );
  expect(x2).toBeGreaterThan(x1);
  expect(y2).toBeLessThan(y1);
  // At 48° north a degree of longitude is as long as 0.67 degrees of latitude.
  expect((y1 - y2) / (x2 - x1)).toBeCloseTo(1, 1);
});

test('a trip across the 180th meridian is not drawn around the earth', () => {
  const points = pointsOf(
    drawTrips([trip([179.99, 10], [-179.99, 10.001]), trip([-179.98, 10], [179.98, 10])], OPTIONS),
  );
  const scale = Number(/text[^>]*>(\d+) m</.exec(drawTrips([trip([179.99, 10], [-179.99, 10])], OPTIONS))?.[1]);
  expect(points).toHaveLength(4);
  expect(scale).toBeLessThan(1000);
});

test('a line is interrupted at its breaks, and positions too close to be seen are left out', () => {
  const broken = { ...trip([0, 0], [1, 0], [2, 0], [3, 0]), breaks: [2] };
  expect(drawTrips([broken], OPTIONS).match(/d="M[^M]*M[^M"]*" stroke="#f00"/)).toBeTruthy();
  const dense = trip(...Array.from({ length: 20_000 }, (_, at): [number, number] => [at / 20_000, 0]));
  const points = pointsOf(drawTrips([dense], OPTIONS));
  expect(points.length).toBeLessThan(1100);
  expect(points.at(-1)?.[0]).toBeCloseTo(552, 0);
});

test('the way across a gap is dashed, and is none of the line', () => {
  const svg = drawTrips([{ ...trip([0, 0], [1, 0], [2, 0], [3, 0]), gaps: [2] }], OPTIONS);
  const [line = '', dashed = ''] = [...svg.matchAll(/<path d="([^"]*)"[^>]* stroke="#f00"[^>]*>/g)].map(([all]) => all);
  expect(line).toMatch(/d="M[^M]*M[^M"]*"/);
  expect(line).not.toContain('dasharray');
  expect(dashed).toMatch(/d="M[^M"]*" .*stroke-dasharray/);
  expect(drawTrips([trip([0, 0], [1, 0])], OPTIONS)).not.toContain('dasharray');
});

test('all of any trips lies within the drawing', () => {
  const position = fc.tuple(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.double({ min: -90, max: 90, noNaN: true }),
  );
  const trips = fc.array(fc.array(position, { minLength: 1, maxLength: 4 }), { maxLength: 3 });
  fc.assert(
    fc.property(trips, (paths) => {
      const svg = drawTrips(
        paths.map((path) => trip(...path)),
        OPTIONS,
      );
      expect(svg).not.toMatch(/NaN|Infinity/);
      for (const [x = -1, y = -1] of pointsOf(svg)) {
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(600);
        expect(y).toBeLessThanOrEqual(400);
      }
    }),
    { numRuns: 60 },
  );
});

test('texts and colors are text, also where they look like markup', () => {
  const hostile = '"><script>';
  const svg = drawTrips([{ ...trip([0, 0]), color: hostile }], { ...OPTIONS, label: hostile, note: hostile });
  expect(svg).not.toContain('<script>');
});
