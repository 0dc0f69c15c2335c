import { html, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from 'lit';
import { state } from 'lit/decorators.js';
import mapboxStyles from 'mapbox-gl/dist/mapbox-gl.css?inline';

import { LatestRun } from './latest-run.ts';
import { ApiError, AuthError } from './load-failure.ts';
import { loadTrips } from './load-trips.ts';
import type { MapInstance } from './map-canvas.ts';
import { errorOf, MapController } from './map-controller.ts';
import { mapStyles } from './map-styles.ts';
import { faultOfMap, type MapSettings, mapSettingsOf } from './map-settings.ts';
import { notice, stateView, type ViewState } from './state-view.ts';
import { stateStyles } from './state-styles.ts';
import { StopAddresses } from './stop-addresses.ts';
import { StopPopup } from './stop-popup.ts';
import { stopStyles } from './stop-styles.ts';
import { type Strings, stringsFor } from './strings.ts';
import type { Trip, TripStop } from './trip.ts';
import { TripFormat } from './trip-format.ts';
import { emit, type TripsMapEvents } from './trips-map-events.ts';
import { MAP_PROPERTIES, TRIP_PROPERTIES, TripsMapAttributes } from './trips-map-attributes.ts';
import { tripsRequestOf } from './trips-request.ts';

/**
 * A map of the trips of one vehicle, or of one trip (specification, section E).
 *
 * Every event bubbles, leaves shadow roots and cannot be cancelled. `unmount` is dispatched on an element that is out of
 * the document already, so that only listeners on the element itself hear it.
 *
 * @event {CustomEvent<ServiceTripsMap>} mount - when the element is in the document and has rendered
 * @event {CustomEvent<ServiceTripsMap>} unmount - when it has left the document
 * @event {CustomEvent<MapInstance>} map-load - when the map is initialised and visible
 * @event {CustomEvent<boolean>} trip-loading - true when loading trips starts, false when it ends; always in pairs
 * @event {CustomEvent<Error>} api-error - when trips cannot be loaded
 * @event {CustomEvent<Error>} auth-error - when the token is missing, is none, or is rejected
 * @event {CustomEvent<MapInstance>} trip-render - when the loaded trips, if any, are on the map
 * @event {CustomEvent<Error>} error - when the element or its map fails, or an attribute makes no sense
 * @event {CustomEvent<AddressNotFound>} address-not-found - when the provider knows no address for a stop
 * @slot loading - shown while trips are loaded
 * @slot empty - shown when there are no trips
 * @slot error - shown when trips cannot be loaded
 * @slot sign-in - shown when the token is missing or rejected
 * @csspart map - the map
 * @csspart image - the image of a static map
 * @csspart stop - the button of a start, stop or end (also `stop-start`, `stop-stop`, `stop-end`)
 * @csspart popup - the popup of a stop
 * @csspart state - the overlay of a state (also `state-loading`, `state-empty`, `state-error`, `state-sign-in`)
 * @csspart notice - the line that says how many trips a static map has no room for
 * @cssproperty --trips-map-line-color - of the line of a single trip
 * @cssproperty --trips-map-line-width - in pixels, without a unit
 * @cssproperty --trips-map-line-casing - the rim of lines
 * @cssproperty --trips-map-surface - ground of popup, cards and controls
 * @cssproperty --trips-map-text - text on the surface
 * @cssproperty --trips-map-muted - less important text
 * @cssproperty --trips-map-accent - buttons and focus rings
 * @cssproperty --trips-map-error - the mark of the error card
 * @cssproperty --trips-map-ground - what is seen before the map is there
 * @cssproperty --trips-map-radius - corners of the element
 * @cssproperty --trips-map-font - font family
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the interface only adds overloads of a method that every element has
export class ServiceTripsMap extends TripsMapAttributes {
  static override styles = [unsafeCSS(mapboxStyles), mapStyles, stopStyles, stateStyles];

  @state() private viewState: ViewState = null;
  @state() private message = '';
  @state() private mapFailure: string | null = null;
  @state() private leftOut = 0;
  @state() private shown: readonly Trip[] = [];

  readonly #loading = new LatestRun();
  readonly #darkScheme = matchMedia('(prefers-color-scheme: dark)');
  readonly #map = new MapController({
    mapLoaded: (instance) => {
      this.mapFailure = null;
      emit(this, 'map-load', instance);
    },
    tripsRendered: (instance) => emit(this, 'trip-render', instance),
    failed: (error) => this.#mapFailed(error),
    stopChosen: (stop) => this.#openPopup(stop),
    labelOf: (stop) => this.#format.label(stop),
    leftOut: (count) => {
      this.leftOut = count;
    },
  });
  #addresses: StopAddresses | null = null;
  #settings: MapSettings | null = null;
  #mapFault: string | null = null;
  /** Whether the element is in the document and has begun its work there. */
  #mounted = false;

  /** The trips that are shown, with their lines as drawn; read only. */
  get trips(): readonly Trip[] {
    return this.shown;
  }

  /** The mapbox-gl map or, of a static map, the image; null before it exists. */
  get map(): MapInstance | null {
    return this.#map.canvas?.instance ?? null;
  }

  /** What is shown over the map, if anything. */
  get state(): ViewState {
    return this.viewState;
  }

  /** Loads the trips again. */
  reload(): void {
    if (!this.isConnected) return;
    const { running } = this.#loading;
    try {
      if (this.#mapFault) throw new Error(this.#mapFault);
      const request = tripsRequestOf(this);
      this.viewState = 'loading';
      this.#loading.start(
        (signal) => loadTrips(request, signal),
        (trips) => this.#show(trips),
        (error) => this.#fail(errorOf(error), true),
      );
      if (!running) emit(this, 'trip-loading', true);
    } catch (error) {
      this.#loading.abort();
      this.#fail(errorOf(error), running);
    }
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#darkScheme.addEventListener('change', this.#schemeChanged);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#darkScheme.removeEventListener('change', this.#schemeChanged);
    if (this.#loading.running) emit(this, 'trip-loading', false);
    this.#loading.abort();
    this.#map.close();
    this.#map.clear();
    if (this.#mounted) emit(this, 'unmount', this);
    this.#mounted = false;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!this.isConnected) return;
    const entering = !this.#mounted;
    this.#mounted = true;
    const concerns = (names: readonly PropertyKey[]): boolean =>
      entering || names.some((name) => (changed as ReadonlyMap<PropertyKey, unknown>).has(name));
    if (entering) emit(this, 'mount', this);
    if (concerns([...MAP_PROPERTIES, 'reverseGeocodeHandler'])) this.#addresses = null;
    const faultBefore = this.#mapFault;
    if (concerns(MAP_PROPERTIES)) this.#configureMap();
    if (concerns(TRIP_PROPERTIES) || faultBefore !== this.#mapFault) this.reload();
    if (!entering && concerns(['locale', 'units'])) this.#map.refresh();
    if (this.map instanceof HTMLImageElement) this.map.alt = this.#format.summary(this.shown);
  }

  protected override render(): TemplateResult {
    const { viewState, message, mapFailure, leftOut } = this;
    const strings = stringsFor(this.#format.locale);
    return html`<div class="root" data-theme=${this.#theme} role="region" aria-label=${strings.map} aria-busy=${viewState === 'loading'}>
      <div id="map" part="map" @keydown=${this.#handleKeydown}></div>
      <p class="visually-hidden" role="status">${this.#status(strings)}</p>
      ${stateView({ state: viewState, message, mapFailure, strings, retry: () => this.#retry() })}
      ${leftOut > 0 ? notice(strings.leftOut.replace('{count}', String(leftOut))) : nothing}
    </div>`;
  }

  /** What a screen reader is told without being asked; cards of errors announce themselves. */
  #status(strings: Strings): string {
    if (this.viewState === 'loading') return strings.loading;
    return this.viewState === null || this.viewState === 'empty' ? this.#format.summary(this.shown) : '';
  }

  get #theme(): 'light' | 'dark' {
    if (this.theme === 'light' || this.theme === 'dark') return this.theme;
    return this.#darkScheme.matches ? 'dark' : 'light';
  }

  get #format(): TripFormat {
    const language = this.closest<HTMLElement>('[lang]')?.lang;
    return new TripFormat(this.locale || language || navigator.language, this.units);
  }

  readonly #schemeChanged = (): void => {
    this.requestUpdate('theme');
  };

  readonly #handleKeydown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.#map.canvas?.closePopup();
  };

  #configureMap(): void {
    const container = this.renderRoot.querySelector<HTMLElement>('#map');
    this.#mapFault = faultOfMap(this);
    this.mapFailure = null;
    if (this.#mapFault || !container) {
      this.#map.close();
      return;
    }
    const reader = { theme: this.#theme, locale: this.#format.locale };
    this.#settings = mapSettingsOf(this, reader, (message) => emit(this, 'error', new Error(message)));
    this.#map.configure(container, this.#settings);
  }

  #retry(): void {
    if (this.mapFailure !== null) {
      this.#map.close();
      this.#configureMap();
    }
    this.reload();
  }

  #show(trips: readonly Trip[]): void {
    this.shown = trips;
    this.viewState = trips.length === 0 ? 'empty' : null;
    emit(this, 'trip-loading', false);
    this.#map.show(trips);
  }

  /** Reports what kept trips from being loaded, and shows the map without any. */
  #fail(error: Error, loading: boolean): void {
    this.shown = [];
    this.viewState = error instanceof AuthError ? 'sign-in' : 'error';
    this.message = error.message;
    if (loading) emit(this, 'trip-loading', false);
    emit(this, error instanceof AuthError ? 'auth-error' : error instanceof ApiError ? 'api-error' : 'error', error);
    this.#map.showNone();
  }

  /** A map that fails before it is there is said to the reader, too; one that misses a tile is not. */
  #mapFailed(error: Error): void {
    if (!this.#map.loaded) this.mapFailure = error.message;
    emit(this, 'error', error);
  }

  #openPopup(stop: TripStop): void {
    const settings = this.#settings;
    if (!settings) return;
    const popup = new StopPopup(stop, this.#format);
    popup.show(this.reverseGeocode ? 'pending' : null);
    this.#map.canvas?.openPopup(stop, popup.element);
    if (!this.reverseGeocode) return;
    this.#addresses ??= new StopAddresses(this.reverseGeocodeHandler, settings, {
      notFound: (detail) => emit(this, 'address-not-found', detail),
      failed: (error) => emit(this, 'error', errorOf(error)),
    });
    void this.#addresses.of(stop).then((address) => popup.show(address));
  }
}

export interface ServiceTripsMap {
  addEventListener<Name extends keyof TripsMapEvents>(
    type: Name,
    listener: (this: ServiceTripsMap, event: CustomEvent<TripsMapEvents[Name]>) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'service-trips-map': ServiceTripsMap;
  }
}
