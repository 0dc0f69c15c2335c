import type { ImageSizeName } from '../../models/site-settings.ts';

import { type Dimensions, IMAGE_SIZES, type Scaling, scalingTo } from './image-dimensions.ts';
import { loadSharp } from './load-sharp.ts';

/** Quality of scaled copies, as WordPress has it. */
const JPEG_QUALITY = 82;
const WEBP_QUALITY = 86;

/** A smaller copy of an image. */
export interface ScaledCopy extends Dimensions {
  readonly size: ImageSizeName;
  readonly bytes: Buffer;
}

/**
 * Scales an image to each of the sizes that are smaller than it is, the first frame of one that moves.
 *
 * @returns the copies, in the type of the image; none where it cannot be decoded
 */
export async function scaledCopies(
  bytes: Uint8Array,
  image: Dimensions,
  sizes: readonly ImageSizeName[],
): Promise<ScaledCopy[]> {
  const copies: ScaledCopy[] = [];
  for (const size of sizes) {
    const scaling = scalingTo(image, IMAGE_SIZES[size]);
    const copy = scaling === null ? null : await scaled(bytes, scaling);
    if (scaling !== null && copy !== null) {
      copies.push({ size, width: scaling.width, height: scaling.height, bytes: copy });
    }
  }
  return copies;
}

async function scaled(bytes: Uint8Array, { part, width, height }: Scaling): Promise<Buffer | null> {
  const sharp = loadSharp();
  try {
    const { data } = await sharp(bytes, { failOn: 'error' })
      .extract(part)
      .resize(width, height, { fit: 'fill' })
      .jpeg({ quality: JPEG_QUALITY, force: false })
      .webp({ quality: WEBP_QUALITY, force: false })
      .keepExif()
      .toBuffer({ resolveWithObject: true });
    return data;
  } catch {
    return null;
  }
}
