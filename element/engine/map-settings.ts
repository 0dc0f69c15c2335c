import type { Units } from '../../schema/trips/trip-drawing.ts';

import type { SpeedScale } from '../trips/speed-scale.ts';
import type { LonLat } from '../trips/trip.ts';

/** Settings of a canvas. */
export interface MapSettings {
  readonly type: 'interactive' | 'static';
  readonly accessToken: string | null;
  /** Without a trailing slash. */
  readonly providerUrl: string;
  /** Address with a trailing slash below which the service of `service-url` has its maps; null without that attribute. */
  readonly mapsUrl: string | null;
  /** null for the engine's default. */
  readonly style: string | null;
  readonly theme: 'light' | 'dark';
  /** View of a map that has no trips to show. */
  readonly fallback: { readonly center: LonLat; readonly zoom: number };
  readonly locale: string;
  readonly units: Units;
  /** true if a wheel without Ctrl and a single finger scroll the page instead of moving the map. */
  readonly cooperative: boolean;
  /** true if a button shows the element on the whole screen. */
  readonly fullscreen: boolean;
  /** null colors lines by trip. */
  readonly speeds: SpeedScale | null;
}

/** Returns true if a canvas opened with `before` can be updated to `after` ({@link MapCanvas.update}). */
export function sameCanvas(before: MapSettings, after: MapSettings): boolean {
  return (
    before.type === after.type && before.accessToken === after.accessToken && before.providerUrl === after.providerUrl
  );
}

/** Returns true if both show the same view if there are no trips. */
export function sameFallback({ fallback: before }: MapSettings, { fallback: after }: MapSettings): boolean {
  return String(before.center) === String(after.center) && before.zoom === after.zoom;
}
