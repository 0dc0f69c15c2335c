import type { GeoJSONSource } from 'mapbox-gl';

import type { Bounds } from './bounds-of.ts';
import type { EngineMap } from './engine-map.ts';
import type { LonLat } from '../trips/trip.ts';

/** Entry of a style's `metadata`: the color of a grid, which gives a map without roads a scale. */
const GRID_METADATA = 'service-trips-map:grid';

const GRID = 'service-trips-grid';
const MIN_LINES = 8;
const STEPS = [10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

/** Adds the grid below the layer `below` if the style asks for it; call it for each style that has loaded. */
export function addGrid(map: EngineMap, below: string): void {
  const metadata = map.getStyle()?.metadata as Record<string, unknown> | undefined;
  const color = metadata?.[GRID_METADATA];
  if (typeof color !== 'string' || map.getSource(GRID)) return;
  map.addSource(GRID, { type: 'geojson', data: linesIn(map) });
  map.addLayer(
    { id: GRID, type: 'line', source: GRID, minzoom: 5, paint: { 'line-color': color, 'line-width': 1 } },
    below,
  );
}

/** Fits the grid, if there is one, to the visible area. */
export function moveGrid(map: EngineMap): void {
  map.getSource<GeoJSONSource>(GRID)?.setData(linesIn(map));
}

function linesIn(map: EngineMap): { type: 'MultiLineString'; coordinates: LonLat[][] } {
  const bounds = map.getBounds()?.toArray().flat() ?? [-180, -85, 180, 85];
  return { type: 'MultiLineString', coordinates: gridLines(bounds as Bounds) };
}

/** Returns meridians and parallels at round degrees, across the box and its surroundings of the same size. */
export function gridLines([west, south, east, north]: Bounds): LonLat[][] {
  const width = east - west;
  const height = north - south;
  const step = STEPS.find((degrees) => width / degrees >= MIN_LINES) ?? 0.001;
  const top = Math.min(85, north + height);
  const bottom = Math.max(-85, south - height);
  const line = (...ends: [LonLat, LonLat]) => ends;
  const meridians = multiples(step, west - width, east + width).map((lon) => line([lon, bottom], [lon, top]));
  const parallels = multiples(step, bottom, top).map((lat) => line([west - width, lat], [east + width, lat]));
  return [...meridians, ...parallels];
}

function multiples(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, at) => (first + at) * step);
}
