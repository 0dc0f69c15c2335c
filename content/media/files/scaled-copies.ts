import type { ImageSizeName } from '../../models/site-settings.ts';

import { type Dimensions, IMAGE_SIZES, type Scaling, scalingTo } from './image-dimensions.ts';
import { withoutPosition } from './without-position.ts';
import { createRequire } from 'node:module';
import { ContentError } from '../../schema/content-error.ts';

/** Quality of scaled copies, as WordPress has it. */
const JPEG_QUALITY = 82;
const WEBP_QUALITY = 86;
const AVIF_QUALITY = 50;
/** Of 0 to 9: with 4, the copies of a photo of 12 megapixels take twice the time. */
const AVIF_EFFORT = 2;

/** A smaller copy of an image. */
export interface ScaledCopy extends Dimensions {
  readonly size: ImageSizeName;
  readonly bytes: Buffer;
}

/**
 * Scales an image to each of the sizes that are smaller than it is, the first frame of an animated one.
 *
 * @returns the copies, in the type of the image; empty if it cannot be decoded
 */
export async function scaledCopies(
  bytes: Uint8Array,
  image: Dimensions,
  sizes: readonly ImageSizeName[],
): Promise<ScaledCopy[]> {
  const copies: ScaledCopy[] = [];
  const source = await sourceOf(bytes);
  for (const size of sizes) {
    const scaling = scalingTo(image, IMAGE_SIZES[size]);
    const copy = scaling === null ? null : await scaled(source, scaling);
    if (scaling !== null && copy !== null) {
      copies.push({ size, width: scaling.width, height: scaling.height, bytes: copy });
    }
  }
  return copies;
}

/** The image that copies are made of, and whether they keep its EXIF: its orientation and copyright, never its position. */
interface CopySource {
  readonly bytes: Uint8Array;
  readonly keepsExif: boolean;
}

async function sourceOf(bytes: Uint8Array): Promise<CopySource> {
  const sharp = loadSharp();
  const exif = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .then(
      (found) => found.exif,
      () => undefined,
    );
  const clean = exif === undefined ? null : withoutPosition(bytes, exif);
  return { bytes: clean ?? bytes, keepsExif: clean !== null };
}

async function scaled(source: CopySource, { part, width, height }: Scaling): Promise<Buffer | null> {
  const sharp = loadSharp();
  try {
    const image = sharp(source.bytes, { failOn: 'error' })
      .extract(part)
      .resize(width, height, { fit: 'fill' })
      .jpeg({ quality: JPEG_QUALITY, force: false })
      .webp({ quality: WEBP_QUALITY, force: false })
      .avif({ quality: AVIF_QUALITY, effort: AVIF_EFFORT, force: false });
    return await (source.keepsExif ? image.keepExif() : image).toBuffer();
  } catch {
    return null;
  }
}

const requirePackage = createRequire(import.meta.url);

/**
 * Loads the image library with the first image that is uploaded: this saves 60 ms of CPU and 8 MB at a start. The built
 * program cannot import, since it is not loaded as a module.
 */
export function loadSharp(): typeof import('sharp').default {
  const sharp = requirePackage('sharp') as typeof import('sharp').default;
  // Its cache keeps decoded images, which are not used again: a GIF of 100 megapixels took 1.7 GB with it, and takes 0.6 GB.
  sharp.cache(false);
  return sharp;
}

/** Maximum image that is decoded, in pixels: a small file may decompress to gigabytes. */
const PIXEL_LIMIT = 100_000_000;
/** Maximum side of an image, in pixels: scaling holds several whole rows, so a few wide ones take hundreds of megabytes. */
const MAX_SIDE = 30_000;

/** Types of images that pages show and that are measured. Source: WordPress's `file_is_displayable_image`. */
const MEASURED: ReadonlySet<string> = new Set([
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/bmp',
  'image/webp',
  'image/avif',
]);

/**
 * The dimensions of an image, from its header alone; null if pages cannot show it, or it cannot be read.
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

/** From the header of a Windows bitmap, whose height is negative if its first row is the top one. */
function bmpDimensions(bytes: Uint8Array): Dimensions | null {
  if (bytes.length < 26) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const width = view.getInt32(18, true);
  const height = Math.abs(view.getInt32(22, true));
  return width > 0 && height > 0 ? { width, height } : null;
}
