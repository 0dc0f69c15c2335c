import { createRequire } from 'node:module';

const requirePackage = createRequire(import.meta.url);

/**
 * Loads the image library with the first image that is uploaded: this saves 60 ms of CPU and 8 MB at a start. The built
 * program cannot import, since it is not loaded as modules are.
 */
export function loadSharp(): typeof import('sharp').default {
  return requirePackage('sharp');
}
