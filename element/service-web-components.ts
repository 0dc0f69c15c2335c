/**
 * Entry of `service-web-components.umd.js`: defines `<service-trips-map>`, drawn by mapbox-gl.
 *
 * @module
 */
import { defineTripsMap } from './define-trips-map.ts';
import { mapboxEngine } from './engines/mapbox-engine.ts';

defineTripsMap(mapboxEngine);
