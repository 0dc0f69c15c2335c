import { parseUrl } from '../../schema/parse-url.ts';

import type { MapEngine } from '../engine/map-engine.ts';
import type { MapSettings } from '../engine/map-settings.ts';
import { namesTimeZone } from '../trips/trip-format.ts';
import type { LonLat } from '../trips/trip.ts';
import { DEFAULT_CENTER, DEFAULT_ZOOM, type TripsMapAttributes } from './trips-map-attributes.ts';

const PROVIDER_URL = 'https://api.mapbox.com';

/** Returns why there can be no map, or null if there can. */
export function faultOfMap(settings: MapSettings, engine: MapEngine): string | null {
  if (settings.type === 'interactive') return engine.faultOf(settings);
  if (settings.accessToken !== null) return null;
  return 'The map-provider-access-token attribute is missing: a static map is an image of the map provider';
}

/** Reads the attributes of the map. An invalid value is reported to `warn` and replaced by its default. */
export function mapSettingsOf(
  attributes: TripsMapAttributes,
  reader: Pick<MapSettings, 'theme' | 'locale' | 'units' | 'speeds' | 'cooperative'>,
  warn: (message: string) => void,
): MapSettings {
  const { mapProviderAccessToken, mapProviderUrl, mapStyle, mapStyleDark } = attributes;
  // Empty attributes count as absent.
  const [mapType, colorBy] = [attributes.mapType || 'interactive', attributes.colorBy || 'trip'];
  const defaultZoom = attributes.defaultZoom ?? DEFAULT_ZOOM;
  if (mapType !== 'interactive' && mapType !== 'static') warn('map-type is neither "interactive" nor "static"');
  if (colorBy !== 'trip' && colorBy !== 'speed') warn('color-by is neither "trip" nor "speed"');
  const { cooperativeGestures } = attributes;
  if (!['', 'auto', 'on', 'off'].includes(cooperativeGestures))
    warn('cooperative-gestures is neither "auto", "on" nor "off"');
  const { timeZone } = attributes;
  if (timeZone && !namesTimeZone(timeZone))
    warn('time-zone is neither "trip" nor "reader" nor the name of a time zone, such as Europe/Rome');
  const center = lonLatOf(attributes.defaultCenter || DEFAULT_CENTER);
  if (!center) warn('default-center is not of the form "longitude,latitude"');
  const validZoom = defaultZoom >= 0 && defaultZoom <= 24;
  if (!validZoom) warn('default-zoom is not a number from 0 to 24');
  return {
    type: mapType === 'static' ? 'static' : 'interactive',
    accessToken: mapProviderAccessToken || null,
    providerUrl: (mapProviderUrl || PROVIDER_URL).replace(/\/+$/, ''),
    mapsUrl: folderOf(attributes.serviceUrl),
    style: (reader.theme === 'dark' && mapStyleDark) || mapStyle || null,
    fullscreen: attributes.fullscreen,
    fallback: { center: center ?? (lonLatOf(DEFAULT_CENTER) as LonLat), zoom: validZoom ? defaultZoom : DEFAULT_ZOOM },
    ...reader,
  };
}

/** The address of the folder of a file; null without one. */
function folderOf(url: string | null): string | null {
  const base = typeof document === 'undefined' ? undefined : document.baseURI;
  const file = url ? parseUrl(url, base) : null;
  return file && new URL('.', file).href;
}

/** Reads `longitude,latitude` in degrees; null if `text` is not of that form. */
export function lonLatOf(text: string): LonLat | null {
  const match = /^\s*(-?\d+(?:\.\d*)?)\s*,\s*(-?\d+(?:\.\d*)?)\s*$/.exec(text);
  const [lon, lat] = [Number(match?.[1]), Number(match?.[2])];
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90 ? [lon, lat] : null;
}
