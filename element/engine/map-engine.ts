import type mapboxgl from 'mapbox-gl';
import type { CircleLayerSpecification, LineLayerSpecification, SymbolLayerSpecification } from 'mapbox-gl';

import type { EngineMap } from './engine-map.ts';
import type { MapSettings } from './map-settings.ts';

/** The exports of an engine that the element uses. */
export type EngineLibrary = Pick<
  typeof mapboxgl,
  'Map' | 'Marker' | 'Popup' | 'NavigationControl' | 'FullscreenControl'
>;

/** A layer of the element. */
type EngineLayer = LineLayerSpecification | CircleLayerSpecification | SymbolLayerSpecification;

/** The library that draws interactive maps. Each built file contains one; `engines/` implements this interface. */
export interface MapEngine {
  /** Prefix of the classes of its HTML elements, such as `mapboxgl`. */
  readonly prefix: string;
  /** Its own style sheet. */
  readonly css: string;
  /** Returns why it cannot draw a map with these settings, or null if it can. */
  faultOf(settings: MapSettings): string | null;
  /** Evaluates the library; null if the browser lacks WebGL 2, which the library needs. */
  load(): Promise<EngineLibrary | null>;
  /** Opens a map. */
  open(library: EngineLibrary, container: HTMLElement, settings: MapSettings): EngineMap;
  /** Changes the style of an open map; returns true if that drops its layers until `style.load`. */
  restyle(map: EngineMap, before: MapSettings, settings: MapSettings): boolean;
  /** Draws without the style, which could not be loaded; returns false if the engine then draws nothing at all. */
  goPlain(map: EngineMap, error: Error, ground: string): boolean;
  /** Applies the theme to a style that has loaded, if one style has both. */
  relight(map: EngineMap, settings: MapSettings): void;
  /** Changes whether a wheel and one finger are left to the page (attribute `cooperative-gestures`). */
  cooperate(map: EngineMap, on: boolean): void;
  /** Completes a layer with properties that only this engine knows. */
  layer<Layer extends EngineLayer>(layer: Layer, settings: MapSettings): Layer;
}

/** Completes a layer with the properties of the engine ({@link MapEngine.layer}). */
export type CompleteLayer = <Layer extends EngineLayer>(layer: Layer) => Layer;
