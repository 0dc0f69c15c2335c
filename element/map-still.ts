import type { Map as MapboxMap } from 'mapbox-gl';

/**
 * What stands in the place of a map that had to give up its graphics context in view: a copy of what it showed, with a
 * button above it that asks for the map again.
 */
export class MapStill {
  readonly #element = document.createElement('div');
  readonly #button = document.createElement('button');

  private constructor(copy: HTMLElement, label: string) {
    this.#element.className = 'still';
    this.#button.type = 'button';
    this.#button.setAttribute('aria-label', label);
    this.#element.append(copy, this.#button);
  }

  /** Copies a map with its next frame, since its pixels are gone after that; null where it is removed before. */
  static of(map: MapboxMap, label: string): Promise<MapStill | null> {
    return new Promise((resolve) => {
      map.once('remove', () => resolve(null));
      map.once('render', () => {
        const copy = map.getContainer().cloneNode(true) as HTMLElement;
        for (const name of ['id', 'part']) copy.removeAttribute(name);
        copy.inert = true;
        copy.querySelector('canvas')?.getContext('2d')?.drawImage(map.getCanvas(), 0, 0);
        resolve(new MapStill(copy, label));
      });
      map.triggerRepaint();
    });
  }

  /** Takes its place; resolves when the reader points at it or presses it, or it no longer fits, or `signal` is aborted. */
  async showIn(container: HTMLElement, signal: AbortSignal): Promise<void> {
    container.append(this.#element);
    const { clientWidth, clientHeight } = container;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        sizes.disconnect();
        resolve();
      };
      const sizes = new ResizeObserver(() => {
        if (container.clientWidth !== clientWidth || container.clientHeight !== clientHeight) wake();
      });
      sizes.observe(container);
      for (const event of ['pointerenter', 'click']) this.#button.addEventListener(event, wake, { once: true });
      signal.addEventListener('abort', wake, { once: true });
    });
    this.#element.classList.add('waking');
  }

  /** Makes way; answers whether it had the focus. */
  remove(): boolean {
    const focused = this.#element.matches(':focus-within');
    this.#element.remove();
    return focused;
  }
}
