import { type HeldMemory, outOfMemory } from '../../../http/requests/body-memory.ts';
import { ContentError } from '../../schema/content-error.ts';

import type { Dimensions } from './image-dimensions.ts';

/** Bytes of a decoded pixel: three colors and the opacity. */
const PIXEL_BYTES = 4;

/**
 * Holds the memory of a decoded image.
 *
 * @throws ContentError `rest_upload_image_too_large` if it never fits; ServiceError SERVICE_UNAVAILABLE while others hold the memory
 */
export function holdDecoded({ width, height }: Dimensions, memory: HeldMemory): void {
  const bytes = width * height * PIXEL_BYTES;
  if (bytes > memory.max) {
    throw new ContentError('rest_upload_image_too_large', 'Memory exceeded. Please try another smaller file.', 400);
  }
  if (!memory.take(bytes)) throw outOfMemory();
}
