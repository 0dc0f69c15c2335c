import type { ImageSizeName } from '../../models/site-settings.ts';

/** Width and height in pixels. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** A size that images are scaled to: a box to fit into, or to fill if they are cropped. 0 sets no limit. */
export interface ImageSize extends Dimensions {
  readonly crops: boolean;
}

/** The sizes as WordPress has them by default. */
export const IMAGE_SIZES: Readonly<Record<ImageSizeName, ImageSize>> = {
  thumbnail: { width: 150, height: 150, crops: true },
  medium: { width: 300, height: 300, crops: false },
  medium_large: { width: 768, height: 0, crops: false },
  large: { width: 1024, height: 1024, crops: false },
};

/** Scaling of an image: the part that is taken, and the size that it is scaled to. */
export interface Scaling extends Dimensions {
  /** The part, in pixels of the original. */
  readonly part: Dimensions & { readonly left: number; readonly top: number };
}

/**
 * Computes the scaling of an image to a size; null if it would not become smaller. Rules: WordPress's
 * `image_resize_dimensions`.
 */
export function scalingTo(image: Dimensions, size: ImageSize): Scaling | null {
  const scaling = size.crops ? cropped(image, size) : { ...fitted(image, size), part: { ...image, left: 0, top: 0 } };
  const isNoSmaller = scaling.width >= image.width && scaling.height >= image.height;
  return isNoSmaller ? null : scaling;
}

function cropped(image: Dimensions, size: ImageSize): Scaling {
  const width = Math.min(size.width, image.width);
  const height = Math.min(size.height, image.height);
  const ratio = Math.max(width / image.width, height / image.height);
  const part = { width: Math.round(width / ratio), height: Math.round(height / ratio) };
  const left = Math.floor((image.width - part.width) / 2);
  const top = Math.floor((image.height - part.height) / 2);
  return { width, height, part: { ...part, left, top } };
}

/**
 * The dimensions of an image that is made to fit into a box, by its greater shrinkage. A limit of 0 means none. One pixel
 * that is lost by rounding is restored, so that the box is filled. Rules: WordPress's `wp_constrain_dimensions`.
 */
export function fitted(image: Dimensions, box: Dimensions): Dimensions {
  if (box.width <= 0 && box.height <= 0) return image;
  const isTooWide = box.width > 0 && image.width > box.width;
  const isTooHigh = box.height > 0 && image.height > box.height;
  const byWidth = isTooWide ? box.width / image.width : 1;
  const byHeight = isTooHigh ? box.height / image.height : 1;
  const greater = Math.max(byWidth, byHeight);
  const overflows = Math.round(image.width * greater) > box.width || Math.round(image.height * greater) > box.height;
  const ratio = overflows ? Math.min(byWidth, byHeight) : greater;
  const width = Math.max(1, Math.round(image.width * ratio));
  const height = Math.max(1, Math.round(image.height * ratio));
  return {
    width: isTooWide && width === box.width - 1 ? box.width : width,
    height: isTooHigh && height === box.height - 1 ? box.height : height,
  };
}

/** Returns true if two images have the same shape: scaled to one size, they differ by a pixel at most. */
export function hasSameShape(one: Dimensions, other: Dimensions): boolean {
  const [large, small] = one.width > other.width ? [one, other] : [other, one];
  const scaled = fitted(large, { width: small.width, height: 0 });
  return Math.abs(scaled.width - small.width) <= 1 && Math.abs(scaled.height - small.height) <= 1;
}
