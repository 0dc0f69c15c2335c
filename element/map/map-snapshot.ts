import type { EngineMap } from '../engine/engine-map.ts';

/** Time to wait for a loading map before it is copied anyway: another map waits for its graphics context. */
const MAX_WAIT_MS = 1000;

/** Copy of a map that was suspended in view, with a button above it that resumes the map. */
export class MapSnapshot {
  readonly #element = document.createElement('div');
  readonly #button = document.createElement('button');

  private constructor(copy: HTMLElement, label: string) {
    this.#element.className = 'snapshot';
    this.#button.type = 'button';
    this.#button.setAttribute('aria-label', label);
    this.#element.append(copy, this.#button);
  }

  /** Copies a map when it is idle, or after {@link MAX_WAIT_MS}; resolves to null if it is removed before. */
  static of(map: EngineMap, label: string): Promise<MapSnapshot | null> {
    return new Promise((resolve) => {
      // Synchronously in the frame: its pixels are gone afterwards.
      const copy = (): void => {
        clearTimeout(timeout);
        resolve(new MapSnapshot(copyOf(map), label));
      };
      const timeout = setTimeout(() => {
        map.off('idle', copy);
        map.once('render', copy);
        map.triggerRepaint();
      }, MAX_WAIT_MS);
      map.once('remove', () => {
        clearTimeout(timeout);
        resolve(null);
      });
      map.once('idle', copy);
      map.triggerRepaint();
    });
  }

  /** Shows the snapshot; resolves when the reader points at it or presses it, its size changes, or `signal` is aborted. */
  async showIn(container: HTMLElement, signal: AbortSignal): Promise<void> {
    container.append(this.#element);
    const { clientWidth, clientHeight } = container;
    await new Promise<void>((resolve) => {
      const resume = (): void => {
        sizes.disconnect();
        resolve();
      };
      const sizes = new ResizeObserver(() => {
        if (container.clientWidth !== clientWidth || container.clientHeight !== clientHeight) resume();
      });
      sizes.observe(container);
      for (const event of ['pointerenter', 'click']) this.#button.addEventListener(event, resume, { once: true });
      signal.addEventListener('abort', resume, { once: true });
    });
    this.#element.classList.add('resuming');
  }

  /** Removes the snapshot; returns true if it had the focus. */
  remove(): boolean {
    const focused = this.#element.matches(':focus-within');
    this.#element.remove();
    // Frees the pixels even while the snapshot is still referenced.
    this.#element.replaceChildren();
    return focused;
  }
}

function copyOf(map: EngineMap): HTMLElement {
  const copy = map.getContainer().cloneNode(true) as HTMLElement;
  for (const name of ['id', 'part']) copy.removeAttribute(name);
  copy.inert = true;
  copy.querySelector('canvas')?.getContext('2d')?.drawImage(map.getCanvas(), 0, 0);
  return copy;
}
