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

/** Dispatches one of the component's events on `target`. None is cancelable, all bubble and leave shadow roots. */
export function emit<Name extends keyof TripsMapEvents>(
  target: EventTarget,
  name: Name,
  detail: TripsMapEvents[Name],
): void {
  target.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: false }));
}
