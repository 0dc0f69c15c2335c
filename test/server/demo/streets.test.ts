import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';

import { VectorTile } from '@mapbox/vector-tile';
import Pbf from 'pbf';
import { expect, test } from 'vitest';

import { DEMO_FLEET } from '../../../server/demo/fleet.ts';
import { routeAlong } from '../../../server/demo/route.ts';
import { allStreets, type Position } from '../../../server/demo/streets.ts';
import { MapArchive } from '../../../server/maps/map-archive.ts';

const MAP = new URL('../../../server/demo/map/firenze.pmtiles', import.meta.url).pathname;
const ZOOM = 14;
/** Meters by which a tile's whole units, and the whole meters of a street, may be off. */
const TOLERANCE = 4;

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** A position in tiles at the zoom, from west and north. */
function spotOf([lat, lon]: Position): Spot {
  const y = (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2;
  return { x: ((lon + 180) / 360) * 2 ** ZOOM, y: y * 2 ** ZOOM };
}

function distance({ x, y }: Spot, a: Spot, b: Spot): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const share = ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1);
  const near = Math.max(0, Math.min(1, share));
  return Math.hypot(a.x + near * dx - x, a.y + near * dy - y);
}

test('every street lies on roads of the map', async () => {
  const archive = await MapArchive.open(MAP);
  const roads = new Map<string, readonly (readonly Spot[])[]>();
  const roadsOf = async (column: number, row: number) => {
    const key = `${column} ${row}`;
    const known = roads.get(key);
    if (known) return known;
    const tile = await archive.tile(ZOOM, column, row);
    const layer = tile && new VectorTile(new Pbf(gunzipSync(tile))).layers.roads;
    const features = Array.from({ length: layer?.length ?? 0 }, (_, at) => layer?.feature(at));
    const lines = features.flatMap((road) =>
      (road?.loadGeometry() ?? []).map((line) =>
        line.map(({ x, y }) => ({ x: column + x / (road?.extent ?? 1), y: row + y / (road?.extent ?? 1) })),
      ),
    );
    roads.set(key, lines);
    return lines;
  };
  const tileMeters = (40_075_016 * Math.cos((43.77 * Math.PI) / 180)) / 2 ** ZOOM;
  for (const { from, to, path } of allStreets()) {
    for (const position of path.filter((_, at) => at % 20 === 0)) {
      const spot = spotOf(position);
      const lines = await roadsOf(Math.floor(spot.x), Math.floor(spot.y));
      const off = lines.flatMap((line) => line.slice(1).map((end, at) => distance(spot, line[at] ?? end, end)));
      expect(Math.min(...off) * tileMeters, `${from} to ${to} at ${position}`).toBeLessThan(TOLERANCE);
    }
  }
});

test('tours lead along streets, and each begins where the one before ended', () => {
  for (const { nickname, tours } of DEMO_FLEET) {
    const places = tours.map((tour) => tour.split(', '));
    for (const [at, tour] of places.entries()) {
      expect(places.at(at - 1)?.at(-1), nickname).toBe(tour[0]);
      expect(routeAlong(tour).positions.length).toBeGreaterThan(300);
    }
  }
});

test('from every place a street leads on, and a street that is not there is an error', () => {
  const streets = allStreets();
  expect(streets.filter(({ to }) => !streets.some(({ from }) => from === to))).toEqual([]);
  expect(() => routeAlong(['Settignano', 'Aeroporto'])).toThrow('No street leads from Settignano to Aeroporto');
});

test('the map and the streets come with their license', async () => {
  expect(await readFile(new URL('./NOTICE.md', `file://${MAP}`), 'utf8')).toMatch(
    /OpenStreetMap contributors.*Open Database/s,
  );
});
