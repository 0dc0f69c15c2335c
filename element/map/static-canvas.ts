import { type Emphasis, type MapCanvas, type MapCanvasListener, NO_EMPHASIS } from '../engine/map-canvas.ts';
import { type MapSettings, sameFallback } from '../engine/map-settings.ts';
import type { staticImageUrl } from './static-image-url.ts';
import type { Trip } from '../trips/trip.ts';

/** Time for which a size must be stable before an image of it is requested. */
const STABLE_MS = 250;

/** Returns the URL of an image of the trips, and the number of trips that are omitted. */
type ImageOf = (
  ...args: [...Parameters<typeof staticImageUrl>, container: HTMLElement]
) => ReturnType<typeof staticImageUrl>;

/** A map that is one image, without an engine: of the provider's Static Images API, or drawn here. */
export class StaticCanvas implements MapCanvas {
  readonly instance: HTMLImageElement = document.createElement('img');
  readonly loaded: Promise<void>;
  #trips: readonly Trip[] | null = null;
  #emphasis: Emphasis = NO_EMPHASIS;
  readonly #sizes = new ResizeObserver(() => this.#resized());
  #drawnSize = '';
  #resizing: ReturnType<typeof setTimeout> | undefined;
  #requested = '';

  constructor(
    private readonly container: HTMLElement,
    private settings: MapSettings,
    private readonly listener: Omit<MapCanvasListener, 'contextLost'>,
    private readonly imageOf: ImageOf,
  ) {
    this.instance.part.add('image');
    this.instance.decoding = 'async';
    this.loaded = new Promise((resolve) => this.instance.addEventListener('load', () => resolve(), { once: true }));
    container.append(this.instance);
    this.#sizes.observe(container);
  }

  async draw(trips: readonly Trip[]): Promise<void> {
    this.#trips = trips;
    const { clientWidth: width, clientHeight: height } = this.container;
    const color = getComputedStyle(this.container).getPropertyValue('--_line-color').trim();
    this.#drawnSize = `${width}x${height}`;
    const size = { width, height, retina: devicePixelRatio > 1 };
    const only = this.#emphasis.chosen;
    const { url, leftOut } = this.imageOf(trips, this.settings, size, { color, only }, this.container);
    this.listener.leftOut(leftOut);
    this.instance.alt = this.listener.summaryOf(trips.filter(({ key }) => only === null || key === only));
    this.#requested = url;
    this.instance.src = url;
    await this.instance.decode().catch((cause: unknown) => {
      if (this.#requested === url) throw new Error('The map image could not be loaded', { cause });
    });
  }

  update(settings: MapSettings): void {
    const before = this.settings;
    this.settings = settings;
    const moved = this.#trips?.length === 0 && !sameFallback(before, settings);
    if (moved || before.theme !== settings.theme) this.#redraw();
  }

  /** An image cannot emphasize a trip: it shows only the chosen one. */
  emphasize(emphasis: Emphasis): void {
    const before = this.#emphasis;
    this.#emphasis = emphasis;
    if (before.chosen !== emphasis.chosen) this.#redraw();
  }

  // An image has neither vehicles nor stops to choose.
  showVehicle(): void {}
  showLive(): void {}
  openPopup(): void {}
  closePopup(): boolean {
    return false;
  }

  remove(): void {
    this.#sizes.disconnect();
    clearTimeout(this.#resizing);
    this.#requested = '';
    this.instance.remove();
    this.instance.removeAttribute('src');
  }

  /** Requests an image of a new size once that is stable, since every image is billed. */
  #resized(): void {
    clearTimeout(this.#resizing);
    const { clientWidth, clientHeight } = this.container;
    const shown = clientWidth > 0 && clientHeight > 0;
    if (!shown || this.#drawnSize === `${clientWidth}x${clientHeight}`) return;
    this.#resizing = setTimeout(() => this.#redraw(), STABLE_MS);
  }

  #redraw(): void {
    if (this.#trips) void this.draw(this.#trips).catch((error: Error) => this.listener.failed(error));
  }
}
