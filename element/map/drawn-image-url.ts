import { drawTrips } from '../../schema/trips/trip-drawing.ts';

import type { MapSettings } from '../engine/map-settings.ts';
import { viewPadding } from '../engine/view-padding.ts';
import type { ImageSize } from './static-image-url.ts';
import { stringsFor } from '../trips/strings.ts';
import { type Trip, tripColor } from '../trips/trip.ts';

/**
 * Returns the URL of a drawing of the trips, in the colors of `container`, which needs neither a map nor a provider. One that
 * is shown until the map is there has the view of the map, and no texts.
 */
export function drawnImageUrl(
  trips: readonly Trip[],
  { locale, units, theme }: MapSettings,
  { width, height }: ImageSize,
  { color, only = null }: { readonly color: string; readonly only?: string | null },
  container: HTMLElement,
  isPreview = false,
): { readonly url: string; readonly leftOut: number } {
  const shown = trips
    .map((trip, index) => ({ ...trip, color: tripColor(trip.colorIndex ?? index, { color, theme }) }))
    .filter(({ key }) => only === null || key === only);
  const style = getComputedStyle(container);
  const colorOf = (name: string): string => style.getPropertyValue(`--_${name}`).trim();
  const { linesOnly } = stringsFor(locale);
  const svg = drawTrips(shown, {
    ...{ width, height, label: linesOnly, units: isPreview ? null : units, note: linesOnly },
    ...(isPreview && { padding: viewPadding({ left: 0, top: 0, right: width, bottom: height }, []) }),
    colors: {
      ground: colorOf('ground'),
      grid: colorOf('hairline'),
      casing: colorOf('line-casing'),
      surface: colorOf('surface'),
      text: colorOf('text'),
    },
  });
  return { url: `data:image/svg+xml,${encodeURIComponent(svg)}`, leftOut: 0 };
}
