import { encodePolyline } from '../schema/polyline.ts';

import type { MapSettings } from './map-settings.ts';
import { simplifyPath } from './simplify-path.ts';
import type { LonLat, Trip } from './trip.ts';
import { tripColor } from './trip-colors.ts';

/** The provider refuses longer addresses, and larger images. */
export const URL_LIMIT = 8192;
const SIDE_LIMIT = 1280;

/** In degrees, from about a metre up; the first at which the address fits is taken. */
const TOLERANCES = [0, 0.00001, 0.00004, 0.00016, 0.0006, 0.0025, 0.01, 0.04];

/** An address of the provider's Static Images API, and how many of the trips could not be put into it. */
export interface StaticImage {
  readonly url: string;
  readonly leftOut: number;
}

/** How large the image is in CSS pixels, and whether for a dense screen. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
  readonly retina: boolean;
}

/** The image of the trips, later ones first to be left out where even coarse lines make the address too long. */
export function staticImageUrl(
  trips: readonly Trip[],
  settings: MapSettings,
  size: ImageSize,
  color: string,
): StaticImage {
  const drawn = trips.filter(({ stops, path }) => stops.length > 0 || path.length > 0);
  for (let count = drawn.length; count > 0; count = Math.floor(count * 0.8)) {
    for (const tolerance of TOLERANCES) {
      const overlays = drawn
        .slice(0, count)
        .flatMap((trip, index) => overlaysOf(trip, tripColor(index, color), tolerance));
      const url = addressOf(overlays.join(','), 'auto', settings, size);
      if (url.length <= URL_LIMIT) return { url, leftOut: drawn.length - count };
    }
  }
  const { center, zoom } = settings.fallback;
  return { url: addressOf('', [...center, zoom, 0].join(','), settings, size), leftOut: drawn.length };
}

function overlaysOf(trip: Trip, color: string, tolerance: number): string[] {
  const hex = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(color)?.[1] ?? '2563eb';
  const overlays: string[] = [];
  const line = simplifyPath(trip.path, tolerance);
  if (line.length > 1) {
    const points = encodePolyline(line.map(([lon, lat]) => ({ lon, lat })));
    overlays.push(`path-5+${hex}-0.9(${encodeURIComponent(points)})`);
  }
  for (const { kind, position } of trip.stops) {
    if (kind === 'start') overlays.push(`pin-s-a+${hex}(${rounded(position)})`);
    if (kind === 'end') overlays.push(`pin-s-b+${hex}(${rounded(position)})`);
  }
  return overlays;
}

function rounded(position: LonLat): string {
  return position.map((degrees) => Number(degrees.toFixed(5))).join(',');
}

/** The Static Images API has no Standard style: streets, or dark. */
function addressOf(overlays: string, view: string, settings: MapSettings, size: ImageSize): string {
  const style = settings.theme === 'dark' ? 'mapbox/dark-v11' : 'mapbox/streets-v12';
  const pixels = `${sideOf(size.width)}x${sideOf(size.height)}${size.retina ? '@2x' : ''}`;
  const query = new URLSearchParams({ access_token: settings.accessToken ?? '' });
  if (view === 'auto') query.set('padding', String(Math.min(48, Math.floor(Math.min(size.width, size.height) / 6))));
  const place = overlays ? `${overlays}/${view}` : view;
  return `${settings.providerUrl}/styles/v1/${style}/static/${place}/${pixels}?${query}`;
}

function sideOf(pixels: number): number {
  return Math.min(SIDE_LIMIT, Math.max(1, Math.round(pixels)));
}
