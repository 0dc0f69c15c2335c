import type { GeoJSONSource, Map as MapboxMap } from 'mapbox-gl';

import { propertiesOf } from './pointed-feature.ts';
import type { LonLat, TripStop } from './trip.ts';

/** A stop that is on the map. */
export interface MarkedStop {
  readonly stop: TripStop;
  readonly tripKey: string;
  readonly color: string;
}

const STOPS_SOURCE = 'service-trips-stops';

/** The id of the layer of circles, above all lines. */
export const STOPS_LAYER = 'service-trips-stops';

/** Stops as circles of the map, which costs no layout however many there are. */
export class StopCircles {
  readonly #map: MapboxMap;
  #stops: readonly MarkedStop[] = [];

  constructor(map: MapboxMap, chosen: (stop: MarkedStop) => void) {
    this.#map = map;
    map.on('click', STOPS_LAYER, (event) => {
      const stop = this.#stops[Number(propertiesOf(event)?.number ?? -1)];
      if (stop) chosen(stop);
    });
    const point = (cursor: string) => (): void => {
      map.getCanvas().style.cursor = cursor;
    };
    map.on('mouseenter', STOPS_LAYER, point('pointer'));
    map.on('mouseleave', STOPS_LAYER, point(''));
  }

  /** Draws these stops, and none else; the style must be loaded. */
  draw(stops: readonly MarkedStop[], slot: string | undefined): void {
    this.#stops = stops;
    const source = this.#map.getSource<GeoJSONSource>(STOPS_SOURCE);
    if (source) source.setData(collectionOf(stops));
    else if (stops.length > 0) {
      this.#map.addSource(STOPS_SOURCE, { type: 'geojson', data: collectionOf(stops) });
      this.#map.addLayer({
        id: STOPS_LAYER,
        type: 'circle',
        source: STOPS_SOURCE,
        ...(slot ? { slot } : {}),
        paint: {
          'circle-radius': ['match', ['get', 'kind'], 'stop', 4, 6],
          'circle-color': ['case', ['==', ['get', 'kind'], 'end'], ['get', 'color'], '#ffffff'],
          'circle-stroke-color': ['case', ['==', ['get', 'kind'], 'end'], '#ffffff', ['get', 'color']],
          'circle-stroke-width': 2,
          'circle-emissive-strength': 1,
        },
      });
    }
  }
}

/** GeoJSON's FeatureCollection of Points, as far as it is used here. */
interface PointCollection {
  type: 'FeatureCollection';
  features: {
    type: 'Feature';
    properties: { number: number; kind: string; color: string };
    geometry: { type: 'Point'; coordinates: LonLat };
  }[];
}

function collectionOf(stops: readonly MarkedStop[]): PointCollection {
  return {
    type: 'FeatureCollection',
    features: stops.map(({ stop: { kind, position }, color }, number) => ({
      type: 'Feature',
      properties: { number, kind, color },
      geometry: { type: 'Point', coordinates: position },
    })),
  };
}
