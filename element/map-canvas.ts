import type { Map as MapboxMap } from 'mapbox-gl';

import type { MapSettings } from './map-settings.ts';
import type { Trip, TripStop } from './trip.ts';

/** What `map-load` and `trip-render` hand out: the mapbox-gl map, or the image of a static map. */
export type MapInstance = MapboxMap | HTMLImageElement;

/** What the component draws on. `MapboxCanvas` and `StaticCanvas` implement it; nothing else knows a map library. */
export interface MapCanvas {
  readonly instance: MapInstance;
  /** Resolves when the map is initialised and visible. */
  readonly loaded: Promise<void>;
  /** Shows these trips, and none else; an empty list shows the fallback view. Resolves when they are on the screen. */
  draw(trips: readonly Trip[]): Promise<void>;
  /** Takes over settings that need no new canvas: style, theme, fallback view. */
  update(settings: MapSettings): void;
  /** Opens the popup of a stop, closing another. */
  openPopup(stop: TripStop, content: HTMLElement): void;
  /** Closes the open popup, if any. */
  closePopup(): void;
  /** Ends the canvas and everything that it holds. */
  remove(): void;
}

/** What a canvas tells whoever opened it. */
export interface MapCanvasListener {
  /** The reader chose the marker of a stop. */
  stopChosen(stop: TripStop): void;
  /** The map failed at something. */
  failed(error: Error): void;
  /** The words that name a stop's marker to a screen reader. */
  labelOf(stop: TripStop): string;
}
