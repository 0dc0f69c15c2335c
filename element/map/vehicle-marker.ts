import type { Marker } from 'mapbox-gl';

import type { EngineMap } from '../engine/engine-map.ts';
import type { EngineLibrary } from '../engine/map-engine.ts';
import type { Following, VehiclePose } from '../engine/map-canvas.ts';

/** Minimum zoom while following, close enough to see the street. */
const FOLLOW_ZOOM = 14;

/** Time in which a wheel's turn begins to move the map. */
const WHEEL_MS = 200;

/** The replayed vehicle on the map: an arrow in the direction of travel, in the color of its trip. */
export class VehicleMarker {
  readonly #marker: Marker;
  readonly #element: HTMLElement = document.createElement('div');
  #shown = false;
  /** Time until which the reader controls the map, in milliseconds since 1970: while it is pressed, and shortly after a wheel. */
  #usedUntil = 0;

  constructor(
    library: EngineLibrary,
    private readonly map: EngineMap,
  ) {
    this.#element.className = 'vehicle';
    this.#element.part.add('vehicle');
    this.#element.setAttribute('aria-hidden', 'true');
    this.#element.innerHTML =
      '<svg viewBox="0 0 32 32"><circle cx="16" cy="16" r="14" fill="var(--vehicle-color)" stroke="#fff" stroke-width="2.5"/>' +
      '<path d="m16 6 7.5 18-7.5-4.2L8.500 24z" fill="#fff"/></svg>';
    this.#marker = new library.Marker({ element: this.#element, rotationAlignment: 'map' });
    this.#listen(map.getCanvasContainer());
  }

  /** Moves the vehicle, or removes it if `pose` is null; returns true if the map follows. */
  show(pose: VehiclePose | null, follow: Following): boolean {
    if (!pose) {
      this.#marker.remove();
      this.#shown = false;
      return false;
    }
    this.#marker.setLngLat(pose.position).setRotation(pose.heading);
    if (!this.#shown) this.#marker.addTo(this.map);
    this.#shown = true;
    this.#element.classList.toggle('guessed', pose.guessed);
    this.#element.style.setProperty('--vehicle-color', pose.color);
    // A jump ends the gesture that is about to move the map.
    if (!follow || Date.now() < this.#usedUntil || (follow === 'inside' && this.#isInside(pose))) return false;
    const zoom = this.map.getZoom();
    this.map.jumpTo({ center: pose.position, zoom: follow === 'center' ? Math.max(FOLLOW_ZOOM, zoom) : zoom });
    return true;
  }

  #isInside({ position }: VehiclePose): boolean {
    const { x, y } = this.map.project(position);
    const { clientWidth, clientHeight } = this.map.getContainer();
    return x > 0 && y > 0 && x < clientWidth && y < clientHeight;
  }

  #listen(surface: HTMLElement): void {
    surface.addEventListener('wheel', () => {
      this.#usedUntil = Date.now() + WHEEL_MS;
    });
    surface.addEventListener('pointerdown', () => {
      this.#usedUntil = Number.POSITIVE_INFINITY;
      const release = (): void => {
        this.#usedUntil = 0;
      };
      // On the window, since the pointer may have left the map.
      for (const type of ['pointerup', 'pointercancel']) addEventListener(type, release, { once: true });
    });
  }
}
