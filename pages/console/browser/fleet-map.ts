import type { GeoJSONSource, Map as EngineMap } from 'maplibre-gl';

import type { VehiclePosition } from '../../../client/live/vehicle-position.ts';
import { type MapLibrary, openMap, pageColor } from './open-map.ts';

/** A vehicle on the map. */
export interface ShownVehicle {
  readonly key: string;
  readonly name: string;
  readonly position: VehiclePosition;
}

const SOURCE = 'vehicles';

/** A map of the newest positions of vehicles. */
export class FleetMap {
  #vehicles: readonly ShownVehicle[] = [];
  #isFitted = false;
  readonly #map: EngineMap;

  private constructor(
    private readonly library: MapLibrary,
    map: EngineMap,
    private readonly chosen: (key: string) => void,
  ) {
    this.#map = map;
    this.#map.on('style.load', () => this.#addLayers());
    this.#map.on('click', 'vehicle-dots', ({ features }) => this.chosen(String(features?.[0]?.properties.key)));
    this.#map.on('mouseenter', 'vehicle-dots', () => this.#point('pointer'));
    this.#map.on('mouseleave', 'vehicle-dots', () => this.#point(''));
  }

  /**
   * Opens a map in an element; null without WebGL.
   *
   * @param chosen is called with the key of the vehicle that the reader picks
   */
  static async open(container: HTMLElement, chosen: (key: string) => void): Promise<FleetMap | null> {
    const opened = await openMap(container);
    return opened && new FleetMap(opened.library, opened.map, chosen);
  }

  /** Shows vehicles; the first time, all of them are brought into view. */
  show(vehicles: readonly ShownVehicle[]): void {
    this.#vehicles = vehicles;
    this.#map.getSource<GeoJSONSource>(SOURCE)?.setData(this.#data());
    if (this.#isFitted || vehicles.length === 0) return;
    this.#isFitted = true;
    const bounds = new this.library.LngLatBounds();
    for (const { position } of vehicles) bounds.extend([position.point.lon, position.point.lat]);
    this.#map.fitBounds(bounds, { padding: 60, maxZoom: 14, animate: false });
  }

  /** Brings a vehicle into view. */
  center({ point }: VehiclePosition): void {
    this.#map.easeTo({ center: [point.lon, point.lat], zoom: Math.max(this.#map.getZoom(), 13) });
  }

  /** Ends the map. */
  remove(): void {
    this.#map.remove();
  }

  #point(cursor: string): void {
    this.#map.getCanvas().style.cursor = cursor;
  }

  #data(): GeoJSON.FeatureCollection {
    return {
      type: 'FeatureCollection',
      features: this.#vehicles.map(({ key, name, position }) => ({
        type: 'Feature',
        properties: { key, name, isMoving: position.motion_status === 'moving' },
        geometry: { type: 'Point', coordinates: [position.point.lon, position.point.lat] },
      })),
    };
  }

  #addLayers(): void {
    this.#map.addSource(SOURCE, { type: 'geojson', data: this.#data() });
    this.#map.addLayer({
      id: 'vehicle-dots',
      type: 'circle',
      source: SOURCE,
      paint: {
        'circle-radius': 7,
        'circle-color': ['case', ['get', 'isMoving'], pageColor('--accent'), pageColor('--muted')],
        'circle-stroke-width': 2.5,
        'circle-stroke-color': pageColor('--surface'),
      },
    });
    this.#map.addLayer({
      id: 'vehicle-names',
      type: 'symbol',
      source: SOURCE,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': ['Noto Sans Regular'],
        'text-size': 13,
        'text-anchor': 'top',
        'text-offset': [0, 0.8],
        'text-optional': true,
      },
      paint: {
        'text-color': pageColor('--ink'),
        'text-halo-color': pageColor('--surface'),
        'text-halo-width': 1.5,
      },
    });
  }
}
