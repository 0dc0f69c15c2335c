import { encodePolyline } from '../../schema/trips/polyline.ts';

import { boundsOf } from './bounds-of.ts';
import type { MapSettings } from './map-settings.ts';
import { simplifyPath } from '../trips/simplify-path.ts';
import { type LonLat, partsOf, type Trip } from '../trips/trip.ts';
import { tripColor } from '../trips/trip-colors.ts';

/** The provider refuses longer addresses, and larger images. */
export const URL_LIMIT = 8192;
const SIDE_LIMIT = 1280;

/** How coarse lines may become, as a part of what is seen: beyond this a route is no longer recognised. */
const COARSEST = 1 / 25;
const HALVINGS = 10;

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

/** Which trips the image shows, and in which colour the first of them all. */
export interface ImageLook {
  readonly color: string;
  /** Key of the only trip to be shown; null shows all. */
  readonly only?: string | null;
}

/** The image of the trips, later ones first to be left out where even coarse lines make the address too long. */
export function staticImageUrl(
  trips: readonly Trip[],
  settings: MapSettings,
  size: ImageSize,
  { color, only = null }: ImageLook,
): StaticImage {
  const drawn = trips
    .map((trip, index) => ({ trip, color: tripColor(index, color) }))
    .filter(({ trip: { key, stops, path } }) => (only === null || key === only) && stops.length + path.length > 0);
  const [west, south, east, north] = boundsOf(drawn.map(({ trip }) => trip)) ?? [0, 0, 0, 0];
  const coarsest = Math.max(east - west, north - south, 0.0001) * COARSEST;
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

/** Halves the range of tolerances until the address is about as long as it may be. */
function finestThatFits(urlAt: (tolerance: number) => string, coarsest: number): string | null {
  const exact = urlAt(0);
  if (exact.length <= URL_LIMIT) return exact;
  let best = urlAt(coarsest);
  if (best.length > URL_LIMIT) return null;
  let [tooFine, fits] = [0, coarsest];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const tolerance = (tooFine + fits) / 2;
    const url = urlAt(tolerance);
    if (url.length > URL_LIMIT) tooFine = tolerance;
    else [fits, best] = [tolerance, url];
  }
  return best;
}

function overlaysOf(trip: Trip, color: string, tolerance: number): string[] {
  const hex = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(color)?.[1] ?? '2563eb';
  const overlays: string[] = [];
  for (const { from, until } of partsOf(trip)) {
    const line = simplifyPath(trip.path.slice(from, until), tolerance);
    if (line.length < 2) continue;
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
