import type { Map as MapboxMap } from 'mapbox-gl';

/**
 * A map of the engine, in the types of mapbox-gl: MapLibre GL began as a copy of it, and what this folder uses of both is
 * the same. The types of the npm package name the engine that its reader has chosen.
 */
export type EngineMap = MapboxMap;
