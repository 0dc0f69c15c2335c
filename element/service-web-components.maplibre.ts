/**
 * Entry of `service-web-components.maplibre.umd.js`: defines `<service-trips-map>`, drawn by MapLibre GL.
 *
 * @module
 */
import { defineTripsMap } from './define-trips-map.ts';
import { maplibreEngine } from './engines/maplibre-engine.ts';

defineTripsMap(maplibreEngine);
