import type {
  CircleLayerSpecification,
  ExpressionSpecification,
  GeoJSONSource,
  GeoJSONSourceSpecification,
  PointLike,
  SymbolLayerSpecification,
} from 'mapbox-gl';

import type { EngineMap } from '../engine/engine-map.ts';
import { featuresAt } from '../engine/features-at.ts';
import type { CompleteLayer } from '../engine/map-engine.ts';
import { MAX_MARKED_TRIPS, type MarkedStop } from '../engine/marked-stops.ts';
import {
  addStopImage,
  CLUSTER_IMAGE,
  drawClusters,
  dropClusterImages,
  type MarkerColors,
  stopImage,
} from './stop-images.ts';
import type { LonLat } from '../trips/trip.ts';
import { flagScale } from '../engine/view-padding.ts';

/** Sources of the stops, and of those that are clustered where they are close to each other. */
const STOPS_SOURCE = 'service-trips-stops';
const CLUSTERED_SOURCE = 'service-trips-clustered-stops';

/** Ids of the layers, from bottom to top. */
const CLUSTERED_LAYER = 'service-trips-clustered-stops';
const CLUSTER_PLACES_LAYER = 'service-trips-cluster-places';
const CLUSTERS_LAYER = 'service-trips-clusters';
const DOTS_LAYER = 'service-trips-stops';
const ICONS_LAYER = 'service-trips-stop-icons';
const FLAGS_LAYER = 'service-trips-flags';

const STOP_LAYERS = [FLAGS_LAYER, ICONS_LAYER, DOTS_LAYER, CLUSTERS_LAYER, CLUSTERED_LAYER];

/** The lowest layer of the stops, below which the lines lie. */
export const LOWEST_STOPS_LAYER = CLUSTERED_LAYER;

const CLUSTERS = { cluster: true, clusterRadius: 22, clusterMaxZoom: 14 } as const;

/** Pixels around a finger in which a stop is found. */
const TOUCH_PX = 8;

/** Stops to draw. */
export interface StopScene {
  readonly stops: readonly MarkedStop[];
  /** Number of trips. */
  readonly trips: number;
  /** Key of the chosen trip, whose stops are drawn alone; null if there is none. */
  readonly chosen: string | null;
  readonly colors: MarkerColors;
}

/** Object below the pointer: a stop, or the position of a cluster. */
export type StopHit = { readonly stop: MarkedStop } | { readonly cluster: LonLat };

/** The stops as layers of the map, which cost no layout when it moves. */
export class StopLayers {
  #scene: StopScene | null = null;

  constructor(private readonly map: EngineMap) {
    drawClusters(map, () => this.#scene?.colors ?? { surface: '#fff', text: '#000', outline: '#000' });
  }

  /** Draws these stops only, on a map whose style has loaded. */
  draw(scene: StopScene, complete: CompleteLayer): void {
    const before = this.#scene;
    this.#scene = scene;
    if (before && before.colors.surface !== scene.colors.surface) dropClusterImages(this.map);
    for (const { stop, color } of scene.stops) addStopImage(this.map, stop.kind, color);
    this.#put(STOPS_SOURCE, collectionOf(scene, true), {});
    this.#put(CLUSTERED_SOURCE, collectionOf(scene, false), CLUSTERS);
    for (const layer of layers()) {
      const isApart = layer.source === STOPS_SOURCE;
      const isNew = !this.map.getLayer(layer.id);
      if (isNew) this.map.addLayer(complete(layer));
      // Layers that are shown cost something in each frame, even if they are empty.
      const wasShown = isNew || (before !== null && hasStops(before, isApart));
      const isShown = hasStops(scene, isApart);
      if (isShown !== wasShown) this.map.setLayoutProperty(layer.id, 'visibility', isShown ? 'visible' : 'none');
    }
    this.resize();
  }

  /** Gives flags the size that suits the width of the map. */
  resize(): void {
    if (!this.map.getLayer(FLAGS_LAYER)) return;
    this.map.setLayoutProperty(FLAGS_LAYER, 'icon-size', flagScale(this.map.getContainer().clientWidth));
  }

  /** Returns the object at a point of the map; what is near to it, too, if `near`. */
  at({ x, y }: { readonly x: number; readonly y: number }, near = false): StopHit | null {
    const around: [PointLike, PointLike] = [
      [x - TOUCH_PX, y - TOUCH_PX],
      [x + TOUCH_PX, y + TOUCH_PX],
    ];
    let found = featuresAt(this.map, [x, y], STOP_LAYERS);
    if (found.length === 0 && near) found = featuresAt(this.map, around, STOP_LAYERS);
    const [feature] = found;
    const stop = this.#scene?.stops[Number(feature?.properties?.at ?? -1)];
    if (stop) return { stop };
    return feature?.geometry?.type === 'Point' ? { cluster: feature.geometry.coordinates as LonLat } : null;
  }

  #put(id: string, data: ReturnType<typeof collectionOf>, options: Partial<GeoJSONSourceSpecification>): void {
    const source = this.map.getSource<GeoJSONSource>(id);
    if (source) source.setData(data);
    else this.map.addSource(id, { type: 'geojson', data, ...options });
  }
}

