import type { Popup } from 'mapbox-gl';

import type { EngineMap } from './engine-map.ts';
import type { EngineLibrary } from './map-engine.ts';
import type { TripStop } from '../trips/trip.ts';
import { flagScale } from './view-padding.ts';

/** The popup of a map; one is open at a time. */
export class MapPopup {
  #popup: Popup | null = null;

  constructor(
    private readonly library: EngineLibrary,
    private readonly map: EngineMap,
  ) {}

  /** Opens the popup at a stop and focuses it; `button`, whose color it takes, gets the focus when it closes. */
  open(stop: TripStop, content: HTMLElement, button: HTMLElement | null): void {
    this.close();
    content.style.setProperty('--stop-color', button?.style.getPropertyValue('--stop-color') ?? '');
    const popup = new this.library.Popup({
      offset: stop.kind === 'end' ? pinOffsets(flagScale(this.map.getContainer().clientWidth)) : 16,
      maxWidth: 'none',
      closeButton: false,
      focusAfterOpen: false,
      className: 'stop-popup',
    });
    this.#popup = popup;
    popup.setLngLat(stop.position).setDOMContent(content).addTo(this.map);
    popup.once('close', () => {
      if (this.#popup === popup) this.#popup = null;
    });
    content.addEventListener('close-popup', () => {
      const focused = content.matches(':focus-within');
      popup.remove();
      if (focused) button?.focus({ preventScroll: true });
    });
    this.#panIntoView(content);
    content.focus({ preventScroll: true });
  }

  close(): void {
    this.#popup?.remove();
  }

  /** Pans the map by as much as the popup overflows it. */
  #panIntoView(content: HTMLElement): void {
    const inside = content.getBoundingClientRect();
    const around = this.map.getContainer().getBoundingClientRect();
    const margin = 10;
    const x = Math.min(0, inside.left - around.left - margin) || Math.max(0, inside.right - around.right + margin);
    const y = Math.min(0, inside.top - around.top - margin) || Math.max(0, inside.bottom - around.bottom + margin);
    if (x !== 0 || y !== 0) this.map.panBy([x, y], { duration: 250 });
  }
}

/** Returns offsets in pixels that keep the popup clear of an end's pin of a size, whose tip is at the position. */
function pinOffsets(scale: number): Record<string, [number, number]> {
  const below: [number, number] = [0, 8];
  const above: [number, number] = [0, -42 * scale];
  return {
    ...{ top: below, 'top-left': below, 'top-right': below },
    ...{ bottom: above, 'bottom-left': above, 'bottom-right': above },
    ...{ left: [18 * scale, -22 * scale], right: [-18 * scale, -22 * scale] },
  };
}
