import type { Map as MapboxMap, Marker } from 'mapbox-gl';

import type { MapboxLibrary } from './mapbox-library.ts';
import type { MapCanvasListener } from './map-canvas.ts';
import type { Trip, TripStop } from './trip.ts';
import { tripColor } from './trip-colors.ts';

/** Only the first trips, up to this many, have markers: buttons cost layout. */
const MARKED_TRIPS = 60;

/** The drawing inside of a marker's button, which colours it. */
const ICONS: Record<TripStop['kind'], string> = {
  start: '<circle cx="12" cy="12" r="7.5" class="ring"/><circle cx="12" cy="12" r="2.5" class="dot"/>',
  stop: '<circle cx="12" cy="12" r="6.5" class="ring"/><path d="M10.4 9.4v5.2M13.6 9.4v5.2" class="bars"/>',
  end: '<path d="M16 39C11.5 30.5 3 25.5 3 15.5a13 13 0 0 1 26 0c0 10-8.5 15-13 23.5Z" class="pin"/><path d="M11.5 21.5v-12m0 .6h9.3l-2.2 3.2 2.2 3.2h-9.3" class="flag"/>',
};

/** The buttons on the map: one for each start, stop and end of the trips, in the order of travel. */
export class TripMarkers {
  readonly #mapboxgl: MapboxLibrary;
  readonly #map: MapboxMap;
  readonly #listener: MapCanvasListener;
  #markers: Marker[] = [];
  readonly #buttons = new WeakMap<TripStop, HTMLButtonElement>();

  constructor(mapboxgl: MapboxLibrary, map: MapboxMap, listener: MapCanvasListener) {
    this.#mapboxgl = mapboxgl;
    this.#map = map;
    this.#listener = listener;
  }

  draw(trips: readonly Trip[], color: string): void {
    this.remove();
    this.#markers = trips
      .slice(0, MARKED_TRIPS)
      .flatMap((trip, index) => trip.stops.map((stop) => this.#mark(stop, tripColor(index, color))));
  }

  /** The button of a stop, where focus returns when its popup closes. */
  buttonOf(stop: TripStop): HTMLButtonElement | undefined {
    return this.#buttons.get(stop);
  }

  remove(): void {
    for (const marker of this.#markers) marker.remove();
    this.#markers = [];
  }

  #mark(stop: TripStop, color: string): Marker {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = `stop ${stop.kind}`;
    button.part.add('stop', `stop-${stop.kind}`);
    button.setAttribute('role', 'button');
    button.setAttribute('aria-label', this.#listener.labelOf(stop));
    button.setAttribute('aria-haspopup', 'dialog');
    button.style.setProperty('--stop-color', color);
    const box = stop.kind === 'end' ? '0 0 32 40' : '0 0 24 24';
    button.innerHTML = `<svg viewBox="${box}" aria-hidden="true" focusable="false">${ICONS[stop.kind]}</svg>`;
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      this.#listener.stopChosen(stop);
    });
    this.#buttons.set(stop, button);
    const anchor = stop.kind === 'end' ? 'bottom' : 'center';
    return new this.#mapboxgl.Marker({ element: button, anchor }).setLngLat(stop.position).addTo(this.#map);
  }
}
