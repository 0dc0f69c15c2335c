import type { MapSettings } from '../engine/map-settings.ts';
import { mediaQuery } from '../styles/media-query.ts';
import type { Trip } from '../trips/trip.ts';
import { drawnImageUrl } from './drawn-image-url.ts';

/** Number of positions beyond which a drawing would delay the map. */
const MAX_POSITIONS = 20_000;
const FADE_MS = 300;

/** The lines of trips, drawn without an engine, above a map until that has drawn them. */
export class LinePreview {
  #image: HTMLImageElement | null = null;

  /** Draws trips, instead of those before; nothing if there are none, or too many. */
  show(container: HTMLElement, trips: readonly Trip[], settings: MapSettings): void {
    const { clientWidth: width, clientHeight: height } = container;
    const positions = trips.reduce((sum, { path }) => sum + path.length, 0);
    if (positions === 0 || positions > MAX_POSITIONS || width === 0 || height === 0) {
      this.remove();
      return;
    }
    const color = getComputedStyle(container).getPropertyValue('--_line-color').trim();
    const image = this.#image ?? document.createElement('img');
    image.className = 'preview';
    image.alt = '';
    image.src = drawnImageUrl(trips, settings, { width, height, retina: false }, { color }, container, true).url;
    if (!this.#image) container.append(image);
    this.#image = image;
  }

  /** Lets the map appear, which has the lines now. */
  fade(): void {
    const image = this.#image;
    this.#image = null;
    if (!image) return;
    const duration = mediaQuery('(prefers-reduced-motion: reduce)')?.matches ? 0 : FADE_MS;
    const fading = image.animate([{ opacity: 1 }, { opacity: 0 }], duration);
    fading.onfinish = fading.oncancel = () => image.remove();
  }

  remove(): void {
    this.#image?.remove();
    this.#image = null;
  }
}
