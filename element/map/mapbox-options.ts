import type { Map as MapboxMap, MapOptions } from 'mapbox-gl';

import type { MapSettings } from './map-settings.ts';

/** The provider's standard style (specification, section E, `map-style`). */
const STANDARD_STYLE = 'mapbox://styles/mapbox/standard';

/** Returns the options with which a map is opened. */
export function mapboxOptions(container: HTMLElement, settings: MapSettings): MapOptions {
  return {
    container,
    style: settings.style ?? STANDARD_STYLE,
    ...(settings.accessToken ? { accessToken: settings.accessToken } : {}),
    ...settings.fallback,
    ...(settings.style ? {} : { config: { basemap: { lightPreset: lightOf(settings) } } }),
    language: settings.locale,
    attributionControl: true,
    trackResize: false,
    dragRotate: false,
    pitchWithRotate: false,
  };
}

type RestyleOptions = NonNullable<Parameters<MapboxMap['setStyle']>[1]>;

/** Sets another style. Without diffing, which would silently drop our layers and not fire `style.load`. */
export function restyle(map: MapboxMap, settings: MapSettings): void {
  const options = { diff: false } as RestyleOptions;
  if (!settings.style) options.config = { basemap: { lightPreset: lightOf(settings) } };
  map.setStyle(settings.style ?? STANDARD_STYLE, options);
}

/** Applies a theme to the provider's standard style, which must have loaded; other styles have none. */
export function relight(map: MapboxMap, settings: MapSettings): void {
  if (!settings.style) map.setConfigProperty('basemap', 'lightPreset', lightOf(settings));
}

function lightOf(settings: MapSettings): string {
  return settings.theme === 'dark' ? 'night' : 'day';
}
