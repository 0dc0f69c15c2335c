import type { Map as MapboxMap, MapOptions } from 'mapbox-gl';

import type { MapSettings } from './map-settings.ts';

/** The provider's standard style (specification, section E, `map-style`). */
const STANDARD_STYLE = 'mapbox://styles/mapbox/standard';

/** The options with which a map is opened. */
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

/** Gives a map another style. No diff: it would drop our layers without a word, and `style.load` would not come. */
export function restyle(map: MapboxMap, settings: MapSettings): void {
  const options = { diff: false } as RestyleOptions;
  if (!settings.style) options.config = { basemap: { lightPreset: lightOf(settings) } };
  map.setStyle(settings.style ?? STANDARD_STYLE, options);
}

/** Gives the provider's standard style, whose style is loaded, the light of a theme; a style of one's own stays. */
export function relight(map: MapboxMap, settings: MapSettings): void {
  if (!settings.style) map.setConfigProperty('basemap', 'lightPreset', lightOf(settings));
}

function lightOf(settings: MapSettings): string {
  return settings.theme === 'dark' ? 'night' : 'day';
}
