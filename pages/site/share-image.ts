import { loadSharp } from '../../content/media/files/load-sharp.ts';
import { type DrawnTrip, drawTrips } from '../../schema/trips/trip-drawing.ts';

/** Size that the previews of links have, and half a page of print. */
const SIZE = { width: 1200, height: 630 };
const COLORS = { ground: '#e9eef3', grid: '#dbe2e9', casing: '#ffffff', surface: '#ffffff', text: '#16202e' };

/** Media types of the images of a share by the ends of their names. */
export const SHARE_IMAGE_TYPES = { svg: 'image/svg+xml; charset=utf-8', png: 'image/png' } as const;

/** Draws trips as an image with a text alternative. A PNG has no texts, since a server may have no font. */
export async function shareImage(
  format: keyof typeof SHARE_IMAGE_TYPES,
  trips: readonly DrawnTrip[],
  label: string,
): Promise<string | Buffer> {
  const units = format === 'svg' ? 'km' : null;
  const svg = drawTrips(trips, { ...SIZE, colors: COLORS, units, label });
  return format === 'svg' ? svg : loadSharp()(Buffer.from(svg)).png().toBuffer();
}
