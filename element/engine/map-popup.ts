import type { LngLat, Popup } from 'mapbox-gl';

import { panClearOf } from './pan-clear-of.ts';
import type { EngineMap } from './engine-map.ts';
import type { EngineLibrary } from './map-engine.ts';
import type { TripStop } from '../trips/trip.ts';
import { flagScale } from './view-padding.ts';

/** Height of the largest pin of an end, whose tip is at the position, in pixels. */
const PIN = 42;

const PAN_MS = 250;

/** Mark of the events of a movement that makes room for a popup. */
const OF_POPUP = { isOfPopup: true };

/** The popup of a map; one is open at a time. */
export class MapPopup {
  #popup: Popup | null = null;
  /** Center of the view that a popup was opened in; null unless the map was panned for it, and not moved otherwise since. */
  #center: LngLat | null = null;

  constructor(
    private readonly library: EngineLibrary,
    private readonly map: EngineMap,
    /** Returns the boxes of the panels and controls that lie on the map. */
    private readonly covers: () => readonly DOMRect[],
  ) {
    map.on('movestart', (event: object) => {
      if (!('isOfPopup' in event)) this.#center = null;
    });
    // A map that is removed closes its popup, and can be panned no more.
    map.on('remove', () => {
      this.#center = null;
    });
  }

  /** Opens the popup at a stop and focuses it; `button`, whose color it takes, gets the focus when it closes. */
  open(stop: TripStop, content: HTMLElement, button: HTMLElement | null): void {
    this.close();
    content.style.setProperty('--stop-color', button?.style.getPropertyValue('--stop-color') ?? '');
    const popup = new this.library.Popup({
      // An anchor that changed while the map is panned would move the popup elsewhere.
      anchor: 'bottom',
      offset: stop.kind === 'end' ? PIN * flagScale(this.map.getContainer().clientWidth) : 16,
      maxWidth: 'none',
      closeButton: false,
      focusAfterOpen: false,
      className: 'stop-popup',
    });
    this.#popup = popup;
    popup.setLngLat(stop.position).setDOMContent(content).addTo(this.map);
    // Reports the first size, and when the address changes it.
    const sizes = new ResizeObserver(() => this.#panIntoView(content));
    sizes.observe(content);
    popup.once('close', () => {
      sizes.disconnect();
      if (this.#popup === popup) this.#popup = null;
      // Another may be opened instead.
      queueMicrotask(() => this.#panBack());
    });
    content.addEventListener('close-popup', () => {
      const focused = content.matches(':focus-within');
      popup.remove();
      if (focused) button?.focus({ preventScroll: true });
    });
    content.focus({ preventScroll: true });
  }

  get isOpen(): boolean {
    return this.#popup !== null;
  }

  close(): void {
    this.#popup?.remove();
  }

  /** Pans the map until the popup lies on it, clear of panels and controls. */
  #panIntoView(content: HTMLElement): void {
    const around = this.map.getContainer().getBoundingClientRect();
    const [x, y] = panClearOf(content.getBoundingClientRect(), around, this.covers());
    if (x === 0 && y === 0) return;
    this.#center ??= this.map.getCenter();
    this.map.panBy([x, y], { duration: PAN_MS }, OF_POPUP);
  }

  /** Pans the map back to where it was, once no popup is open. */
  #panBack(): void {
    if (!this.isOpen && this.#center) this.map.panTo(this.#center, { duration: PAN_MS }, OF_POPUP);
  }
}
