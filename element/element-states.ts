import { isServer, type ReactiveController, type ReactiveElement } from 'lit';

/** States of an element that a style sheet selects by `:state()`. Browsers that do not know `:state()` have none. */
export class ElementStates<Name extends string> implements ReactiveController {
  readonly #states: CustomStateSet | null;

  /**
   * @param current names of the states that the element has now, read after each update
   */
  constructor(
    host: ReactiveElement,
    private readonly current: () => readonly Name[],
  ) {
    // Browsers before `:state()` have a set that rejects its names.
    const isKnown = !isServer && CSS.supports('selector(:state(known))');
    this.#states = isKnown ? host.attachInternals().states : null;
    host.addController(this);
  }

  hostUpdated(): void {
    const current = new Set<string>(this.current());
    for (const name of this.#states ?? []) if (!current.has(name)) this.#states?.delete(name);
    for (const name of current) this.#states?.add(name);
  }
}
