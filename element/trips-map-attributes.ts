import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';

import { booleanAttribute } from './boolean-attribute.ts';
import { DEFAULT_CENTER, DEFAULT_ZOOM } from './canvas/map-settings.ts';
import type { ReverseGeocodeHandler } from './stops/reverse-geocoder.ts';
import type { TokenProvider } from './trips/token-manager.ts';
import { VERSION } from './version.ts';

/** The properties that select trips; `tokenProvider` only speaks when a load needs it. */
export const TRIP_PROPERTIES = [
  'serviceUrl',
  'serviceToken',
  'vehicleKey',
  'tripKey',
  'startedAfter',
  'startedBefore',
] as const;

/** The properties that the map is made of. */
export const MAP_PROPERTIES = [
  'mapType',
  'mapProviderAccessToken',
  'mapProviderUrl',
  'mapStyle',
  'defaultCenter',
  'defaultZoom',
  'theme',
  'locale',
  'units',
  'colorBy',
] as const;

/** Properties and attributes say the same; an attribute that is taken away leaves the default. */
const REFLECTED = { reflect: true, useDefault: true } as const;

/**
 * What a page author sets on `<service-trips-map>`: the attributes of the specification (section E) first, then our own.
 * Each may change at any time, also while trips are loaded.
 */
export abstract class TripsMapAttributes extends LitElement {
  /** Version of the script that defined the element. */
  static readonly version: string = VERSION;

  /** Public access token of the map provider; needed unless `map-style` is a style of one's own. */
  @property({ attribute: 'map-provider-access-token', ...REFLECTED }) mapProviderAccessToken: string | null = null;
  /** The special-purpose token; lives an hour, set a new one then. */
  @property({ attribute: 'service-token', ...REFLECTED }) serviceToken: string | null = null;
  /** The vehicle whose trips are shown; always needed, and the one that the token is for. */
  @property({ attribute: 'vehicle-key', ...REFLECTED }) vehicleKey: string | null = null;
  /** Shows this one trip; the two times are then ignored. */
  @property({ attribute: 'trip-key', ...REFLECTED }) tripKey: string | null = null;
  /** Trips that started after this time, up to the end of that day. */
  @property({ attribute: 'started-after', ...REFLECTED }) startedAfter: string | null = null;
  /** Trips that started before this time, back to the start of that day. */
  @property({ attribute: 'started-before', ...REFLECTED }) startedBefore: string | null = null;
  /** `interactive` (pan, zoom) or `static` (one image). */
  @property({ attribute: 'map-type', ...REFLECTED }) mapType: 'interactive' | 'static' = 'interactive';
  /** Any style URL, of interactive maps; the provider's standard style where there is none. */
  @property({ attribute: 'map-style', ...REFLECTED }) mapStyle: string | null = null;
  /** `longitude,latitude` of the map without trips. */
  @property({ attribute: 'default-center', ...REFLECTED }) defaultCenter: string = DEFAULT_CENTER;
  /** Zoom of the map without trips. */
  @property({ attribute: 'default-zoom', type: Number, ...REFLECTED }) defaultZoom: number = DEFAULT_ZOOM;
  /** Whether a stop's popup shows its address. */
  @property({ attribute: 'reverse-geocode', converter: booleanAttribute, ...REFLECTED }) reverseGeocode = false;

  /** Where GraphQL is; else the address that the server wrote into this file. */
  @property({ attribute: 'service-url', ...REFLECTED }) serviceUrl: string | null = null;
  /** Base URL of a provider, or proxy, with Mapbox's interfaces; one for all maps of a page. */
  @property({ attribute: 'map-provider-url', ...REFLECTED }) mapProviderUrl: string | null = null;
  /** `light`, `dark`, or `auto` as the reader's system has it. */
  @property(REFLECTED) theme: 'light' | 'dark' | 'auto' = 'auto';
  /** `km` or `mi`; else as the region of the locale has it. */
  @property(REFLECTED) units: 'km' | 'mi' | null = null;
  /** Language of words, times and numbers; else that of the document, else the reader's. */
  @property(REFLECTED) locale: string | null = null;
  /** Whether a panel lists the trips, to choose one. */
  @property({ attribute: 'trip-list', converter: booleanAttribute, ...REFLECTED }) tripList = false;
  /** `speed` colours interactive lines by speed, with a legend; else each trip has a colour. */
  @property({ attribute: 'color-by', ...REFLECTED }) colorBy: 'trip' | 'speed' = 'trip';
  /** Whether interactive maps have controls that play the trips. */
  @property({ attribute: 'replay', converter: booleanAttribute, ...REFLECTED }) replay = false;

  /** Replaces the provider's geocoder in popups (specification, section E, rule 4). */
  @property({ attribute: false }) reverseGeocodeHandler: ReverseGeocodeHandler | null = null;
  /** Asked for a fresh token before one ends, and when the service has rejected one. */
  @property({ attribute: false }) tokenProvider: TokenProvider | null = null;
}
