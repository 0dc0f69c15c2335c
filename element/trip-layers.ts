import type { ExpressionSpecification, GeoJSONSource, LineLayerSpecification, Map as MapboxMap } from 'mapbox-gl';

import type { Emphasis } from './map-canvas.ts';
import { speedStretches } from './speed-stretches.ts';
import type { SpeedScale } from './speed-scale.ts';
import { type ColoredLine, type LonLat, partsOf, type Trip } from './trip.ts';
import { tripColor } from './trip-colors.ts';

/** The id of the source of all lines; documented for embedders, who may read it or add layers of their own to it. */
export const TRIPS_SOURCE = 'service-trips';
const SPEEDS_SOURCE = 'service-trips-speeds';

/** The ids of the layers, from below to above; documented like the source. */
export const CASING_LAYER = 'service-trips-casing';
const LINE_LAYER = 'service-trips-line';
const SPEED_LAYER = 'service-trips-speed';

/** How lines look; read from the element's CSS custom properties. */
export interface LineLook {
  readonly color: string;
  readonly width: number;
  readonly casing: string;
  /** null colours by trip. */
  readonly speeds: SpeedScale | null;
}

/** The lines of trips on a map; of no effect until its style is loaded. */
export class TripLines {
  readonly #map: MapboxMap;
  readonly #emphasized = new Map<string, string>();
  #keys: readonly string[] = [];

  constructor(map: MapboxMap) {
    this.#map = map;
  }

  /** Draws the trips: adds sources and layers once, then only changes them. `slot` is one of the standard style. */
  draw(trips: readonly Trip[], look: LineLook, slot: string | undefined): void {
    const map = this.#map;
    this.#keys = trips.map(({ key }) => key);
    const lines = tripLines(trips, look);
    const speeds = look.speeds ? speedStretches(trips, look.speeds) : [];
    const source = map.getSource<GeoJSONSource>(TRIPS_SOURCE);
    if (source) {
      source.setData(collectionOf(lines));
      map.getSource<GeoJSONSource>(SPEEDS_SOURCE)?.setData(collectionOf(speeds));
    } else {
      this.#emphasized.clear();
      this.#addLayers(lines, speeds, slot);
    }
    map.setPaintProperty(CASING_LAYER, 'line-color', look.casing);
    map.setPaintProperty(CASING_LAYER, 'line-width', emphasizedWidth(look.width + 4));
    for (const layer of [LINE_LAYER, SPEED_LAYER]) {
      map.setPaintProperty(layer, 'line-width', emphasizedWidth(look.width));
    }
  }

  /** Lets trips stand out from the others, which are dimmed when one is chosen. */
  emphasize({ chosen, hovered }: Emphasis): void {
    for (const key of this.#keys) {
      const strong = key === chosen || key === hovered;
      const state = { strong, faint: chosen !== null && !strong };
      const name = JSON.stringify(state);
      if ((this.#emphasized.get(key) ?? PLAIN) === name) continue;
      this.#emphasized.set(key, name);
      for (const source of [TRIPS_SOURCE, SPEEDS_SOURCE]) this.#map.setFeatureState({ source, id: key }, state);
    }
  }

  #addLayers(lines: readonly ColoredLine[], speeds: readonly ColoredLine[], slot: string | undefined): void {
    const map = this.#map;
    const source = { type: 'geojson', lineMetrics: true, tolerance: 0.25, promoteId: 'key' } as const;
    map.addSource(TRIPS_SOURCE, { ...source, data: collectionOf(lines) });
    map.addSource(SPEEDS_SOURCE, { ...source, data: collectionOf(speeds) });
    const layer = {
      type: 'line',
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      ...(slot ? { slot } : {}),
    } as const;
    const paint = { 'line-emissive-strength': 1, 'line-opacity': dimmed(1) };
    const colored: LinePaint = { ...paint, 'line-color': ['get', 'color'] };
    map.addLayer({
      ...layer,
      id: CASING_LAYER,
      source: TRIPS_SOURCE,
      paint: { ...paint, 'line-opacity': dimmed(0.9) },
    });
    map.addLayer({ ...layer, id: LINE_LAYER, source: TRIPS_SOURCE, paint: colored });
    map.addLayer({ ...layer, id: SPEED_LAYER, source: SPEEDS_SOURCE, paint: colored });
  }
}

type LinePaint = NonNullable<LineLayerSpecification['paint']>;

const PLAIN = JSON.stringify({ strong: false, faint: false });

function emphasizedWidth(width: number): ExpressionSpecification {
  return ['case', ['boolean', ['feature-state', 'strong'], false], width + 2, width];
}

function dimmed(opacity: number): ExpressionSpecification {
  return ['case', ['boolean', ['feature-state', 'faint'], false], 0.25, opacity];
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

/** A line a trip, more where parts of it are hidden. */
function tripLines(trips: readonly Trip[], look: LineLook): ColoredLine[] {
  return trips.flatMap((trip, index) => {
    const color = tripColor(index, look.color);
    const parts = partsOf(trip).filter(({ from, until }) => until - from > 1);
    return parts.map(({ from, until }) => ({ key: trip.key, color, path: trip.path.slice(from, until) }));
  });
}

function collectionOf(lines: readonly ColoredLine[]): LineCollection {
  return {
    type: 'FeatureCollection',
    features: lines.map(({ key, color, path }) => ({
      type: 'Feature',
      properties: { key, color },
      geometry: { type: 'LineString', coordinates: path },
    })),
  };
}
