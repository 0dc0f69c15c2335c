import { defineTripsMap } from '../../../element/define-trips-map.ts';
import { maplibreEngine } from '../../../element/engines/maplibre-engine.ts';

import { pageData } from './page-data.ts';
import { language } from './texts.ts';

/** Attributes of the map that change with what the page shows; null removes one. */
export type TripMapAttributes = Readonly<Record<string, string | null>>;

/** Makes the element `<service-trips-map>`, which asks as the user who is signed in, with a replay and speeds. */
export function tripMap(attributes: TripMapAttributes): HTMLElement {
  defineTripsMap(maplibreEngine);
  const { siteUrl, endpoint } = pageData();
  const map = document.createElement('service-trips-map');
  setAttributes(map, {
    ...{ 'service-token': 'session', 'service-url': new URL(endpoint, location.href).href, locale: language },
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
