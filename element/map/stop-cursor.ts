import type { EngineMap } from '../engine/engine-map.ts';
import type { MarkedStop } from '../engine/marked-stops.ts';

/** Callbacks of the cursor. */
interface StopCursorListener {
  /** Returns the accessible name of a stop. */
  labelOf(marked: MarkedStop): string;
  chosen(marked: MarkedStop): void;
}

/**
 * The one button of all stops, by which the keyboard and screen readers reach them: it shows the focus ring, and the arrow
 * keys move it from stop to stop and from trip to trip. The stops themselves are drawn by the map.
 */
export class StopCursor {
  #stops: readonly MarkedStop[] = [];
  #current = 0;
  #button: HTMLButtonElement | null = null;

  constructor(
    private readonly map: EngineMap,
    private readonly listener: StopCursorListener,
  ) {
    // The button is invisible unless it has the focus: only then it follows the map in each frame, else when the map has come
    // to rest. A map that follows a vehicle ends a move in each frame, too.
    map.on('move', () => {
      if (this.#button?.matches(':focus')) this.#place();
    });
    map.on('idle', () => this.#place());
    map.on('resize', () => this.#place());
  }

  /** The button, to which the focus returns when a popup closes; null without stops. */
  get button(): HTMLButtonElement | null {
    return this.#button;
  }

  /** Replaces the stops. The cursor is at the first one or, if `stay`, at the one that has the place of the present one. */
  show(stops: readonly MarkedStop[], stay = false): void {
    const before = stay ? this.#stops[this.#current] : undefined;
    this.#stops = stops;
    this.moveTo(stops.find((marked) => before && isSamePlace(marked, before)) ?? stops[0]);
  }

  /** Moves to a stop without the focus, unless the cursor has it already: a button that has it is replaced, to be announced. */
  moveTo(marked: MarkedStop | undefined): void {
    const before = this.#button;
    const focused = before?.matches(':focus') ?? false;
    this.#button = marked ? ((focused ? null : before) ?? this.#newButton()) : null;
    this.#current = marked ? this.#stops.indexOf(marked) : 0;
    if (this.#button && marked) this.#describe(this.#button, marked);
    if (this.#button !== before && this.#button) this.map.getCanvasContainer().append(this.#button);
    this.#place();
    if (focused) this.#button?.focus({ preventScroll: true });
    if (this.#button !== before) before?.remove();
  }

  /** Moves to the first stop of a trip. */
  moveToTrip(tripKey: string): void {
    this.moveTo(this.#stops.find((marked) => marked.tripKey === tripKey));
  }

  /** Returns the pixels of a stop, on the copy of the world in view. */
  #pointOf({ stop }: MarkedStop): { readonly x: number; readonly y: number } {
    const [lon, lat] = stop.position;
    const turns = Math.round((this.map.getCenter().lng - lon) / 360);
    return this.map.project([lon + turns * 360, lat]);
  }

  #place(): void {
    const marked = this.#stops[this.#current];
    if (!this.#button || !marked) return;
    const { x, y } = this.#pointOf(marked);
    this.#button.style.transform = `translate(${x}px, ${y}px)`;
  }

  #describe(button: HTMLButtonElement, marked: MarkedStop): void {
    const { kind } = marked.stop;
    button.className = `stop ${kind === 'stop' ? 'on-way' : kind}`;
    button.part.value = `stop stop-${kind}`;
    button.setAttribute('aria-label', this.listener.labelOf(marked));
    button.style.setProperty('--stop-color', marked.color);
  }

  #newButton(): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('aria-haspopup', 'dialog');
    button.setAttribute('aria-keyshortcuts', 'ArrowLeft ArrowRight ArrowUp ArrowDown Home End');
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      const marked = this.#stops[this.#current];
      if (marked) this.listener.chosen(marked);
    });
    button.addEventListener('focus', () => this.#place());
    button.addEventListener('keydown', (event) => this.#handleKey(event));
    return button;
  }

  #handleKey(event: KeyboardEvent): void {
    const target = this.#targetOf(event.key);
    if (target === null || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const marked = this.#stops[Math.max(0, Math.min(target, this.#stops.length - 1))];
    if (!marked) return;
    this.moveTo(marked);
    const { x, y } = this.#pointOf(marked);
    const { clientWidth, clientHeight } = this.map.getContainer();
    if (x < 0 || y < 0 || x > clientWidth || y > clientHeight) this.map.jumpTo({ center: marked.stop.position });
  }

  /** Returns the index of the stop to which a key leads, perhaps out of range; null for other keys. */
  #targetOf(key: string): number | null {
    const at = this.#current;
    const [trip = 0] = this.#stops[at]?.place ?? [];
    const several = this.#stops.some(({ place }) => place[0] !== trip);
    const startOf = (number: number): number => {
      const found = this.#stops.findIndex(({ place }) => place[0] === number);
      return found < 0 ? at : found;
    };
    if (key === 'ArrowRight' || (key === 'ArrowDown' && !several)) return at + 1;
    if (key === 'ArrowLeft' || (key === 'ArrowUp' && !several)) return at - 1;
    if (key === 'ArrowDown') return startOf(trip + 1);
    if (key === 'ArrowUp') return startOf(trip - 1);
    if (key === 'Home') return 0;
    return key === 'End' ? this.#stops.length - 1 : null;
  }
}

function isSamePlace(a: MarkedStop, b: MarkedStop): boolean {
  return a.tripKey === b.tripKey && a.place[1] === b.place[1];
}
