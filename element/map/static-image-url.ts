import { encodePolyline } from '../../schema/trips/polyline.ts';

import { boundsOf } from '../engine/bounds-of.ts';
import type { MapSettings } from '../engine/map-settings.ts';
import { simplifyPath } from '../trips/simplify-path.ts';
import { interruptionsOf, type LonLat, segmentsOf, type Trip, tripColor } from '../trips/trip.ts';

/** Maximum length of a URL, and maximum side of an image in pixels, that the provider accepts. */
export const MAX_URL_LENGTH = 8192;
const MAX_SIDE = 1280;

/** Maximum tolerance of simplified lines as a fraction of the view; a coarser route is not recognizable. */
const MAX_TOLERANCE = 1 / 25;
const HALVINGS = 10;

/** Size of the image in CSS pixels; `retina` requests twice the resolution. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
  readonly retina: boolean;
}

/**
 * Returns the URL of an image of the trips, by the provider's Static Images API, and the number of trips that are omitted
 * because even coarse lines make it too long. `color` is that of the first trip; `only` the key of the only trip to show.
 */
export function staticImageUrl(
  trips: readonly Trip[],
  settings: MapSettings,
  size: ImageSize,
  { color, only = null }: { readonly color: string; readonly only?: string | null },
): { readonly url: string; readonly leftOut: number } {
  const palette = { color, theme: settings.theme };
  const drawn = trips
    .map((trip, index) => ({ trip, color: tripColor(trip.colorIndex ?? index, palette) }))
    .filter(({ trip: { key, stops, path } }) => (only === null || key === only) && stops.length + path.length > 0);
  const [west, south, east, north] = boundsOf(drawn.map(({ trip }) => trip)) ?? [0, 0, 0, 0];
  const coarsest = Math.max(east - west, north - south, 0.0001) * MAX_TOLERANCE;
  for (let count = drawn.length; count > 0; count = Math.floor(count * 0.9)) {
    const shown = drawn.slice(0, count);
    const urlAt = (tolerance: number): string => {
      const overlays = shown.flatMap((one) => overlaysOf(one.trip, one.color, tolerance));
      return addressOf(overlays.join(','), 'auto', settings, size);
    };
    const url = finestThatFits(urlAt, coarsest);
    if (url !== null) return { url, leftOut: drawn.length - count };
  }
  const { center, zoom } = settings.fallback;
  return { url: addressOf('', [...center, zoom, 0].join(','), settings, size), leftOut: drawn.length };
}

/** Returns the URL with the finest lines that fits, found by bisection; null if none does. */
function finestThatFits(urlAt: (tolerance: number) => string, coarsest: number): string | null {
  const exact = urlAt(0);
  if (exact.length <= MAX_URL_LENGTH) return exact;
  let best = urlAt(coarsest);
  if (best.length > MAX_URL_LENGTH) return null;
  let [tooFine, fits] = [0, coarsest];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const tolerance = (tooFine + fits) / 2;
    const url = urlAt(tolerance);
    if (url.length > MAX_URL_LENGTH) tooFine = tolerance;
    else [fits, best] = [tolerance, url];
  }
  return best;
}

function overlaysOf(trip: Trip, color: string, tolerance: number): string[] {
  const hex = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(color)?.[1] ?? '2563eb';
  const overlays: string[] = [];
  const addLine = (line: readonly LonLat[], opacity: number): void => {
    if (line.length < 2) return;
    const points = encodePolyline(line.map(([lon, lat]) => ({ lon, lat })));
    overlays.push(`path-5+${hex}-${opacity}(${encodeURIComponent(points)})`);
  };
  for (const { from, until } of segmentsOf({ path: trip.path, breaks: interruptionsOf(trip) })) {
    addLine(simplifyPath(trip.path.slice(from, until), tolerance), 0.9);
  }
  // The provider draws no dashes.
  for (const at of trip.gaps) addLine(trip.path.slice(at - 1, at + 1), 0.35);
  for (const { kind, position } of trip.stops) {
    if (kind === 'start') overlays.push(`pin-s-a+${hex}(${rounded(position)})`);
    if (kind === 'end') overlays.push(`pin-s-b+${hex}(${rounded(position)})`);
  }
  return overlays;
}

function rounded(position: LonLat): string {
  return position.map((degrees) => Number(degrees.toFixed(5))).join(',');
}

/** Returns the URL of an image in the style streets or dark, since the API does not support the standard style. */
function addressOf(overlays: string, view: string, settings: MapSettings, size: ImageSize): string {
  const style = settings.theme === 'dark' ? 'mapbox/dark-v11' : 'mapbox/streets-v12';
  const pixels = `${sideOf(size.width)}x${sideOf(size.height)}${size.retina ? '@2x' : ''}`;
  const query = new URLSearchParams({ access_token: settings.accessToken ?? '' });
  if (view === 'auto') query.set('padding', String(Math.min(48, Math.floor(Math.min(size.width, size.height) / 6))));
  const place = overlays ? `${overlays}/${view}` : view;
  return `${settings.providerUrl}/styles/v1/${style}/static/${place}/${pixels}?${query}`;
}

function sideOf(pixels: number): number {
  return Math.min(MAX_SIDE, Math.max(1, Math.round(pixels)));
}
