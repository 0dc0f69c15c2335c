import css from 'maplibre-gl/dist/maplibre-gl.css?inline';

import { writtenAddress } from '../attributes/written-address.ts';
import type { EngineMap } from '../engine/engine-map.ts';
import type { EngineLibrary, MapEngine } from '../engine/map-engine.ts';
import type { MapSettings } from '../engine/map-settings.ts';
import { plainStyle, sharedOptions } from './shared-options.ts';

type MaplibreLibrary = typeof import('maplibre-gl');

/** MapLibre GL, which needs no token. Without a `map-style` it draws the maps of the service that served the file, or of `service-url`. */
export const maplibreEngine: MapEngine = {
  prefix: 'maplibregl',
  css,

  faultOf(settings) {
    const style = styleOf(settings);
    if (style === null) return 'The map-style or the service-url attribute is missing';
    if (!style.startsWith('mapbox:')) return null;
    return `${style} is a Mapbox style; use service-web-components.umd.js with a map-provider-access-token`;
  },

  async load() {
    if (!document.createElement('canvas').getContext('webgl2')) return null;
    const module: MaplibreLibrary & { readonly default?: MaplibreLibrary } = await import('maplibre-gl');
    // Bundlers provide the library's module either as the default export or as the exports. Without a bundler the
    // library, which is a script, exports nothing and is a global variable.
    const { maplibregl } = globalThis as { readonly maplibregl?: MaplibreLibrary };
    return (module.default ?? ('Map' in module ? module : maplibregl)) as unknown as EngineLibrary;
  },

  open(library, container, settings) {
    const { Map: MaplibreMap } = library as unknown as MaplibreLibrary;
    const map = new MaplibreMap({ ...sharedOptions(container, settings), style: styleOf(settings) ?? '' });
    foldAttribution(container);
    return map as unknown as EngineMap;
  },

  restyle(map, before, settings) {
    const style = styleOf(settings);
    if (style === null || style === styleOf(before)) return false;
    map.setStyle(style, { diff: false } as Parameters<EngineMap['setStyle']>[1]);
    return true;
  },

  goPlain(map, _error, ground) {
    map.setStyle(plainStyle(ground), { diff: false } as Parameters<EngineMap['setStyle']>[1]);
    return true;
  },

  relight() {},

  cooperate(map, on) {
    const { cooperativeGestures } = map as unknown as InstanceType<MaplibreLibrary['Map']>;
    if (on) cooperativeGestures.enable();
    else cooperativeGestures.disable();
  },

  layer: (layer) => layer,
};

/** Width below which a map has no room for its attribution, as OpenStreetMap has it. */
const NARROW = 500;

/** Closes the attribution of a narrow map whenever the engine makes it compact, which opens it; readers open it again. */
function foldAttribution(container: HTMLElement): void {
  const attribution = container.querySelector('.maplibregl-ctrl-attrib');
  const fold = (): void => {
    if (container.clientWidth < NARROW) attribution?.classList.remove('maplibregl-compact-show');
  };
  fold();
  const changes = new MutationObserver(([change]) => {
    if (!change?.oldValue?.includes('maplibregl-compact')) fold();
  });
  if (attribution) changes.observe(attribution, { attributeFilter: ['class'], attributeOldValue: true });
}

/** URL of the style, by default that of the service, with names in the reader's language; null if there is none. */
function styleOf({ style, theme, locale, mapsUrl }: MapSettings): string | null {
  if (style !== null) return style;
  const written = writtenAddress('__WAYBRIDGE_SITE_URL__');
  const site = written === null ? mapsUrl : `${written}/`;
  return site && `${site}map/style${theme === 'dark' ? '-dark' : ''}.json?lang=${locale.split('-')[0]}`;
}
