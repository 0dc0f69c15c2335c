/**
 * The exports of both entries of the npm package.
 *
 * @module
 */
import type { ServiceTripsMap } from '../service-trips-map.ts';
import type { TripsMapEvents as EventsOf } from '../trips-map-events.ts';

// biome-ignore-start lint/performance/noBarrelFile: both entries of the package export the same
export type { MapInstance } from '../engine/map-canvas.ts';
export type { Address, ReverseGeocodeHandler } from '../stops/reverse-geocoder.ts';
export { ServiceTripsMap } from '../service-trips-map.ts';
export type { ViewState } from '../state-view.ts';
export type { TokenProvider } from '../trips/token-manager.ts';
export type { LonLat, Trip, TripMotion, TripStop } from '../trips/trip.ts';
export type { AddressNotFound } from '../stops/stop-dialogs.ts';
// biome-ignore-end lint/performance/noBarrelFile: both entries of the package export the same

/** Type of `event.detail` by event name. */
export type TripsMapEvents = EventsOf<ServiceTripsMap>;
