/**
 * Entry of the npm package with MapLibre GL: importing it defines `<service-trips-map>`, and is safe if there is no document.
 *
 * @module
 */
import '../service-web-components.maplibre.ts';

// biome-ignore lint/performance/noBarrelFile: both entries of the package export the same
export * from './exports.ts';
