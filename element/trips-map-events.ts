import type { LiveConnection, LiveInterruption, LivePosition } from './live/live-position.ts';
import type { MapInstance } from './engine/map-canvas.ts';
import type { AddressNotFound } from './stops/stop-dialogs.ts';

/** Type of `event.detail` by event name (specification, Events); `Element` is the class of the element. */
export interface TripsMapEvents<Element extends HTMLElement = HTMLElement> {
  mount: Element;
  unmount: Element;
  'map-load': MapInstance;
  'trip-loading': boolean;
  'api-error': Error;
  'auth-error': Error;
  'trip-render': MapInstance;
  error: Error;
  'address-not-found': AddressNotFound;
  'live-connected': LiveConnection;
  'live-position': LivePosition;
  'live-disconnected': LiveInterruption;
}

/** All events of the element by name, including those of every HTML element. */
interface ElementEvents<Element extends HTMLElement>
  extends Omit<HTMLElementEventMap, keyof TripsMapEvents>,
    CustomEvents<Element> {}
type CustomEvents<Element extends HTMLElement> = {
  [Name in keyof TripsMapEvents]: CustomEvent<TripsMapEvents<Element>[Name]>;
};

/** Type of `addEventListener` and `removeEventListener` with these events. */
export interface Listen<Element extends HTMLElement> {
  <Name extends keyof ElementEvents<Element>>(
    type: Name,
    listener: (this: Element, event: ElementEvents<Element>[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  (type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/** Dispatches an event of the component on `target`. None is cancelable, all bubble and cross shadow roots. */
export function emit<Name extends keyof TripsMapEvents>(
  target: EventTarget,
  name: Name,
  detail: TripsMapEvents[Name],
): void {
  target.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: false }));
}
