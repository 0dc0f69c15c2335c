import type { IControl } from 'mapbox-gl';

/** The button that brings the view back to the trips, offered while it is another. */
export class FitControl implements IControl {
  readonly #group: HTMLElement = document.createElement('div');

  /** `prefix` is that of the engine's classes, `label` the accessible name. */
  constructor(prefix: string, label: string, fit: () => void) {
    this.#group.className = `${prefix}-ctrl ${prefix}-ctrl-group`;
    this.#group.hidden = true;
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', className: 'fit', title: label, ariaLabel: label });
    button.innerHTML =
      '<svg viewBox="0 0 20 20" width="20" aria-hidden="true"><path d="M2 6V2h4m8 0h4v4m0 8v4h-4m-8 0H2v-4M6 13c4 0-1-6 3-6s1 6 5 6"/></svg>';
    button.addEventListener('click', fit);
    this.#group.append(button);
  }

  offer(isOffered: boolean): void {
    this.#group.toggleAttribute('hidden', !isOffered);
  }

  onAdd(): HTMLElement {
    return this.#group;
  }

  onRemove(): void {
    this.#group.remove();
  }
}
