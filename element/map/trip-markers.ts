import type { Marker } from 'mapbox-gl';

import type { EngineMap } from './engine-map.ts';
import type { CompleteLayer, EngineLibrary } from './map-engine.ts';
import type { MapCanvasListener } from './map-canvas.ts';
import { stopButton } from './stop-button.ts';
import { type MarkedStop, StopCircles } from './stop-circles.ts';
import { type Trip, tripColor, type TripStop } from '../trips/trip.ts';

/** Up to this many trips have a button for every stop. Of more, stops are circles, since buttons cost layout. */
const MAX_TRIPS_WITH_BUTTONS = 60;

/**
 * The starts, stops and ends on the map, in the order of travel. Of many trips only the stops of the chosen trip and one
 * other have a button, which the arrow keys move from stop to stop.
 */
export class TripMarkers {
  readonly #circles: StopCircles;
  readonly #buttons = new Map<TripStop, { readonly button: HTMLButtonElement; readonly marker: Marker }>();
  #stops: readonly MarkedStop[] = [];
  #asCircles = false;
  #chosen: string | null = null;
  /** Index of the stop that has the one button. */
  #current = 0;

  constructor(
    private readonly library: EngineLibrary,
    private readonly map: EngineMap,
    private readonly listener: MapCanvasListener,
  ) {
    this.#circles = new StopCircles(map, ({ stop }) => {
      this.#moveTo(this.#stops.findIndex((marked) => marked.stop === stop));
      listener.stopChosen(stop);
    });
  }

  /** Marks the stops of these trips only; `color` is that of the first trip. */
  draw(trips: readonly Trip[], color: string): void {
    this.#stops = stopsOf(trips, color);
    this.#asCircles = trips.length > MAX_TRIPS_WITH_BUTTONS;
    this.#current = 0;
    this.#placeButtons();
  }

  /** Draws the circles, if any, on a map whose style has loaded. */
  drawCircles(complete: CompleteLayer): void {
    this.#circles.draw(this.#asCircles ? this.#stops : [], complete);
  }

  /** Gives the markers of these trips the colors of another theme. */
  recolor(trips: readonly Trip[], color: string): void {
    this.#stops = stopsOf(trips, color);
    for (const marked of this.#stops) this.buttonOf(marked.stop)?.style.setProperty('--stop-color', marked.color);
  }

  /** Makes the stops of one trip stand out, or of none. */
  choose(tripKey: string | null): void {
    if (this.#chosen === tripKey) return;
    this.#chosen = tripKey;
    if (this.#asCircles) this.#placeButtons();
    for (const { stop, tripKey: key } of this.#stops) {
      this.buttonOf(stop)?.classList.toggle('faint', tripKey !== null && key !== tripKey);
    }
  }

  /** Returns the button of a stop, which gets the focus when its popup closes. */
  buttonOf(stop: TripStop): HTMLButtonElement | undefined {
    return this.#buttons.get(stop)?.button;
  }

  remove(): void {
    for (const { marker } of this.#buttons.values()) marker.remove();
    this.#buttons.clear();
  }

  #placeButtons(): void {
    this.remove();
    for (const [number, marked] of this.#stops.entries()) {
      if (!this.#asCircles || number === this.#current || marked.tripKey === this.#chosen) this.#place(marked);
    }
  }

  #place(marked: MarkedStop): HTMLButtonElement {
    const { stop, color } = marked;
    const place = this.#asCircles ? ` (${this.#stops.indexOf(marked) + 1}/${this.#stops.length})` : '';
    const label = this.listener.labelOf(stop) + place;
    const button = stopButton(stop, label, color, () => this.listener.stopChosen(stop));
    if (this.#asCircles) button.addEventListener('keydown', (event) => this.#handleKey(event, marked));
    const anchor = stop.kind === 'end' ? 'bottom' : 'center';
    const marker = new this.library.Marker({ element: button, anchor }).setLngLat(stop.position).addTo(this.map);
    this.#buttons.set(stop, { button, marker });
    return button;
  }

  #handleKey(event: KeyboardEvent, marked: MarkedStop): void {
    const at = this.#stops.indexOf(marked);
    const [next, before] = [at + 1, at - 1];
    const targets = { ArrowRight: next, ArrowDown: next, ArrowLeft: before, ArrowUp: before, Home: 0, End: Infinity };
    const target = (targets as Readonly<Record<string, number>>)[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#moveTo(Math.max(0, Math.min(target, this.#stops.length - 1)))?.focus({ preventScroll: true });
  }

  /** Moves the one button to a stop, and brings that into view. */
  #moveTo(number: number): HTMLButtonElement | undefined {
    const [before, next] = [this.#stops[this.#current], this.#stops[number]];
    if (!next) return undefined;
    this.#current = number;
    const button = this.buttonOf(next.stop) ?? this.#place(next);
    if (!this.map.getBounds()?.contains(next.stop.position)) this.map.panTo(next.stop.position, { duration: 250 });
    if (before && before !== next && before.tripKey !== this.#chosen) {
      button.focus({ preventScroll: true });
      this.#buttons.get(before.stop)?.marker.remove();
      this.#buttons.delete(before.stop);
    }
    return button;
  }
}

function stopsOf(trips: readonly Trip[], color: string): MarkedStop[] {
  return trips.flatMap(({ key, stops, colorIndex }, index) =>
    stops.map((stop) => ({ stop, tripKey: key, color: tripColor(colorIndex ?? index, color) })),
  );
}
