import type { ExpressionSpecification, GeoJSONSource, LineLayerSpecification, Map as MapboxMap } from 'mapbox-gl';

import type { Emphasis } from './map-canvas.ts';
import { speedStretches } from './speed-stretches.ts';
import type { SpeedScale } from './speed-scale.ts';
import { STOPS_LAYER } from './stop-circles.ts';
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

/** What decides the data of the sources. */
interface Drawn {
  readonly trips: readonly Trip[];
  readonly look: LineLook;
}

/** The lines of trips on a map; of no effect until its style is loaded. */
export class TripLines {
  readonly #map: MapboxMap;
  readonly #emphasized = new Map<string, string>();
  #keys: readonly string[] = [];
  /** What the sources hold. */
  #drawn: Drawn | null = null;

  constructor(map: MapboxMap) {
    this.#map = map;
  }

  /** Draws the trips: adds sources and layers once, then only changes them. `slot` is one of the standard style. */
  draw(trips: readonly Trip[], look: LineLook, slot: string | undefined): void {
    const map = this.#map;
    this.#keys = trips.map(({ key }) => key);
    const source = map.getSource<GeoJSONSource>(TRIPS_SOURCE);
    if (!source || !this.#drawn || !sameLines(this.#drawn, { trips, look })) {
      const lines = collectionOf(tripLines(trips, look));
      if (source) source.setData(lines);
      else this.#addLines(lines, slot);
      this.#drawSpeeds(look.speeds ? speedStretches(trips, look.speeds) : [], slot);
    }
    this.#drawn = { trips, look };
    map.setPaintProperty(CASING_LAYER, 'line-color', look.casing);
    map.setPaintProperty(CASING_LAYER, 'line-width', emphasizedWidth(look.width + 4));
    for (const layer of [LINE_LAYER, SPEED_LAYER]) {
      if (map.getLayer(layer)) map.setPaintProperty(layer, 'line-width', emphasizedWidth(look.width));
    }
  }

  /** Lets trips stand out from the others, which are dimmed when one is chosen. */
  emphasize({ chosen, hovered }: Emphasis): void {
    const sources = [TRIPS_SOURCE, SPEEDS_SOURCE].filter((source) => this.#map.getSource(source));
    for (const key of this.#keys) {
      const strong = key === chosen || key === hovered;
      const state = { strong, faint: chosen !== null && !strong };
      const name = JSON.stringify(state);
      if ((this.#emphasized.get(key) ?? PLAIN) === name) continue;
      this.#emphasized.set(key, name);
      for (const source of sources) this.#map.setFeatureState({ source, id: key }, state);
    }
  }

  #addLines(data: LineCollection, slot: string | undefined): void {
    const map = this.#map;
    this.#emphasized.clear();
    map.addSource(TRIPS_SOURCE, { ...SOURCE, data });
    const layer = { ...LAYER, ...(slot ? { slot } : {}), source: TRIPS_SOURCE };
    map.addLayer({ ...layer, id: CASING_LAYER, paint: { ...PAINT, 'line-opacity': dimmed(0.9) } });
    map.addLayer({ ...layer, id: LINE_LAYER, paint: COLORED });
  }

  /** Draws stretches above the lines; what has no stretches costs no source. */
  #drawSpeeds(speeds: readonly ColoredLine[], slot: string | undefined): void {
    const map = this.#map;
    const source = map.getSource<GeoJSONSource>(SPEEDS_SOURCE);
    if (source) source.setData(collectionOf(speeds));
    if (source || speeds.length === 0) return;
    this.#emphasized.clear();
    map.addSource(SPEEDS_SOURCE, { ...SOURCE, data: collectionOf(speeds) });
    const layer = { ...LAYER, ...(slot ? { slot } : {}), id: SPEED_LAYER, source: SPEEDS_SOURCE, paint: COLORED };
    map.addLayer(layer, map.getLayer(STOPS_LAYER) ? STOPS_LAYER : undefined);
  }
}

/** Whether lines are the same: sending them anew would have them cut and drawn once more. */
function sameLines(a: Drawn, b: Drawn): boolean {
  return a.trips === b.trips && a.look.color === b.look.color && a.look.speeds === b.look.speeds;
}

const PLAIN = JSON.stringify({ strong: false, faint: false });

const SOURCE = { type: 'geojson', tolerance: 0.25, promoteId: 'key' } as const;
const LAYER = { type: 'line', layout: { 'line-cap': 'round', 'line-join': 'round' } } as const;
const PAINT: NonNullable<LineLayerSpecification['paint']> = { 'line-emissive-strength': 1, 'line-opacity': dimmed(1) };
const COLORED = { ...PAINT, 'line-color': ['get', 'color'] } satisfies LineLayerSpecification['paint'];

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
