import type { GeoJSONSource, Map as EngineMap } from 'maplibre-gl';
import { TerraDraw, TerraDrawCircleMode, TerraDrawPolygonMode } from 'terra-draw';
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter';

import { type Area, circleOf, type Point, ringOf, rounded } from './area.ts';
import { type MapLibrary, openMap, pageColor } from '../browser/open-map.ts';

/** An area with its name on the map. */
export interface ShownArea {
  readonly key: string;
  readonly name: string;
  readonly kind: 'place' | 'zone';
  readonly area: Area;
}

/** A map of areas, on which further ones are drawn. */
export class AreaMap {
  readonly #map: EngineMap;
  #areas: readonly ShownArea[] = [];
  /** Keys of areas that have been shown. */
  readonly #known = new Set<string>();
  #isFitted = false;
  #drawing: TerraDraw | null = null;

  private constructor(
    private readonly library: MapLibrary,
    map: EngineMap,
  ) {
    this.#map = map;
    map.on('style.load', () => this.#addLayers());
  }

  /** Opens a map in an element; null without WebGL. */
  static async open(container: HTMLElement): Promise<AreaMap | null> {
    const opened = await openMap(container);
    if (!opened) return null;
    const areas = new AreaMap(opened.library, opened.map);
    await opened.map.once('style.load');
    return areas;
  }

  /** Shows areas; all are brought into view at first and when a new one lies outside it, or other points if there are none. */
  show(areas: readonly ShownArea[], otherwise: readonly Point[]): void {
    this.#areas = areas;
    this.#map.getSource<GeoJSONSource>('areas')?.setData(this.#data());
    const view = this.#map.getBounds();
    const added = areas.filter(({ key }) => !this.#known.has(key));
    for (const { key } of added) this.#known.add(key);
    if (this.#isFitted && added.every(({ area }) => ringOf(area).every((corner) => view.contains(corner)))) return;
    const corners = areas.flatMap(({ area }) => ringOf(area));
    const shown = corners.length > 0 ? corners : otherwise.map(({ lat, lon }) => [lon, lat] as const);
    if (shown.length === 0) return;
    this.#isFitted = true;
    const bounds = new this.library.LngLatBounds();
    for (const [lon, lat] of shown) bounds.extend([lon, lat]);
    this.#map.fitBounds(bounds, { padding: 48, maxZoom: 15, animate: false });
  }

  /** Lets the reader draw an area, until it is finished or another drawing begins. */
  draw(shape: 'circle' | 'polygon', finished: (area: Area) => void): void {
    this.stop();
    const drawing = new TerraDraw({
      adapter: new TerraDrawMapLibreGLAdapter({ map: this.#map, coordinatePrecision: 7 }),
      modes: [
        new TerraDrawCircleMode({ styles: shapeStyles() }),
        new TerraDrawPolygonMode({ styles: { ...shapeStyles(), closingPointColor: hex('--accent') } }),
      ],
    });
    drawing.start();
    drawing.setMode(shape);
    drawing.on('finish', (id) => {
      const feature = drawing.getSnapshotFeature(id);
      if (feature?.geometry.type !== 'Polygon') return;
      const ring = feature.geometry.coordinates[0] ?? [];
      this.stop();
      finished(shape === 'circle' ? circleOf(ring) : { polygon: cornersOf(ring) });
    });
    this.#drawing = drawing;
  }

  /** Ends a drawing. */
  stop(): void {
    this.#drawing?.stop();
    this.#drawing = null;
  }

  /** Brings an area into view. */
  center(area: Area): void {
    const bounds = new this.library.LngLatBounds();
    for (const corner of ringOf(area)) bounds.extend(corner);
    this.#map.fitBounds(bounds, { padding: 64, maxZoom: 16 });
  }

  /** Ends the map. */
  remove(): void {
    this.stop();
    this.#map.remove();
  }

  #data(): GeoJSON.FeatureCollection {
    return {
      type: 'FeatureCollection',
      features: this.#areas.map(({ name, kind, area }) => ({
        type: 'Feature',
        properties: { name, kind },
        geometry: { type: 'Polygon', coordinates: [ringOf(area)] },
      })),
    };
  }

  #addLayers(): void {
    const color: ['case', ...unknown[]] = [
      'case',
      ['==', ['get', 'kind'], 'zone'],
      pageColor('--warn'),
      pageColor('--accent'),
    ];
    const source = 'areas';
    this.#map.addSource(source, { type: 'geojson', data: this.#data() });
    this.#map.addLayer({
      id: 'area-fills',
      type: 'fill',
      source,
      paint: { 'fill-color': color as never, 'fill-opacity': 0.15 },
    });
    this.#map.addLayer({
      id: 'area-edges',
      type: 'line',
      source,
      paint: { 'line-color': color as never, 'line-width': 2 },
    });
    this.#map.addLayer({
      id: 'area-names',
      type: 'symbol',
      source,
      layout: { 'text-field': ['get', 'name'], 'text-font': ['Noto Sans Regular'], 'text-size': 13 },
      paint: { 'text-color': pageColor('--ink'), 'text-halo-color': pageColor('--surface'), 'text-halo-width': 1.5 },
    });
  }
}

function shapeStyles() {
  return { fillColor: hex('--accent'), fillOpacity: 0.2, outlineColor: hex('--accent'), outlineWidth: 3 };
}

function hex(name: string): `#${string}` {
  return pageColor(name) as `#${string}`;
}

function cornersOf(ring: readonly (readonly number[])[]): readonly Point[] {
  return ring.slice(0, -1).map(([lon = 0, lat = 0]) => ({ lat: rounded(lat), lon: rounded(lon) }));
}
