import type { MapInstance } from './map/map-canvas.ts';
import type { AddressNotFound } from './stops/stop-addresses.ts';

/** Event name to the type of `event.detail` (specification, Events), for the class of the element itself. */
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
}

/** Every event of the element by name, those that all elements have included. */
interface ElementEvents<Element extends HTMLElement>
  extends Omit<HTMLElementEventMap, keyof TripsMapEvents>,
    CustomEvents<Element> {}
type CustomEvents<Element extends HTMLElement> = {
  [Name in keyof TripsMapEvents]: CustomEvent<TripsMapEvents<Element>[Name]>;
};

/** A name of an event whose type is known. */
export type EventName = keyof ElementEvents<HTMLElement>;

/** Listens to the events of a name. */
export type Listener<Element extends HTMLElement, Name extends EventName> = (
  this: Element,
  event: ElementEvents<Element>[Name],
) => void;

/** How a listener is added or removed. */
export type ListenOptions = boolean | AddEventListenerOptions;

/** Dispatches one of the component's events on `target`. None is cancelable, all bubble and leave shadow roots. */
export function emit<Name extends keyof TripsMapEvents>(
  target: EventTarget,
  name: Name,
  detail: TripsMapEvents[Name],
): void {
  target.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: false }));
}