type StopLayer = CircleLayerSpecification | SymbolLayerSpecification;

/** Returns true if a stop is not clustered: those of the chosen or only trip, and the flags of a few. */
function isApart({ stop, tripKey }: MarkedStop, { trips, chosen }: StopScene): boolean {
  return trips === 1 || tripKey === chosen || stop.kind !== 'stop';
}

/**
 * Returns true if a stop is drawn, not clustered if `apart`, else with the others; of others than the chosen trip, and of many
 * trips, none is.
 */
function isDrawn(marked: MarkedStop, scene: StopScene, apart: boolean): boolean {
  const isOfShown = scene.chosen === null ? scene.trips <= MAX_MARKED_TRIPS : marked.tripKey === scene.chosen;
  return isOfShown && isApart(marked, scene) === apart;
}

function hasStops(scene: StopScene, apart: boolean): boolean {
  return scene.stops.some((marked) => isDrawn(marked, scene, apart));
}

/** Ends lie above starts, and both above the stops between them. */
const RANKS = { stop: 0, start: 1, end: 2 } as const;

/** Returns the stops that are not clustered if `apart`, else the others. */
function collectionOf(scene: StopScene, apart: boolean) {
  const features = [...scene.stops.entries()]
    .filter(([, marked]) => isDrawn(marked, scene, apart))
    .map(([at, { stop, color }]) => ({
      type: 'Feature' as const,
      properties: { at, kind: stop.kind, color, image: stopImage(stop.kind, color), rank: RANKS[stop.kind] },
      geometry: { type: 'Point' as const, coordinates: stop.position },
    }));
  features.sort((a, b) => a.properties.rank - b.properties.rank);
  return { type: 'FeatureCollection' as const, features };
}

/** Returns the layers, from bottom to top. */
function layers(): StopLayer[] {
  const isStop: ExpressionSpecification = ['==', ['get', 'kind'], 'stop'];
  const isEnd: ExpressionSpecification = ['==', ['get', 'kind'], 'end'];
  const dot = {
    'circle-radius': ['case', isStop, 3.5, 5.5],
    'circle-color': ['case', isEnd, ['get', 'color'], '#ffffff'],
    'circle-stroke-color': ['case', isEnd, '#ffffff', ['get', 'color']],
    'circle-stroke-width': 2,
  } satisfies CircleLayerSpecification['paint'];
  const icon = { 'icon-image': ['get', 'image'], 'symbol-sort-key': ['get', 'rank'] } satisfies Layout;
  // Markers take their place before the names below them, which then find another or none.
  const always = { 'icon-allow-overlap': true } satisfies Layout;
  const cluster = {
    ...{ type: 'symbol', source: CLUSTERED_SOURCE, filter: ['has', 'point_count'] },
    layout: { 'icon-image': CLUSTER_IMAGE as unknown as ExpressionSpecification },
  } satisfies Omit<SymbolLayerSpecification, 'id'>;
  return [
    {
      ...{ id: CLUSTERED_LAYER, type: 'circle', source: CLUSTERED_SOURCE, filter: ['!', ['has', 'point_count']] },
      paint: dot,
    },
    // Takes the place of clusters, which themselves leave it to flags, but not to each other.
    {
      ...{ ...cluster, id: CLUSTER_PLACES_LAYER, layout: { ...cluster.layout, ...always } },
      paint: { 'icon-opacity': 0 },
    },
    {
      ...{ ...cluster, id: CLUSTERS_LAYER },
      layout: { ...cluster.layout, 'icon-ignore-placement': true, 'icon-padding': 0 },
    },
    { id: DOTS_LAYER, type: 'circle', source: STOPS_SOURCE, filter: isStop, paint: dot },
    // If icons have no room, the dots below remain.
    { id: ICONS_LAYER, type: 'symbol', source: STOPS_SOURCE, filter: isStop, layout: { ...icon, 'icon-padding': 0 } },
    {
      ...{ id: FLAGS_LAYER, type: 'symbol', source: STOPS_SOURCE, filter: ['!', isStop] },
      layout: { ...icon, ...always, 'icon-padding': 0, 'icon-anchor': ['case', isEnd, 'bottom', 'center'] },
    },
  ];
}

type Layout = SymbolLayerSpecification['layout'];
