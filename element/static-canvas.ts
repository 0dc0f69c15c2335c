import type { MapCanvas } from './map-canvas.ts';
import { type MapSettings, sameFallback } from './map-settings.ts';
import { staticImageUrl } from './static-image-url.ts';
import type { Trip } from './trip.ts';

/** The static map: one image of the provider's Static Images API, without mapbox-gl. */
export class StaticCanvas implements MapCanvas {
  readonly instance: HTMLImageElement = document.createElement('img');
  readonly loaded: Promise<void>;
  readonly #container: HTMLElement;
  readonly #leftOut: (count: number) => void;
  #settings: MapSettings;
  #trips: readonly Trip[] | null = null;
  #requested = '';

  /** `leftOut` hears how many trips the image has no room for, each time it is drawn. */
  constructor(container: HTMLElement, settings: MapSettings, leftOut: (count: number) => void) {
    this.#container = container;
    this.#settings = settings;
    this.#leftOut = leftOut;
    this.instance.part.add('image');
    this.instance.alt = '';
    this.instance.decoding = 'async';
    this.loaded = new Promise((resolve) => this.instance.addEventListener('load', () => resolve(), { once: true }));
    container.append(this.instance);
  }

  async draw(trips: readonly Trip[]): Promise<void> {
    this.#trips = trips;
    const { clientWidth: width, clientHeight: height } = this.#container;
    const color = getComputedStyle(this.#container).getPropertyValue('--_line-color').trim();
    const size = { width, height, retina: devicePixelRatio > 1 };
    const { url, leftOut } = staticImageUrl(trips, this.#settings, size, color);
    this.#leftOut(leftOut);
    this.#requested = url;
    this.instance.src = url;
    await this.instance.decode().catch((cause: unknown) => {
      if (this.#requested === url) throw new Error('The map image could not be loaded', { cause });
    });
  }

  update(settings: MapSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    const trips = this.#trips;
    const moved = trips?.length === 0 && !sameFallback(before, settings);
    if (trips && (moved || before.theme !== settings.theme)) void this.draw(trips).catch(() => {});
  }

  openPopup(): void {
    // An image has no stops to choose.
  }

  closePopup(): void {
    // None is ever open.
  }

  remove(): void {
    this.#requested = '';
    this.instance.remove();
    this.instance.removeAttribute('src');
  }
}
