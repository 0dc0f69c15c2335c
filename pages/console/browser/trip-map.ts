import type { MapEngine } from '../../../element/engine/map-engine.ts';

import { locale } from './format.ts';
import { pageData } from './page-data.ts';
import { language } from './texts.ts';

/** Attributes of the map that change with what the page shows; null removes one. */
export type TripMapAttributes = Readonly<Record<string, string | null>>;

/** Loads the file that defines `<service-trips-map>`, which other pages embed too; returns the engine of maps that it contains. */
export async function loadTripsMap(): Promise<MapEngine> {
  await import(/* @vite-ignore */ `${pageData().siteUrl}/service-web-components.maplibre.umd.js`);
  return (customElements.get('service-trips-map') as unknown as { readonly engine: MapEngine }).engine;
}

/** Makes the element `<service-trips-map>`, which asks as the user who is signed in, with a replay and speeds. */
export async function tripMap(attributes: TripMapAttributes): Promise<HTMLElement> {
  await loadTripsMap();
  const { siteUrl, serviceUrl } = pageData();
  const map = document.createElement('service-trips-map');
  setAttributes(map, {
    ...{ 'service-token': 'session', 'service-url': new URL(`${serviceUrl}/graphql`, location.href).href, locale },
    'map-style': `${siteUrl}/map/style.json?lang=${language}`,
    'map-style-dark': `${siteUrl}/map/style-dark.json?lang=${language}`,
    ...{ replay: '', 'time-zone': 'reader', fullscreen: '' },
    ...attributes,
  });
  return map;
}

/** Sets attributes that differ, so that the map does not load the same trips twice. */
export function setAttributes(map: HTMLElement, attributes: TripMapAttributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) map.removeAttribute(name);
    else if (map.getAttribute(name) !== value) map.setAttribute(name, value);
  }
}
