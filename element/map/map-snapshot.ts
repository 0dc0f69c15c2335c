import type { Map as MapboxMap } from 'mapbox-gl';

/** How long a map may go on loading before it is copied all the same: another waits for its graphics context. */
const MAX_WAIT_MS = 1000;

/**
 * What stands in the place of a map that had to give up its graphics context in view: a copy of what it showed, with a
 * button above it that asks for the map again.
 */
export class MapSnapshot {
  readonly #element = document.createElement('div');
  readonly #button = document.createElement('button');

  private constructor(copy: HTMLElement, label: string) {
    this.#element.className = 'still';
    this.#button.type = 'button';
    this.#button.setAttribute('aria-label', label);
    this.#element.append(copy, this.#button);
  }

  /** Copies a map when it is at rest, or as it is after {@link LONGEST_WAIT_MS}; null where it is removed before. */
  static of(map: MapboxMap, label: string): Promise<MapSnapshot | null> {
    return new Promise((resolve) => {
      // Within a frame: its pixels are gone after that.
      const copy = (): void => {
        clearTimeout(patience);
        resolve(new MapSnapshot(copyOf(map), label));
      };
      const patience = setTimeout(() => {
        map.off('idle', copy);
        map.once('render', copy);
        map.triggerRepaint();
      }, MAX_WAIT_MS);
      map.once('remove', () => {
        clearTimeout(patience);
        resolve(null);
      });
      map.once('idle', copy);
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
    // Whoever still knows of the picture does not keep its pixels.
    this.#element.replaceChildren();
    return focused;
  }
}

function copyOf(map: MapboxMap): HTMLElement {
  const copy = map.getContainer().cloneNode(true) as HTMLElement;
  for (const name of ['id', 'part']) copy.removeAttribute(name);
  copy.inert = true;
  copy.querySelector('canvas')?.getContext('2d')?.drawImage(map.getCanvas(), 0, 0);
  return copy;
}
