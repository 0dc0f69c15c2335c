import type { Point } from 'mapbox-gl';

/** A text beside the pointer while it is on a line. For screen readers, the list of trips and the stops replace it. */
export class LineTooltip {
  readonly #element: HTMLElement = document.createElement('div');

  constructor(private readonly container: HTMLElement) {
    this.#element.className = 'tooltip';
    this.#element.part.add('tooltip');
    this.#element.setAttribute('aria-hidden', 'true');
  }

  hide(): void {
    this.#element.remove();
  }

  /** Shows a text at a point of the map. */
  show(point: Point, text: string): void {
    this.#element.textContent = text;
    if (!this.#element.isConnected) this.container.append(this.#element);
    const { clientWidth, clientHeight } = this.container;
    const { offsetWidth, offsetHeight } = this.#element;
    const x = Math.max(4, Math.min(clientWidth - offsetWidth - 4, point.x - offsetWidth / 2));
    const y = point.y - offsetHeight - 14;
    this.#element.style.translate = `${x}px ${y < 4 ? Math.min(point.y + 18, clientHeight - offsetHeight) : y}px`;
  }
}
