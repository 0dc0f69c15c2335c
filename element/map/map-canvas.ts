import type { Map as MapboxMap } from 'mapbox-gl';

import type { MapSettings } from './map-settings.ts';
import type { LonLat, Trip, TripStop } from '../trips/trip.ts';

/** What `map-load` and `trip-render` hand out: the mapbox-gl map, or the image of a static map. */
export type MapInstance = MapboxMap | HTMLImageElement;

/** Which trips stand out, by key: one that the reader has chosen, and one that is pointed at. */
export interface Emphasis {
  readonly chosen: string | null;
  readonly hovered: string | null;
}

/** Nothing stands out. */
export const NO_EMPHASIS: Emphasis = { chosen: null, hovered: null };

/** Where a replayed trip is at a moment. */
export interface VehiclePose {
  readonly position: LonLat;
  /** Degrees clockwise from north. */
  readonly heading: number;
  /** Whether the way is only guessed, between two positions far apart in time. */
  readonly guessed: boolean;
}

/** What the component draws on. `MapboxCanvas` and `StaticCanvas` implement it; nothing else knows a map library. */
export interface MapCanvas {
  readonly instance: MapInstance;
  /** Resolves when the map is initialised and visible. */
  readonly loaded: Promise<void>;
  /** Shows these trips, and none else; an empty list shows the fallback view. Resolves when they are on the screen. */
  draw(trips: readonly Trip[]): Promise<void>;
  /** Takes over settings that need no new canvas: style, theme, fallback view, colours. */
  update(settings: MapSettings): void;
  /** Lets trips stand out, and brings a newly chosen one into view. */
  emphasize(emphasis: Emphasis): void;
  /** Shows where the replayed vehicle is, and stays with it if `follow`; null takes it away. */
  showVehicle(pose: VehiclePose | null, follow: boolean): void;
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
  /** The reader points at the line of a trip, or at none any more. */
  tripHovered(key: string | null): void;
  /** The reader chose the line of a trip. */
  tripChosen(key: string): void;
  /** The reader has moved the map: the view is theirs. */
  viewTaken(): void;
  /** The map failed at something. */
  failed(error: Error): void;
  /** The graphics context is gone, and the map with it. */
  lost(): void;
  /** The words that name a stop's marker to a screen reader. */
  labelOf(stop: TripStop): string;
  /** The words that say to a screen reader what an image of these trips shows. */
  summaryOf(trips: readonly Trip[]): string;
  /** How many trips the map has no room for, each time it is drawn. */
  leftOut(count: number): void;
}
