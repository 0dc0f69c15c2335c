import type { SpeedScale } from '../trips/speed-scale.ts';
import type { LonLat } from '../trips/trip.ts';

/** The provider's own address. */
const PROVIDER_URL = 'https://api.mapbox.com';

/** The provider's standard style (specification, section E, `map-style`). */
export const STANDARD_STYLE = 'mapbox://styles/mapbox/standard';

/** The defaults of the attributes (specification, section E). */
export const DEFAULT_CENTER = '-98.5795,39.828175';
export const DEFAULT_ZOOM = 3;

/** Where a map looks that has no trips to show. */
export interface MapView {
  readonly center: LonLat;
  readonly zoom: number;
}

/** Everything that a canvas has to know. */
export interface MapSettings {
  readonly type: 'interactive' | 'static';
  readonly accessToken: string | null;
  /** Without a slash at its end. */
  readonly providerUrl: string;
  /** null is the provider's standard style. */
  readonly style: string | null;
  readonly theme: 'light' | 'dark';
  readonly fallback: MapView;
  readonly locale: string;
  /** null colours lines by trip. */
  readonly speeds: SpeedScale | null;
}

/** The attributes as written. */
export interface MapAttributes {
  readonly mapType: string;
  readonly mapProviderAccessToken: string | null;
  readonly mapProviderUrl: string | null;
  readonly mapStyle: string | null;
  readonly defaultCenter: string;
  readonly defaultZoom: number;
  readonly colorBy: string;
}

/** Why there can be no map; null where there can. A style of one's own needs no token, the provider's styles do. */
export function faultOfMap({ mapType, mapProviderAccessToken, mapStyle }: MapAttributes): string | null {
  if (mapProviderAccessToken) return null;
  const needed = mapType === 'static' || !mapStyle || /^mapbox:|^https:\/\/api\.mapbox\.com\//.test(mapStyle);
  return needed ? 'The map-provider-access-token attribute is missing' : null;
}

/** Reads the attributes; a value that makes no sense is told to `warn` and its default taken. */
export function mapSettingsOf(
  attributes: MapAttributes,
  reader: Pick<MapSettings, 'theme' | 'locale' | 'speeds'>,
  warn: (message: string) => void,
): MapSettings {
  const { mapType, mapProviderAccessToken, mapProviderUrl, mapStyle, defaultCenter, defaultZoom, colorBy } = attributes;
  if (mapType !== 'interactive' && mapType !== 'static') warn('map-type is neither "interactive" nor "static"');
  if (colorBy !== 'trip' && colorBy !== 'speed') warn('color-by is neither "trip" nor "speed"');
  const center = lonLatOf(defaultCenter);
  if (!center) warn('default-center is not of the form "longitude,latitude"');
  const zoomFits = defaultZoom >= 0 && defaultZoom <= 24;
  if (!zoomFits) warn('default-zoom is not a number from 0 to 24');
  return {
    type: mapType === 'static' ? 'static' : 'interactive',
    accessToken: mapProviderAccessToken || null,
    providerUrl: (mapProviderUrl || PROVIDER_URL).replace(/\/+$/, ''),
    style: mapStyle || null,
    fallback: {
      center: center ?? (lonLatOf(DEFAULT_CENTER) as LonLat),
      zoom: zoomFits ? defaultZoom : DEFAULT_ZOOM,
    },
    ...reader,
  };
}

/** Whether a canvas opened with `before` can take over `after` ({@link MapCanvas.update}), or must be opened anew. */
export function sameCanvas(before: MapSettings, after: MapSettings): boolean {
  return (
    before.type === after.type && before.accessToken === after.accessToken && before.providerUrl === after.providerUrl
  );
}

/** Whether a map without trips looks at the same place with both. */
export function sameFallback({ fallback: before }: MapSettings, { fallback: after }: MapSettings): boolean {
  return String(before.center) === String(after.center) && before.zoom === after.zoom;
}

/** Reads `longitude,latitude` in degrees. */
export function lonLatOf(text: string): LonLat | null {
  const match = /^\s*(-?\d+(?:\.\d*)?)\s*,\s*(-?\d+(?:\.\d*)?)\s*$/.exec(text);
  const lon = Number(match?.[1] ?? Number.NaN);
  const lat = Number(match?.[2] ?? Number.NaN);
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90 ? [lon, lat] : null;
}
