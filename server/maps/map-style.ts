import { type Flavor, language_script_pairs, layers, namedFlavor } from '@protomaps/basemaps';

import { earlyLayers } from './early-layers.ts';
import { MAP_FONT } from './map-font.ts';
import type { StoredMap } from './map-folder.ts';
import type { MapLayer } from './map-layer.ts';

/** Themes of the styles, with the name of the palette of each. */
export type MapTheme = 'light' | 'dark';

/** A style of the map engines (Mapbox Style Specification, version 8), as far as it is used here. */
export interface MapStyle {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly sources: Readonly<Record<string, unknown>>;
  readonly layers: readonly MapLayer[];
}

/** Languages in which maps have names, by their BCP 47 tags. */
export const MAP_LANGUAGES: ReadonlySet<string> = new Set(language_script_pairs.map(({ lang }) => lang));

const ATTRIBUTION =
  '<a href="https://protomaps.com">Protomaps</a> © <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a>';

/** Layers that need icons, which are not served. */
const PICTURED = new Set(['pois', 'roads_oneway', 'roads_shields']);

/** Options of a style. */
export interface StyleOptions {
  readonly theme: MapTheme;
  /** One of {@link MAP_LANGUAGES}. */
  readonly language: string;
  /** Public address of the website. */
  readonly siteUrl: string;
}

/** Draws maps over the plain one, which surrounds them. */
export function styleOf(plain: MapStyle, maps: readonly StoredMap[], options: StyleOptions): MapStyle {
  if (maps.length === 0) return plain;
  const { metadata: _, ...rest } = plain;
  const sources = maps.map((map) => [map.name, tileSource(map, options.siteUrl)] as const);
  return {
    ...rest,
    ...{ glyphs: `${options.siteUrl}/map/fonts/{fontstack}/{range}.pbf` },
    sources: { ...plain.sources, ...Object.fromEntries(sources) },
    layers: [...plain.layers, ...maps.flatMap((map) => layersOf(map, paletteOf(plain, options.theme), options))],
  };
}

/** Colors of roads that can be told from land where a whole city is in view. */
const ROADS: Readonly<Record<MapTheme, Partial<Flavor>>> = {
  light: { highway: '#c3cad3', major: '#ced4db', link: '#ced4db', minor_b: '#dfe3e8' },
  dark: { highway: '#5c6675', major: '#4b5462', link: '#4b5462', minor_b: '#3a424d' },
};

/** Colors of a theme, with land and water as in the plain map, so that no map has a visible edge. */
function paletteOf({ layers: plain }: MapStyle, theme: MapTheme): Flavor {
  const paintOf = (id: string) => plain.find((layer) => layer.id === id)?.paint ?? {};
  const [water] = (paintOf('water')['background-color'] as readonly unknown[]).filter(isColor);
  const earth = paintOf('land')['fill-color'];
  const { water: blue, earth: gray, ...flavor } = namedFlavor(theme);
  return { ...flavor, ...ROADS[theme], water: water ?? blue, earth: isColor(earth) ? earth : gray };
}

function isColor(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('#');
}

/** A map in TileJSON 3.0, which is also the form of a source in a style. */
export function tileSource({ name, archive, bounds, minZoom, maxZoom }: StoredMap, siteUrl: string) {
  const tiles = [`${siteUrl}/map/${name}/{z}/{x}/{y}?v=${archive.version}`];
  return { type: 'vector', tiles, bounds, minzoom: minZoom, maxzoom: maxZoom, attribution: ATTRIBUTION };
}

function layersOf({ name, scheme }: StoredMap, flavor: Flavor, { language }: StyleOptions): MapLayer[] {
  const drawn: readonly MapLayer[] =
    scheme === 'early' ? earlyLayers(name, flavor, language) : (layers(name, flavor, { lang: language }) as MapLayer[]);
  return drawn
    .filter(({ id }) => id !== 'background' && !PICTURED.has(id))
    .map((layer) => ({ ...withoutPictures(layer), id: `${name}-${layer.id}` }));
}

function withoutPictures(layer: MapLayer): MapLayer {
  if (!layer.layout?.['text-field']) return layer;
  const { 'icon-image': _, ...layout } = layer.layout;
  return { ...layer, layout: { ...layout, 'text-font': [MAP_FONT] } };
}
