import type { GeoJSONSource, LineLayerSpecification } from 'mapbox-gl';

import type { EngineMap } from './engine-map.ts';
import { type Emphasis, NO_EMPHASIS } from './map-canvas.ts';
import type { CompleteLayer } from './map-engine.ts';
import { type SpeedScale, speedStretches } from '../trips/speed-scale.ts';
import { LOWEST_STOPS_LAYER } from './stop-layers.ts';
import { type ColoredLine, segmentsOf, type Trip, tripColor } from '../trips/trip.ts';

/** Id of the source of all lines; documented for embedders, who may read it or add their own layers to it. */
export const TRIPS_SOURCE = 'service-trips';
const SPEEDS_SOURCE = 'service-trips-speeds';
const EMPHASIS_SOURCE = 'service-trips-emphasis';

/** Ids of the layers, from bottom to top; documented like the source. */
export const CASING_LAYER = 'service-trips-casing';
const LINE_LAYER = 'service-trips-line';
const SPEED_LAYER = 'service-trips-speed';
const STRONG_CASING_LAYER = 'service-trips-emphasis-casing';
const STRONG_LINE_LAYER = 'service-trips-emphasis-line';

/** Layers that show a trip, of which the pointer finds the uppermost. */
export const LINE_LAYERS = [STRONG_CASING_LAYER, CASING_LAYER];

/** Style of the lines, read from the element's CSS custom properties. */
export interface LineStyle {
  readonly color: string;
  readonly width: number;
  readonly casing: string;
  /** null colors lines by trip. */
  readonly speeds: SpeedScale | null;
}

/** The lines of trips on a map. */
export class TripLines {
  /** Trips and style of the present lines. */
  #drawn: { readonly trips: readonly Trip[]; readonly look: LineStyle } | null = null;
  #lines: readonly ColoredLine[] = [];
  #stretches: readonly ColoredLine[] = [];
  #emphasis: Emphasis = NO_EMPHASIS;
  #complete: CompleteLayer = (layer) => layer;

  constructor(private readonly map: EngineMap) {}

  /** Draws the trips on a map whose style has loaded. */
  draw(trips: readonly Trip[], look: LineStyle, complete: CompleteLayer): void {
    this.#complete = complete;
    const before = this.#drawn;
    // The same lines are not sent to the worker again, unless a new style has dropped them.
    const same = before?.trips === trips && before.look.color === look.color && before.look.speeds === look.speeds;
    this.#drawn = { trips, look };
    if (!same || !this.map.getSource(TRIPS_SOURCE)) {
      this.#lines = tripLines(trips, look);
      this.#stretches = look.speeds ? speedStretches(trips, look.speeds) : [];
      this.#put(TRIPS_SOURCE, this.#lines, [CASING_LAYER, LINE_LAYER]);
      this.#put(SPEEDS_SOURCE, this.#stretches, [SPEED_LAYER]);
      this.#putEmphasis();
    }
    this.#paint();
  }

  /** Makes trips stand out: wider and above the others, which are dimmed when one is chosen. */
  emphasize(emphasis: Emphasis): void {
    const before = this.#emphasis;
    if (before.chosen === emphasis.chosen && before.hovered === emphasis.hovered) return;
    this.#emphasis = emphasis;
    if (!this.map.getSource(TRIPS_SOURCE)) return;
    this.#putEmphasis();
    this.#paint();
  }

  /** Draws what stands out a second time, which is cheaper than styling each of thousands of lines. */
  #putEmphasis(): void {
    const { chosen, hovered } = this.#emphasis;
    const strong = [...this.#lines, ...this.#stretches].filter(({ key }) => key === chosen || key === hovered);
    this.#put(EMPHASIS_SOURCE, strong, [STRONG_CASING_LAYER, STRONG_LINE_LAYER]);
  }

  /** Sets the lines of a source. Only the source of the trips is added even if it is empty. */
  #put(id: string, lines: readonly ColoredLine[], layers: readonly string[]): void {
    const map = this.map;
    const source = map.getSource<GeoJSONSource>(id);
    if (source) source.setData(collectionOf(lines));
    if (source || (lines.length === 0 && id !== TRIPS_SOURCE)) return;
    map.addSource(id, { type: 'geojson', buffer: 32, data: collectionOf(lines) });
    const layout = { 'line-cap': 'round', 'line-join': 'round', 'line-round-limit': 1.3 } as const;
    const before = ABOVE[id]?.find((layer) => map.getLayer(layer));
    for (const layer of layers) {
      const paint = this.#paintOf(layer);
      map.addLayer(this.#complete({ type: 'line', id: layer, source: id, layout, paint }), before);
    }
  }

  #paint(): void {
    for (const layer of [CASING_LAYER, LINE_LAYER, SPEED_LAYER, STRONG_CASING_LAYER, STRONG_LINE_LAYER]) {
      if (!this.map.getLayer(layer)) continue;
      const paint = this.#paintOf(layer);
      for (const name of ['line-color', 'line-width', 'line-opacity'] as const) {
        this.map.setPaintProperty(layer, name, paint[name]);
      }
    }
  }

  /** Widths and opacities are constants of a layer, since data-driven values cost memory for each vertex. */
  #paintOf(layer: string): Paint {
    const { casing = '#ffffff', width = 5 } = this.#drawn?.look ?? {};
    const strong = layer === STRONG_CASING_LAYER || layer === STRONG_LINE_LAYER;
    const isCasing = layer === CASING_LAYER || layer === STRONG_CASING_LAYER;
    const faint = !strong && this.#emphasis.chosen !== null;
    return {
      'line-color': isCasing ? casing : ['get', 'color'],
      'line-width': width + (isCasing ? 4 : 0) + (strong ? 2 : 0),
      'line-opacity': faint ? 0.25 : 1,
      'line-opacity-transition': { duration: 0 },
    };
  }
}

type Paint = NonNullable<LineLayerSpecification['paint']>;

/** Layers below which the lines of a source lie, the nearest first. */
const ABOVE: Readonly<Record<string, readonly string[]>> = {
  [SPEEDS_SOURCE]: [STRONG_CASING_LAYER, LOWEST_STOPS_LAYER],
  [EMPHASIS_SOURCE]: [LOWEST_STOPS_LAYER],
};

/** One line a trip, or more where parts of it are hidden. */
function tripLines(trips: readonly Trip[], look: LineStyle): ColoredLine[] {
  return trips.flatMap((trip, index) => {
    const color = tripColor(trip.colorIndex ?? index, look.color);
    const segments = segmentsOf(trip).filter(({ from, until }) => until - from > 1);
    return segments.map(({ from, until }) => ({ key: trip.key, color, path: trip.path.slice(from, until) }));
  });
}

function collectionOf(lines: readonly ColoredLine[]) {
  const features = lines.map(({ key, color, path: coordinates }) => ({
    type: 'Feature' as const,
    properties: { key, color },
    geometry: { type: 'LineString' as const, coordinates },
  }));
  return { type: 'FeatureCollection' as const, features };
}
