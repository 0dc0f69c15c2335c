import type { LiveScene } from './live-scene.ts';
import type { EngineMap } from './engine-map.ts';
import type { MapSettings } from './map-settings.ts';
import type { MarkedStop } from './marked-stops.ts';
import type { LonLat, Trip, TripStop } from '../trips/trip.ts';

/** Detail of `map-load` and `trip-render`: the engine's map, or the image of a static map. */
export type MapInstance = EngineMap | HTMLImageElement;

/** Keys of the emphasized trips: the one that the reader has chosen, and the one at the pointer. */
export interface Emphasis {
  readonly chosen: string | null;
  readonly hovered: string | null;
}

/** No trip is emphasized. */
export const NO_EMPHASIS: Emphasis = { chosen: null, hovered: null };

/** Position and heading of the replayed vehicle. */
export interface VehiclePose {
  readonly position: LonLat;
  /** Degrees clockwise from north. */
  readonly heading: number;
  /** true between two positions far apart in time, where the way is not known. */
  readonly guessed: boolean;
  /** Color of its trip. */
  readonly color: string;
}

/** View of a replayed vehicle: close with it in the center, or any that has it inside; null leaves the view as it is. */
export type Following = 'center' | 'inside' | null;

/** A map to draw on. `InteractiveCanvas` and `StaticCanvas` implement it. */
export interface MapCanvas {
  readonly instance: MapInstance;
  /** Resolves when the map is initialized and visible. */
  readonly loaded: Promise<void>;
  /**
   * Replaces the trips on the map; an empty list shows the fallback view, unless `staysThere`. Resolves when they are on the
   * screen. `isUpdate` leaves the view as it is.
   */
  draw(trips: readonly Trip[], isUpdate?: boolean, staysThere?: boolean): Promise<void>;
  /** Applies settings that need no new canvas: style, theme, fallback view, colors. */
  update(settings: MapSettings): void;
  /** Emphasizes trips, and brings a newly chosen one into view. */
  emphasize(emphasis: Emphasis): void;
  /** Shows the replayed vehicle, and where it is at a moment that the reader points at; null removes each. */
  showVehicle(pose: VehiclePose | null, follow: Following, pointed?: VehiclePose | null): void;
  /** Shows the vehicles that are followed; null removes them. */
  showLive(scene: LiveScene | null): void;
  /** Opens the popup of a stop, closing another. */
  openPopup(stop: TripStop, content: HTMLElement): void;
  /** Closes the popup; returns false if none was open. */
  closePopup(): boolean;
  /** Removes the map and releases its resources. */
  remove(): void;
}

/** Callbacks of a canvas. */
export interface MapCanvasListener {
  /** The reader chose the marker of a stop. */
  stopChosen(marked: MarkedStop): void;
  /** The reader points at the line of a trip; null when the pointer leaves it. */
  tripHovered(key: string | null): void;
  /**
   * The reader points with a mouse at a position on the line of a trip; null when the pointer leaves it. Returns a text to show
   * there; null if there is none.
   */
  linePointed(pointed: { readonly trip: Trip; readonly position: LonLat } | null): string | null;
  /** The reader chose the line of a trip, or a place without any: null. */
  tripChosen(key: string | null): void;
  /** The reader has moved the map, or brought it back to the trips; it is then no longer moved automatically. */
  viewMoved(): void;
  /**
   * The style of the map has loaded, with a background that suits this theme; null if that is not known. `isPlain` is true if
   * the style could not be loaded, and lines are drawn on one color.
   */
  styleLoaded(theme: 'light' | 'dark' | null, isPlain: boolean): void;
  failed(error: Error): void;
  contextLost(): void;
  /** Returns the accessible name of a stop on a map of so many trips. */
  labelOf(marked: MarkedStop, trips: number): string;
  /** Returns the text alternative of an image of these trips. */
  summaryOf(trips: readonly Trip[]): string;
  /** Reports the number of trips that do not fit on the map, each time it is drawn. */
  leftOut(count: number): void;
}
