import { type GeoJSONSource, Map as EngineMap, LngLatBounds, NavigationControl } from 'maplibre-gl';
import engineStyles from 'maplibre-gl/dist/maplibre-gl.css?inline';

import { pageData } from './page-data.ts';
import { language } from './texts.ts';
import type { VehiclePosition } from './vehicle-position.ts';

/** A vehicle on the map. */
export interface ShownVehicle {
  readonly key: string;
  readonly name: string;
  readonly position: VehiclePosition;
}

const SOURCE = 'vehicles';
const darkness = matchMedia('(prefers-color-scheme: dark)');

/** A map of the newest positions of vehicles. */
export class FleetMap {
  readonly #map: EngineMap;
  #vehicles: readonly ShownVehicle[] = [];
  #isFitted = false;

  /**
   * @param chosen is called with the key of the vehicle that the reader picks
   * @throws Error without WebGL
   */
  constructor(
    container: HTMLElement,
    private readonly chosen: (key: string) => void,
  ) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(engineStyles);
    document.adoptedStyleSheets.push(sheet);
    this.#map = new EngineMap({
      container,
      style: styleAddress(),
      center: [10, 50],
      zoom: 3,
      attributionControl: { compact: true },
      cooperativeGestures: matchMedia('(max-width: 60rem)').matches,
      dragRotate: false,
      pitchWithRotate: false,
    });
    this.#map.touchZoomRotate.disableRotation();
    this.#map.addControl(new NavigationControl({ showCompass: false }));
    this.#map.on('style.load', () => this.#addLayers());
    this.#map.on('click', 'vehicle-dots', ({ features }) => this.chosen(String(features?.[0]?.properties.key)));
    this.#map.on('mouseenter', 'vehicle-dots', () => this.#point('pointer'));
    this.#map.on('mouseleave', 'vehicle-dots', () => this.#point(''));
    darkness.addEventListener('change', this.#restyle);
  }

  /** Shows vehicles; the first time, all of them are brought into view. */
  show(vehicles: readonly ShownVehicle[]): void {
    this.#vehicles = vehicles;
    this.#map.getSource<GeoJSONSource>(SOURCE)?.setData(this.#data());
    if (this.#isFitted || vehicles.length === 0) return;
    this.#isFitted = true;
    const bounds = new LngLatBounds();
    for (const { position } of vehicles) bounds.extend([position.point.lon, position.point.lat]);
    this.#map.fitBounds(bounds, { padding: 60, maxZoom: 14, animate: false });
  }

  /** Brings a vehicle into view. */
  center({ point }: VehiclePosition): void {
    this.#map.easeTo({ center: [point.lon, point.lat], zoom: Math.max(this.#map.getZoom(), 13) });
  }

  /** Ends the map. */
  remove(): void {
    darkness.removeEventListener('change', this.#restyle);
    this.#map.remove();
  }

  readonly #restyle = (): void => {
    this.#map.setStyle(styleAddress(), { diff: false });
  };

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
    const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    this.#map.addSource(SOURCE, { type: 'geojson', data: this.#data() });
    this.#map.addLayer({
      id: 'vehicle-dots',
      type: 'circle',
      source: SOURCE,
      paint: {
        'circle-radius': 7,
        'circle-color': ['case', ['get', 'isMoving'], color('--accent'), color('--muted')],
        'circle-stroke-width': 2.5,
        'circle-stroke-color': color('--surface'),
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
        'text-color': color('--ink'),
        'text-halo-color': color('--surface'),
        'text-halo-width': 1.5,
      },
    });
  }
}

function styleAddress(): string {
  const name = darkness.matches ? 'style-dark' : 'style';
  return `${pageData().siteUrl}/map/${name}.json?lang=${language}`;
}
