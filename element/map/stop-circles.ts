import type { CircleLayerSpecification, GeoJSONSource, MapMouseEvent } from 'mapbox-gl';

import type { EngineMap } from './engine-map.ts';
import { type CompleteLayer, propertiesOf } from './map-engine.ts';
import type { TripStop } from '../trips/trip.ts';

/** A stop with the trip that it belongs to and its color. */
export interface MarkedStop {
  readonly stop: TripStop;
  readonly tripKey: string;
  readonly color: string;
}

const STOPS_SOURCE = 'service-trips-stops';

/** Id of the layer of circles, above all lines. */
export const STOPS_LAYER = 'service-trips-stops';

/** Stops drawn as circles of the map, which costs no layout. */
export class StopCircles {
  #groups: readonly StopGroup[] = [];

  constructor(
    private readonly map: EngineMap,
    chosen: (stop: MarkedStop) => void,
  ) {
    map.on('click', STOPS_LAYER, (event) => {
      const stop = this.#stopAt(event);
      if (stop) chosen(stop);
    });
    const point = (cursor: string) => (): void => {
      map.getCanvas().style.cursor = cursor;
    };
    map.on('mouseenter', STOPS_LAYER, point('pointer'));
    map.on('mouseleave', STOPS_LAYER, point(''));
  }

  /** Draws these stops only; the style must have loaded. */
  draw(stops: readonly MarkedStop[], complete: CompleteLayer): void {
    this.#groups = groupsOf(stops);
    const source = this.map.getSource<GeoJSONSource>(STOPS_SOURCE);
    if (source) source.setData(collectionOf(this.#groups));
    else if (stops.length > 0) {
      this.map.addSource(STOPS_SOURCE, { type: 'geojson', buffer: 32, data: collectionOf(this.#groups) });
      const layer: CircleLayerSpecification = {
        id: STOPS_LAYER,
        type: 'circle',
        source: STOPS_SOURCE,
        paint: {
          'circle-radius': ['match', ['get', 'kind'], 'stop', 4, 6],
          'circle-color': ['case', ['==', ['get', 'kind'], 'end'], ['get', 'color'], '#ffffff'],
          'circle-stroke-color': ['case', ['==', ['get', 'kind'], 'end'], '#ffffff', ['get', 'color']],
          'circle-stroke-width': 2,
        },
      };
      this.map.addLayer(complete(layer));
    }
  }

  /** Returns the stop whose circle was clicked: the nearest of its group, on that copy of the world. */
  #stopAt(event: MapMouseEvent): MarkedStop | undefined {
    const stops = this.#groups[Number(propertiesOf(event)?.group ?? -1)] ?? [];
    const distances = stops.map(({ stop }) => {
      const [lon, lat] = stop.position;
      const turns = Math.round((event.lngLat.lng - lon) / 360);
      return this.map.project([lon + turns * 360, lat]).dist(event.point);
    });
    return stops[distances.indexOf(Math.min(...distances))];
  }
}

/** Stops that look the same: one feature a group is far cheaper than one a stop. */
type StopGroup = readonly [MarkedStop, ...MarkedStop[]];

/** Ends lie above starts, and both above the stops between them. */
const KINDS: readonly TripStop['kind'][] = ['stop', 'start', 'end'];

function groupsOf(stops: readonly MarkedStop[]): StopGroup[] {
  const groups = new Map<string, [MarkedStop, ...MarkedStop[]]>();
  for (const marked of stops) {
    const look = `${marked.stop.kind} ${marked.color}`;
    const group = groups.get(look);
    if (group) group.push(marked);
    else groups.set(look, [marked]);
  }
  return [...groups.values()].sort(([a], [b]) => KINDS.indexOf(a.stop.kind) - KINDS.indexOf(b.stop.kind));
}

function collectionOf(groups: readonly StopGroup[]) {
  const features = groups.map((stops, group) => ({
    type: 'Feature' as const,
    properties: { group, kind: stops[0].stop.kind, color: stops[0].color },
    geometry: { type: 'MultiPoint' as const, coordinates: stops.map(({ stop }) => stop.position) },
  }));
  return { type: 'FeatureCollection' as const, features };
}
