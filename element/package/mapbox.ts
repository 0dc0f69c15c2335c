/**
 * Entry of the npm package with mapbox-gl: importing it defines `<service-trips-map>`, and is safe if there is no document.
 *
 * @module
 */
import '../service-web-components.ts';

// biome-ignore lint/performance/noBarrelFile: both entries of the package export the same
export * from './exports.ts';
