import type { Map as MapboxMap } from 'mapbox-gl';
import { expect, test } from 'vitest';

import { type MarkedStop, StopCircles } from '../../../element/map/stop-circles.ts';
import type { LonLat } from '../../../element/trips/trip.ts';

/** Ten pixels a degree, and no end of copies of the world side by side. */
const pixels = ([lon, lat]: LonLat) => ({ x: lon * 10, y: -lat * 10 });

test.each([0, 360, -360])('a circle is chosen on the copy of the world that lies %i degrees away', (turn) => {
  const listeners = new Map<string, (event: unknown) => void>();
  const map = {
    on: (type: string, _layer: string, listener: (event: unknown) => void) => listeners.set(type, listener),
    getSource: () => ({ setData: () => {} }),
    project: (place: LonLat) => {
      const { x, y } = pixels(place);
      return { dist: (to: { x: number; y: number }) => Math.hypot(to.x - x, to.y - y) };
    },
  };
  const chosen: string[] = [];
  const circles = new StopCircles(map as unknown as MapboxMap, ({ tripKey }) => chosen.push(tripKey));
  const longitudes = { west: 178, middle: 180, east: 182 };
  const stops = Object.entries(longitudes).map(([tripKey, lon]) => ({
    ...{ tripKey, color: '#123456' },
    stop: { kind: 'end', position: [lon, 0] },
  }));
  circles.draw(stops as unknown as MarkedStop[], (layer) => layer);
  for (const lon of Object.values(longitudes)) {
    const point = pixels([lon + turn, 0.1]);
    listeners.get('click')?.({
      features: [{ properties: { group: 0 } }],
      lngLat: { lng: lon + turn, lat: 0.1 },
      point,
    });
  }
  expect(chosen).toEqual(['west', 'middle', 'east']);
});
