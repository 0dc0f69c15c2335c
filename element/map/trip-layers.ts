import type { ExpressionSpecification, GeoJSONSource, LineLayerSpecification } from 'mapbox-gl';

import type { EngineMap } from '../engine/engine-map.ts';
import { type Emphasis, NO_EMPHASIS } from '../engine/map-canvas.ts';
import { MAX_MARKED_TRIPS } from '../engine/marked-stops.ts';
import type { CompleteLayer } from '../engine/map-engine.ts';
import { knowsSpeed, type SpeedScale, speedStretches, UNKNOWN_SPEED } from '../trips/speed-scale.ts';
import { LOWEST_STOPS_LAYER } from './stop-layers.ts';
import { addArrowImage } from './stop-images.ts';
import {
  type ColoredLine,
  interruptionsOf,
  segmentsOf,
  type Trip,
  tripColor,
  type TripPalette,
} from '../trips/trip.ts';

/** Id of the source of all lines; documented for embedders, who may read it or add their own layers to it. */
export const TRIPS_SOURCE = 'service-trips';
const SPEEDS_SOURCE = 'service-trips-speeds';
const GAPS_SOURCE = 'service-trips-gaps';
const EMPHASIS_SOURCE = 'service-trips-emphasis';

/** Ids of the layers, from bottom to top; documented like the source. */
export const CASING_LAYER = 'service-trips-casing';
const LINE_LAYER = 'service-trips-line';
const GAP_LAYER = 'service-trips-gap';
const SPEED_LAYER = 'service-trips-speed';
const STRONG_CASING_LAYER = 'service-trips-emphasis-casing';
const STRONG_LINE_LAYER = 'service-trips-emphasis-line';

const ARROWS_LAYER = 'service-trips-arrows';

/** Width, as a part of the usual, and opacity of the lines of many trips. */
const MANY_WIDTH = 0.5;
const MANY_OPACITY = 0.7;

/** Color and width of the other lines while a trip is chosen; in one color, lines of the same way do not add up. */
const FAINT_COLOR = '#87909d';
const FAINT_WIDTH = 2;

/** Layers that show a trip, of which the pointer finds the uppermost. */
export const LINE_LAYERS = [STRONG_CASING_LAYER, CASING_LAYER];

