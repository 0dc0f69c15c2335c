import type { Map as MapboxMap, MapOptions } from 'mapbox-gl';
import css from 'mapbox-gl/dist/mapbox-gl.css?inline';

import type { MapEngine } from '../engine/map-engine.ts';
import type { MapSettings } from '../engine/map-settings.ts';
import { PageError } from '../trips/load-failure.ts';
import { plainStyle, sharedOptions } from './shared-options.ts';

type MapboxLibrary = typeof import('mapbox-gl').default;
type RestyleOptions = NonNullable<Parameters<MapboxMap['setStyle']>[1]>;

/** The provider's standard style (specification, section E, `map-style`), the one style that has both themes. */
const STANDARD_STYLE = 'mapbox://styles/mapbox/standard';

/** mapbox-gl, whose terms ask for a token of Mapbox whatever the style is. */
export const mapboxEngine: MapEngine = {
  prefix: 'mapboxgl',
  css,

  faultOf({ accessToken }) {
    if (accessToken !== null) return null;
    return 'The map-provider-access-token attribute is missing. Without a token, load service-web-components.maplibre.umd.js instead of this file';
  },

  async load() {
    // The types declare a default export within the default export, but there is only one.
    const mapboxgl = (await import('mapbox-gl')).default as unknown as MapboxLibrary;
    const { version } = mapboxgl as { readonly version?: string };
    if (version !== undefined && Number.parseInt(version, 10) < 3)
      throw new PageError(`The element needs mapbox-gl 3, and this page has ${version}`);
    return mapboxgl.supported() ? mapboxgl : null;
  },

  open(library, container, settings) {
    const mapboxgl = library as MapboxLibrary;
    if (mapboxgl.baseApiUrl !== settings.providerUrl) mapboxgl.baseApiUrl = settings.providerUrl;
    const options: MapOptions = {
      ...sharedOptions(container, settings),
      style: settings.style ?? STANDARD_STYLE,
      accessToken: settings.accessToken ?? '',
      language: settings.locale,
      attributionControl: true,
    };
    if (!settings.style) options.config = configOf(settings);
    return new mapboxgl.Map(options);
  },

  restyle(map, before, settings) {
    if (before.style === settings.style) return false;
    // Without diffing, which would silently drop our layers and not fire `style.load`.
    const options = { diff: false } as RestyleOptions;
    if (!settings.style) options.config = configOf(settings);
    map.setStyle(settings.style ?? STANDARD_STYLE, options);
    return true;
  },

  goPlain(map, error, ground) {
    // Without a token that Mapbox accepts, it draws nothing.
    if (/token/i.test(error.message) || ('status' in error && (error.status === 401 || error.status === 403)))
      return false;
    map.setStyle(plainStyle(ground), { diff: false } as RestyleOptions);
    return true;
  },

  relight(map, settings) {
    if (!settings.style) map.setConfigProperty('basemap', 'lightPreset', lightOf(settings));
  },

  cooperate(map, on) {
    // The handlers make their messages when they are enabled.
    const handlers = [map.scrollZoom, map.dragPan];
    for (const handler of handlers) handler.disable();
    map.setCooperativeGestures(on);
    for (const handler of handlers) handler.enable();
  },

  layer(layer, { style }) {
    const [kind, slot] = ({ line: ['line', 'middle'], circle: ['circle', 'top'], symbol: ['icon', 'top'] } as const)[
      layer.type
    ];
    const emissive = { [`${kind}-emissive-strength`]: 1 };
    return { ...layer, ...(style ? {} : { slot }), paint: { ...layer.paint, ...emissive } };
  },
};

function configOf(settings: MapSettings): NonNullable<MapOptions['config']> {
  return { basemap: { lightPreset: lightOf(settings) } };
}

function lightOf({ theme }: MapSettings): string {
  return theme === 'dark' ? 'night' : 'day';
}
