import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';

import { attribute } from './attribute.ts';
import type { ReverseGeocodeHandler } from '../stops/reverse-geocoder.ts';
import type { TokenProvider } from '../trips/token-manager.ts';

declare const __VERSION__: string | undefined;

/** Defaults that replace invalid values, too (specification, section E). */
export const DEFAULT_CENTER = '-98.5795,39.828175';
export const DEFAULT_ZOOM = 3;

/** The attributes and properties that a page may set at any time: those of the specification (section E) first. */
export abstract class TripsMapAttributes extends LitElement {
  /** Version of the script that defined the element, set by the build. */
  static readonly version: string = typeof __VERSION__ === 'undefined' ? 'unbuilt' : __VERSION__;

  /** Public token of the map provider. Required with mapbox-gl, and for static maps and addresses. */
  @attribute({ affects: 'map' }) mapProviderAccessToken: string | null = null;
  /** The special-purpose token. It is valid for an hour; then set a new one. */
  @attribute({ affects: 'trips' }) serviceToken: string | null = null;
  /** The vehicle whose trips are shown. Required; the token must be for this vehicle. */
  @attribute({ affects: 'trips' }) vehicleKey: string | null = null;
  /** Shows only this trip; `started-after` and `started-before` are then ignored. */
  @attribute({ affects: 'trips' }) tripKey: string | null = null;
  /** Shows trips that started after this time, up to the end of that day. */
  @attribute({ affects: 'trips' }) startedAfter: string | null = null;
  /** Shows trips that started before this time, back to the start of that day. */
  @attribute({ affects: 'trips' }) startedBefore: string | null = null;
  /** `interactive` (pan, zoom) or `static` (one image). */
  @attribute({ affects: 'map' }) mapType: 'interactive' | 'static' = 'interactive';
  /** URL of the style of an interactive map; defaults to the maps of the service or, with mapbox-gl, to the provider's standard style. */
  @attribute({ affects: 'map' }) mapStyle: string | null = null;
  /** Center of a map without trips, as `longitude,latitude`. */
  @attribute({ affects: 'map' }) defaultCenter: string = DEFAULT_CENTER;
  /** Zoom level of a map without trips. */
  @attribute({ affects: 'map', type: Number }) defaultZoom: number = DEFAULT_ZOOM;
  /** Shows the address of a stop in its popup. */
  @attribute({ type: Boolean }) reverseGeocode = false;

  /** URL of the GraphQL endpoint; defaults to the one that the server wrote into this file. */
  @attribute({ affects: 'trips' }) serviceUrl: string | null = null;
  /** Base URL of a provider, or proxy, with Mapbox's APIs; shared by all maps of a page. */
  @attribute({ affects: 'map' }) mapProviderUrl: string | null = null;
  /** URL of the style for the dark theme; defaults to `map-style`. */
  @attribute({ affects: 'map' }) mapStyleDark: string | null = null;
  /** `light`, `dark`, or `auto` to follow the background of `map-style`, else the reader's system. */
  @attribute({ affects: 'map' }) theme: 'light' | 'dark' | 'auto' = 'auto';
  /** `km` or `mi`; defaults to the unit of the locale's region. */
  @attribute({ affects: 'map' }) units: 'km' | 'mi' | null = null;
  /** Language of texts, times and numbers; defaults to the document's language, then to the reader's. */
  @attribute({ affects: 'map' }) locale: string | null = null;
  /** Zone of all times: `trip` for the zone in which a trip started, `reader`, or a name such as `Europe/Rome`. */
  @attribute({ affects: 'map' }) timeZone: string = 'trip';
  /** Shows a panel that lists the trips and lets the reader select one. */
  @attribute({ type: Boolean }) tripList = false;
  /** `speed` colors the lines of an interactive map by speed and shows a legend; `trip` gives each trip a color. */
  @attribute({ affects: 'map' }) colorBy: 'trip' | 'speed' = 'trip';
  /** Shows controls that replay the trips on an interactive map. */
  @attribute({ type: Boolean }) replay = false;

  /** `on` leaves a wheel without Ctrl and a single finger to the page, `auto` does so on touch screens and in pages that scroll. */
  @attribute({ affects: 'map' }) cooperativeGestures: 'auto' | 'on' | 'off' = 'auto';
  /** Shows a button that enlarges an interactive map to the whole screen. */
  @attribute({ affects: 'map', type: Boolean }) fullscreen = false;

  /** Shows in its cards what developers can do about errors; always on for pages on localhost. */
  @attribute({ type: Boolean }) debug = false;

  /** Follows the vehicle on an interactive map: its marker moves and the line of its trip grows as positions arrive. */
  @attribute({ type: Boolean }) live = false;
  /** Secret of a share that pages of this origin may embed, instead of `vehicle-key` and `service-token`. */
  @attribute({ affects: 'trips' }) share: string | null = null;
  /** Shows several vehicles instead of `vehicle-key`: their keys, separated by spaces; `tokenProvider` returns a token for each. `*` shows those of a shared group. */
  @attribute({ affects: 'trips' }) vehicleKeys: string | null = null;

  /** Replaces the provider's geocoder in popups (specification, section E, rule 4). */
  @property({ attribute: false }) reverseGeocodeHandler: ReverseGeocodeHandler | null = null;
  /** Called with the key of a vehicle to get a fresh token, shortly before a token expires and after the service has rejected one. */
  @property({ attribute: false }) tokenProvider: TokenProvider | null = null;
  /** Names of vehicles by their keys (attribute `vehicle-keys`); the others are numbered. */
  @property({ attribute: false }) vehicleLabels: Readonly<Record<string, string>> | null = null;
}
