import type { Map as MapboxMap, Marker } from 'mapbox-gl';

import type { MapboxLibrary } from './mapbox-library.ts';
import type { VehiclePose } from './map-canvas.ts';

/** Minimum zoom while following, close enough to see the street. */
const FOLLOW_ZOOM = 14;

/** The replayed vehicle on the map: an arrow in the direction of travel. */
export class VehicleMarker {
  readonly #marker: Marker;
  readonly #element: HTMLElement = document.createElement('div');
  #shown = false;

  constructor(
    mapboxgl: MapboxLibrary,
    private readonly map: MapboxMap,
  ) {
    this.#element.className = 'vehicle';
    this.#element.part.add('vehicle');
    this.#element.setAttribute('aria-hidden', 'true');
    this.#element.innerHTML =
      '<svg viewBox="0 0 32 32"><circle cx="16" cy="16" r="14" fill="var(--_accent)" stroke="#fff" stroke-width="2.5"/>' +
      '<path d="m16 6 7.5 18-7.5-4.2L8.500 24z" fill="var(--_surface)"/></svg>';
    this.#marker = new mapboxgl.Marker({ element: this.#element, rotationAlignment: 'map' });
  }

  /** Moves the vehicle, or removes it if `pose` is null; `follow` centers the map on it. */
  show(pose: VehiclePose | null, follow: boolean): void {
    if (!pose) {
      this.#marker.remove();
      this.#shown = false;
      return;
    }
    this.#marker.setLngLat(pose.position).setRotation(pose.heading);
    if (!this.#shown) this.#marker.addTo(this.map);
    this.#shown = true;
    this.#element.classList.toggle('guessed', pose.guessed);
    if (!follow) return;
    this.map.jumpTo({ center: pose.position, zoom: Math.max(FOLLOW_ZOOM, this.map.getZoom()) });
  }
}
