import type { GeoJSONSource, Map as MapboxMap } from 'mapbox-gl';

import type { LonLat, Trip } from './trip.ts';
import { tripColor } from './trip-colors.ts';

/** The id of the source of all lines; documented for embedders, who may read it or add layers of their own to it. */
export const TRIPS_SOURCE = 'service-trips';

/** The ids of the layers, from below to above; documented like the source. */
export const CASING_LAYER = 'service-trips-casing';
const LINE_LAYER = 'service-trips-line';

/** How lines look; read from the element's CSS custom properties. */
export interface LineLook {
  readonly color: string;
  readonly width: number;
  readonly casing: string;
}

/** Draws the lines of trips on a map whose style is loaded: adds source and layers once, then only changes them. */
export function drawLines(map: MapboxMap, trips: readonly Trip[], look: LineLook, slot: string | undefined): void {
  const data = lineCollection(trips, look);
  const source = map.getSource<GeoJSONSource>(TRIPS_SOURCE);
  if (source) source.setData(data);
  else {
    map.addSource(TRIPS_SOURCE, { type: 'geojson', data, lineMetrics: true, tolerance: 0.25 });
    const shared = {
      type: 'line',
      source: TRIPS_SOURCE,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      ...(slot ? { slot } : {}),
    } as const;
    map.addLayer({ ...shared, id: CASING_LAYER, paint: { 'line-emissive-strength': 1 } });
    map.addLayer({ ...shared, id: LINE_LAYER, paint: { 'line-color': ['get', 'color'], 'line-emissive-strength': 1 } });
  }
  map.setPaintProperty(CASING_LAYER, 'line-color', look.casing);
  map.setPaintProperty(CASING_LAYER, 'line-width', look.width + 4);
  map.setPaintProperty(CASING_LAYER, 'line-opacity', 0.9);
  map.setPaintProperty(LINE_LAYER, 'line-width', look.width);
}

/** GeoJSON's FeatureCollection of LineStrings, as far as it is used here. */
interface LineCollection {
  type: 'FeatureCollection';
  features: {
    type: 'Feature';
    properties: { key: string; color: string };
    geometry: { type: 'LineString'; coordinates: LonLat[] };
  }[];
}

function lineCollection(trips: readonly Trip[], look: LineLook): LineCollection {
  const lines = trips.map(({ key, path }, index) => ({ key, path, color: tripColor(index, look.color) }));
  return {
    type: 'FeatureCollection',
    features: lines
      .filter(({ path }) => path.length > 1)
      .map(({ key, path, color }) => ({
        type: 'Feature',
        properties: { key, color },
        geometry: { type: 'LineString', coordinates: [...path] },
      })),
  };
}
