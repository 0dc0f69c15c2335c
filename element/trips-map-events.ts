import type { MapInstance } from './map-canvas.ts';
import type { ServiceTripsMap } from './service-trips-map.ts';

/** The detail of `address-not-found`. */
export interface AddressNotFound {
  readonly message: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** Event name to the type of `event.detail` (specification, Events). */
export interface TripsMapEvents {
  mount: ServiceTripsMap;
  unmount: ServiceTripsMap;
  'map-load': MapInstance;
  'trip-loading': boolean;
  'api-error': Error;
  'auth-error': Error;
  'trip-render': MapInstance;
  error: Error;
  'address-not-found': AddressNotFound;
}

/** Every event of the element by name, those that all elements have included. */
interface ElementEvents extends Omit<HTMLElementEventMap, keyof TripsMapEvents>, CustomEvents {}
type CustomEvents = { [Name in keyof TripsMapEvents]: CustomEvent<TripsMapEvents[Name]> };

/** A name of an event whose type is known. */
export type EventName = keyof ElementEvents;

/** Listens to the events of a name. */
export type Listener<Name extends EventName> = (this: ServiceTripsMap, event: ElementEvents[Name]) => void;

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