/** Style of the lines, read from the element's CSS custom properties. */
export interface LineStyle extends TripPalette {
  readonly width: number;
  readonly casing: string;
  /** Color of arrows on lines that are colored by speed. */
  readonly text: string;
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
    const { color, theme, speeds } = before?.look ?? {};
    const same = before?.trips === trips && color === look.color && theme === look.theme && speeds === look.speeds;
    this.#drawn = { trips, look };
    if (!same || !this.map.getSource(TRIPS_SOURCE)) {
      this.#lines = tripLines(trips, look);
      this.#stretches = look.speeds ? speedStretches(trips, look.speeds) : [];
      this.#put(TRIPS_SOURCE, this.#lines, [CASING_LAYER, LINE_LAYER]);
      this.#put(GAPS_SOURCE, gapLines(trips, look), [GAP_LAYER]);
      this.#put(SPEEDS_SOURCE, this.#stretches, [SPEED_LAYER]);
      this.#putEmphasis();
    }
    this.#paint();
    this.#point();
  }

  /** Emphasizes trips: wider and above the others, which are thin and gray when one is chosen. */
  emphasize(emphasis: Emphasis): void {
    const before = this.#emphasis;
    if (before.chosen === emphasis.chosen && before.hovered === emphasis.hovered) return;
    this.#emphasis = emphasis;
    if (!this.map.getSource(TRIPS_SOURCE)) return;
    this.#putEmphasis();
    this.#paint();
    this.#point();
  }

  /** Draws arrows in the direction of travel: of a few trips, or of the chosen one. */
  #point(): void {
    const map = this.map;
    const { trips = [], look } = this.#drawn ?? {};
    const { chosen } = this.#emphasis;
    const ofAll = chosen === null && trips.length <= MAX_MARKED_TRIPS;
    // Hidden while there are none: for a layer of symbols, the engine has its own copy of the lines to keep.
    const visibility = ofAll || chosen !== null ? 'visible' : 'none';
    const casing = look?.casing ?? '#ffffff';
    const images = `service-trips-arrow ${casing} `;
    const neutral = look?.speeds ? look.text : null;
    for (const color of new Set(this.#lines.map((line) => neutral ?? line.color)))
      addArrowImage(map, images + color, color, casing);
    const image: ExpressionSpecification = ['concat', images, neutral ?? ['get', 'color']];
    if (!map.getLayer(ARROWS_LAYER)) {
      const layer = this.#complete({
        id: ARROWS_LAYER,
        type: 'symbol',
        source: TRIPS_SOURCE,
        layout: {
          ...{ 'symbol-placement': 'line', 'symbol-spacing': 110 },
          // They neither yield to place names nor hide them.
          ...{ 'icon-rotation-alignment': 'map', 'icon-allow-overlap': true, 'icon-ignore-placement': true },
        },
      });
      map.addLayer(layer, map.getLayer(LOWEST_STOPS_LAYER) ? LOWEST_STOPS_LAYER : undefined);
    }
    map.setLayoutProperty(ARROWS_LAYER, 'icon-image', image);
    map.setFilter(ARROWS_LAYER, ofAll ? null : isOf(chosen));
    map.setLayoutProperty(ARROWS_LAYER, 'visibility', visibility);
  }

  /** Draws emphasized trips a second time, which is cheaper than styling each of thousands of lines. */
  #putEmphasis(): void {
    const { chosen, hovered } = this.#emphasis;
    const strong = [...this.#lines, ...this.#stretches].filter(({ key }) => key === chosen || key === hovered);
    this.#put(EMPHASIS_SOURCE, strong, [STRONG_CASING_LAYER, STRONG_LINE_LAYER]);
  }

  /** Sets the lines of a source. Only the source of the trips is added even if it is empty. */
  #put(id: string, lines: readonly ColoredLine[], layers: readonly string[]): void {
    const map = this.map;
    const source = map.getSource<GeoJSONSource>(id);
    if (source) source.setData(lineCollection(lines));
    if (source || (lines.length === 0 && id !== TRIPS_SOURCE)) return;
    map.addSource(id, { type: 'geojson', buffer: 32, data: lineCollection(lines) });
    const cap = id === GAPS_SOURCE ? 'butt' : 'round';
    const layout = { 'line-cap': cap, 'line-join': 'round', 'line-round-limit': 1.3 } as const;
    const before = ABOVE[id]?.find((layer) => map.getLayer(layer));
    for (const layer of layers) {
      const paint = this.#paintOf(layer);
      map.addLayer(this.#complete({ type: 'line', id: layer, source: id, layout, paint }), before);
    }
  }

  #paint(): void {
    for (const layer of [CASING_LAYER, LINE_LAYER, GAP_LAYER, SPEED_LAYER, STRONG_CASING_LAYER, STRONG_LINE_LAYER]) {
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
    const { chosen } = this.#emphasis;
    const isWeak = !strong && chosen !== null;
    const isFaint = isWeak && layer === LINE_LAYER;
    const isMany = !strong && !isWeak && (this.#drawn?.trips.length ?? 0) > MAX_MARKED_TRIPS;
    if (isMany && layer !== GAP_LAYER) {
      return {
        'line-color': ['get', 'color'],
        'line-width': isCasing ? width : width * MANY_WIDTH,
        'line-opacity': isCasing ? 0 : MANY_OPACITY,
        'line-opacity-transition': { duration: 0 },
      };
    }
    return {
      'line-color': isFaint ? FAINT_COLOR : isCasing ? casing : ['get', 'color'],
      'line-width': isFaint ? FAINT_WIDTH : width + (isCasing ? 4 : 0) + (strong ? 2 : 0),
      'line-opacity': !isWeak || isFaint ? 1 : layer === GAP_LAYER ? ['case', isOf(chosen), 1, 0] : 0,
      'line-opacity-transition': { duration: 0 },
      ...(layer === GAP_LAYER ? { 'line-dasharray': [1, 1.1] } : {}),
    };
  }
}

/** Expression that is true for the lines of a trip; for none if the key is null. */
function isOf(tripKey: string | null): ExpressionSpecification {
  return ['==', ['get', 'key'], tripKey ?? ''];
}

type Paint = NonNullable<LineLayerSpecification['paint']>;

/** Layers below which the lines of a source lie, the nearest first. */
const ABOVE: Readonly<Record<string, readonly string[]>> = {
  [GAPS_SOURCE]: [SPEED_LAYER, STRONG_CASING_LAYER, ARROWS_LAYER, LOWEST_STOPS_LAYER],
  [SPEEDS_SOURCE]: [STRONG_CASING_LAYER, ARROWS_LAYER, LOWEST_STOPS_LAYER],
  [EMPHASIS_SOURCE]: [ARROWS_LAYER, LOWEST_STOPS_LAYER],
};

/** One line per trip, or more if parts of it are hidden or were not recorded. */
function tripLines(trips: readonly Trip[], look: LineStyle): ColoredLine[] {
  return trips.flatMap((trip, index) => {
    const { key, path } = trip;
    const color = tripColor(trip.colorIndex ?? index, look);
    const segments = segmentsOf({ path, breaks: interruptionsOf(trip) }).filter(({ from, until }) => until - from > 1);
    return segments.map(({ from, until }) => ({ key, color, path: path.slice(from, until) }));
  });
}

/** Straight lines across the gaps in recordings, where the way is not known. */
function gapLines(trips: readonly Trip[], look: LineStyle): ColoredLine[] {
  return trips.flatMap((trip, index) => {
    const color = look.speeds && knowsSpeed(trip) ? UNKNOWN_SPEED : tripColor(trip.colorIndex ?? index, look);
    return trip.gaps.map((at) => ({ key: trip.key, color, path: trip.path.slice(at - 1, at + 1) }));
  });
}

/** Returns lines as GeoJSON. */
export function lineCollection(lines: readonly ColoredLine[]) {
  const features = lines.map(({ key, color, path: coordinates }) => ({
    type: 'Feature' as const,
    properties: { key, color },
    geometry: { type: 'LineString' as const, coordinates },
  }));
  return { type: 'FeatureCollection' as const, features };
}
