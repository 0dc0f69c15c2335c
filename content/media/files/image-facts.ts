import { ContentError } from '../../schema/content-error.ts';

import type { Dimensions } from './image-dimensions.ts';
import { loadSharp } from './load-sharp.ts';

/** Greatest image that is decoded, in pixels: a small file may unpack to gigabytes. */
const PIXEL_LIMIT = 100_000_000;
/** Greatest side of an image, in pixels: scaling holds several whole rows, so that few wide ones take hundreds of megabytes. */
const MAX_SIDE = 30_000;

/** Types of images that pages show and that are measured. Source: WordPress's `file_is_displayable_image`. */
const MEASURED: ReadonlySet<string> = new Set(['image/gif', 'image/jpeg', 'image/png', 'image/bmp', 'image/webp']);

/**
 * The dimensions of an image, from its header alone; null where it is no image that pages show, or none that can be read.
 *
 * @throws ContentError `rest_upload_image_too_large` for more than 100 megapixels, or a side of more than 30,000 pixels
 */
export async function dimensionsOf(bytes: Uint8Array, type: string): Promise<Dimensions | null> {
  if (!MEASURED.has(type)) return null;
  const dimensions = type === 'image/bmp' ? bmpDimensions(bytes) : await headerDimensions(bytes);
  if (dimensions === null) return null;
  const { width, height } = dimensions;
  if (width * height <= PIXEL_LIMIT && Math.max(width, height) <= MAX_SIDE) return dimensions;
  throw new ContentError(
    'rest_upload_image_too_large',
    'This is larger than the maximum size. Please try another.',
    400,
  );
}

async function headerDimensions(bytes: Uint8Array): Promise<Dimensions | null> {
  const sharp = loadSharp();
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    return { width, height };
  } catch {
    return null;
  }
}

/** From the header of a Windows bitmap, whose height is negative where its first row is the top one. */
function bmpDimensions(bytes: Uint8Array): Dimensions | null {
  if (bytes.length < 26) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const width = view.getInt32(18, true);
  const height = Math.abs(view.getInt32(22, true));
  return width > 0 && height > 0 ? { width, height } : null;
}
