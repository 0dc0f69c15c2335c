import { createRequire } from 'node:module';

const requirePackage = createRequire(import.meta.url);

/**
 * Loads the image library with the first image that is uploaded: this saves 60 ms of CPU and 8 MB at a start. The built
 * program cannot import, since it is not loaded as modules are.
 */
export function loadSharp(): typeof import('sharp').default {
  const sharp = requirePackage('sharp') as typeof import('sharp').default;
  // Its cache keeps decoded images, of which none is used again: a GIF of 100 megapixels took 1.7 GB with it, and takes 0.6 GB.
  sharp.cache(false);
  return sharp;
}
