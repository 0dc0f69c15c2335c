import { type CSSResultGroup, type PropertyValues, unsafeCSS } from 'lit';

import { GROUP, type LiveSource, LiveTracking } from './live/live-tracking.ts';
import { OFFLINE_MS } from './live/followed-vehicle.ts';
import { inOrderOfTravel, loadGrown, loadVehicles, type VehicleRequest } from './live/load-vehicles.ts';
import { LatestRun } from './trips/latest-run.ts';
import { ApiError, AuthError, isWorthRetry, PageError } from './trips/load-failure.ts';
import { type Emphasis, type Following, type MapInstance, NO_EMPHASIS, type VehiclePose } from './engine/map-canvas.ts';
import { errorOf, MapController } from './map/map-controller.ts';
import { changesOnly, hasEffect } from './attributes/attribute.ts';
import { faultOfMap, mapSettingsOf } from './attributes/map-settings-of.ts';
import { legFrom } from './engine/marked-stops.ts';
import type { MapEngine } from './engine/map-engine.ts';
import type { MapSettings } from './engine/map-settings.ts';
import { engineStyles } from './styles/engine-styles.ts';
import { mediaQuery } from './styles/media-query.ts';
import { mapStyles } from './styles/map-styles.ts';
import { liveStyles } from './styles/live-styles.ts';
import { panelStyles } from './styles/panel-styles.ts';
import { stateStyles } from './styles/state-styles.ts';
import { stopStyles } from './styles/stop-styles.ts';
import { speedScaleOf } from './trips/speed-scale.ts';
import type { ViewState } from './state-view.ts';
import { StopDialogs } from './stops/stop-dialogs.ts';
import { stringsFor } from './trips/strings.ts';
import { momentNear } from './trips/moment-near.ts';
import { redeemShare } from './trips/redeem-share.ts';
import { TokenManager } from './trips/token-manager.ts';
import { type Trip, tripColor } from './trips/trip.ts';
import { showRow } from './list/trip-list.ts';
import type { ReplayMoment } from './replay/replay-timeline.ts';
import { TripReplay } from './replay/trip-replay.ts';
import { emit, type Listen } from './trips-map-events.ts';
import { TripsMapView } from './trips-map-view.ts';
import { reachesNow, serviceUrlOf, tripsRequestOf, vehicleKeysOf } from './attributes/trips-request.ts';
import { whenSet } from './attributes/when-set.ts';

/**
 * A map of the trips of one vehicle, or of one trip (specification, section E).
 *
 * Every event bubbles, crosses shadow roots and cannot be canceled. `unmount` is dispatched after the element has left the
 * document, so that only listeners on the element itself receive it.
 *
 * @event {CustomEvent<ServiceTripsMap>} mount - when the element is in the document and has rendered
 * @event {CustomEvent<ServiceTripsMap>} unmount - when it has left the document
 * @event {CustomEvent<MapInstance>} map-load - when the map is initialized and visible
 * @event {CustomEvent<boolean>} trip-loading - true when loading trips starts, false when it ends; always in pairs
 * @event {CustomEvent<Error>} api-error - when trips cannot be loaded
 * @event {CustomEvent<Error>} auth-error - when the token is missing, invalid or rejected
 * @event {CustomEvent<MapInstance>} trip-render - when the loaded trips, if any, are on the map
 * @event {CustomEvent<Error>} error - when the element or its map fails, or an attribute is invalid
 * @event {CustomEvent<AddressNotFound>} address-not-found - when the provider knows no address for a stop
 * @event {CustomEvent<LiveConnection>} live-connected - when the element begins to receive positions (attribute `live`)
 * @event {CustomEvent<LivePosition>} live-position - when a vehicle has a newer position
 * @event {CustomEvent<LiveInterruption>} live-disconnected - when the element stops receiving positions, at least for now
 * @slot loading - shown while trips are loaded
 * @slot empty - shown when there are no trips
 * @slot error - shown when trips cannot be loaded
 * @slot sign-in - shown when the token is missing or rejected
 * @csspart map - the map
 * @csspart image - the image of a static map
 * @csspart stop - the focus ring of a start, stop or end (also `stop-start`, `stop-stop`, `stop-end`)
 * @csspart popup - the popup of a stop
 * @csspart tooltip - the time and the speed at the pointer, on a line
 * @csspart state - the overlay of a state (also `state-loading`, `state-empty`, `state-error`, `state-sign-in`)
 * @csspart trip-list - the panel of trips (attribute `trip-list`)
 * @csspart trip - the button of a trip in the panel
 * @csspart legend - the legend of speeds (attribute `color-by`)
 * @csspart replay - the controls of the replay (attribute `replay`)
 * @csspart speeds - the speeds over the replay
 * @csspart vehicle - the replayed vehicle, or one that is followed (also `vehicle-live`)
 * @csspart live - the panel of what is followed (attribute `live`)
 * @csspart live-age - the age of the newest position
 * @csspart live-vehicle - the button of a vehicle (attribute `vehicle-keys`)
 * @csspart notice - the number of trips that do not fit on a static map
 * @cssstate loading - while trips are loaded
 * @cssstate empty - while there are no trips
 * @cssstate error - while trips or the map cannot be loaded
 * @cssstate sign-in - while the token is missing or rejected
 * @cssstate dark - while the theme is dark
 * @cssproperty --trips-map-line-color - line of a single trip, and of the first of several
 * @cssproperty --trips-map-line-width - width of lines in pixels, without a unit
 * @cssproperty --trips-map-line-casing - outline of lines
 * @cssproperty --trips-map-surface - background of popup, cards and controls
 * @cssproperty --trips-map-text - text on the surface
 * @cssproperty --trips-map-muted - less important text
 * @cssproperty --trips-map-accent - buttons and focus rings
 * @cssproperty --trips-map-error - icon of the error card
 * @cssproperty --trips-map-ground - background until the map has loaded
 * @cssproperty --trips-map-radius - corners of the element
 * @cssproperty --trips-map-font - font family
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the interface only adds overloads of two methods that every element has
export class ServiceTripsMap extends TripsMapView {
  /** The engine of interactive maps, set by the entry of each built file. @internal */
  static engine: MapEngine;

  static override get styles(): CSSResultGroup {
    const { css, prefix } = ServiceTripsMap.engine;
    return [unsafeCSS(css), mapStyles, engineStyles(prefix), stopStyles, panelStyles, liveStyles, stateStyles];
  }

  readonly #loading = new LatestRun();
  readonly #tokens = new TokenManager();
  readonly #map: Readonly<MapController> = new MapController(ServiceTripsMap.engine, {
    mapLoaded: (instance) => {
      this.mapFailure = null;
      this.isImage = instance instanceof HTMLImageElement;
      emit(this, 'map-load', instance);
    },
    styleLoaded: (theme, isPlain) => {
      this.isPlain = isPlain;
      if (isPlain) return;
      const before = this.shownTheme;
      this.styleTheme = theme;
      if (this.shownTheme !== before) this.#schemeChanged();
    },
    tripsRendered: (instance) => emit(this, 'trip-render', instance),
    failed: (error) => this.#mapFailed(error),
    closed: () => {
      this.mapFailure = null;
      this.isPlain = false;
      this.leftOut = 0;
    },
    stopChosen: ({ stop, tripKey, place }) => {
      const { reverseGeocode, reverseGeocodeHandler } = this;
      const trip = this.shown.find(({ key }) => key === tripKey) ?? null;
      const next = trip && legFrom(trip, place[1]);
      const view = { format: this.format, reverseGeocode, reverseGeocodeHandler, trip, next };
      if (this.#settings) this.#dialogs.open(stop, this.#map.canvas, { ...view, provider: this.#settings });
    },
    tripHovered: (key) => {
      if (this.tripList) this.hover(key);
      if (this.tripList && key !== null) showRow(this.renderRoot, key);
    },
    linePointed: (pointed) => {
      const moment = pointed && momentNear(pointed.trip, pointed.position);
      this.#replay?.point(moment);
      return pointed && this.format.pointed(pointed.trip, moment);
    },
    tripChosen: (key) => {
      // A list has a button that deselects a trip.
      const isMeant = this.shown.length > 1 && (key !== null || !this.tripList);
      if (isMeant && key !== this.emphasis.chosen) this.choose(key);
    },
    viewMoved: () => {
      this.#replay?.unfollow();
      this.#live?.unfollow();
    },
    resumeLabel: () => stringsFor(this.format.locale).resume,
    labelOf: (marked, trips) => this.format.placeLabel(marked, trips),
    summaryOf: (trips) => this.format.summary(trips),
    leftOut: (count) => {
      this.leftOut = count;
    },
  });
  readonly #dialogs = new StopDialogs({
    notFound: (detail) => emit(this, 'address-not-found', detail),
    failed: (error) => emit(this, 'error', errorOf(error)),
  });
  /** Created when the replay is first shown. */
  #replay: TripReplay | null = null;
  /** Created when vehicles are first followed or listed. */
  #live: LiveTracking | null = null;
  /** Vehicles whose trips were requested last. */
  #vehicles: readonly VehicleRequest[] = [];
  /** Tokens of several vehicles by their keys. */
  readonly #tokensOf = new Map<string, TokenManager>();
  /** Keys of several vehicles whose tokens were refused. */
  readonly #refused = new Set<string>();
  #settings: MapSettings | null = null;
  #mapFault: string | null = null;
  /** Warnings about invalid attributes that have been reported. */
  #warnings: string[] = [];
  /** true after the first token. */
  #hadToken = false;
  /** true while the page may still provide a token. */
  #awaitsToken = false;
  /** true between `mount` and `unmount`. */
  #mounted = false;

  /** The trips that are shown, with their lines as drawn; read only. */
  get trips(): readonly Trip[] {
    return this.shown;
  }

  /** The map of mapbox-gl or MapLibre GL or, of a static map, the image; null before it exists. */
  get map(): MapInstance | null {
    return this.#map.canvas?.instance ?? null;
  }

  /** The state that is shown over the map, if any. */
  get state(): ViewState {
    return this.viewState;
  }

  /** Loads the trips again. */
  reload(): void {
    if (!this.isConnected) return;
    const { running } = this.#loading;
    if (this.share && !this.vehicleKey && !this.vehicleKeys) {
      this.viewState = 'loading';
      this.tracks = false;
      this.#live?.stop();
      return;
    }
    try {
      if (this.#mapFault) throw new PageError(this.#mapFault);
      const vehicles = this.#requestedVehicles();
      this.#vehicles = vehicles;
      this.#refused.clear();
      const fault = this.#showsGroup ? this.#tokens.fault : vehicles.find(({ tokens }) => tokens.fault)?.tokens.fault;
      if (fault) throw new AuthError(fault, { signInHelps: this.#hadToken });
      this.viewState = 'loading';
      this.#awaitsToken = false;
      this.#loading.start(
        (signal) => loadVehicles(vehicles, signal),
        ({ trips, failures }) => this.#show(trips, failures),
        (error) => this.#fail(errorOf(error), true),
      );
      if (!running) emit(this, 'trip-loading', true);
    } catch (error) {
      this.#loading.abort();
      const isMissing = error instanceof AuthError && !this.#hadToken && !running;
      if (isMissing && !ServiceTripsMap.#isSet) void this.#awaitToken();
      else this.#fail(errorOf(error), running);
    }
  }

  /** true when properties of elements in the page's HTML can have been set. */
  static #isSet = false;

  /** Judges a missing token only when scripts, which may hydrate the page, can have set one or its provider. */
  async #awaitToken(): Promise<void> {
    this.viewState = 'loading';
    this.#awaitsToken = true;
    await whenSet();
    ServiceTripsMap.#isSet = true;
    if (this.#awaitsToken) this.reload();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.darkScheme?.addEventListener('change', this.#schemeChanged);
    addEventListener('online', this.#online);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.darkScheme?.removeEventListener('change', this.#schemeChanged);
    removeEventListener('online', this.#online);
    this.#awaitsToken = false;
    if (this.#loading.running) emit(this, 'trip-loading', false);
    this.#loading.abort();
    this.#tokens.stop();
    for (const tokens of this.#tokensOf.values()) tokens.stop();
    this.#tokensOf.clear();
    this.#live?.stop();
    this.#replay?.disconnect();
    this.#map.close();
    this.#map.clear();
    this.isPlaced = false;
    this.#warnings = [];
    if (this.#mounted) emit(this, 'unmount', this);
    this.#mounted = false;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!this.isConnected) return;
    const entering = !this.#mounted;
    this.#mounted = true;
    const hasChanged = (...names: readonly PropertyKey[]): boolean =>
      entering || names.some((name) => (changed as ReadonlyMap<PropertyKey, unknown>).has(name));
    if (entering) emit(this, 'mount', this);
    this.#hadToken ||= Boolean(this.serviceToken);
    if (hasChanged('share', 'serviceUrl')) void this.#redeem();
    if (hasChanged('serviceToken')) this.#tokens.setToken(this.serviceToken);
    if (hasChanged('tokenProvider', 'vehicleKey', 'vehicleKeys')) this.#setProviders();
    const mapChanged = entering || hasEffect(changed, 'map') || hasChanged('serviceUrl');
    if (mapChanged || changed.has('reverseGeocodeHandler')) this.#dialogs.clear();
    const faultBefore = this.#mapFault;
    if (mapChanged) this.#configureMap();
    // A map that follows its vehicle continues with another token.
    const isRenewed = Boolean(this.serviceToken) && changesOnly(changed, 'trips', 'serviceToken');
    const goesOn = this.tracks && this.viewState === null && isRenewed;
    if (goesOn) this.#track();
    const tripsChanged = entering || (!goesOn && hasEffect(changed, 'trips'));
    if (tripsChanged || faultBefore !== this.#mapFault || this.#needsReload(changed)) this.reload();
    if (!entering && hasChanged('live', 'mapType', 'vehicleLabels') && !this.#loading.running) this.#track();
    const isReformatted = hasChanged('locale', 'units', 'timeZone');
    if (isReformatted && !entering) {
      this.#map.refresh();
      this.#live?.reformat(this.format);
    }
    if (isReformatted || hasChanged('replay', 'mapType', 'isImage', 'shown', 'viewState', 'emphasis'))
      this.#loadReplay();
  }

  /** true if the vehicles of a group are shown, with one token. */
  get #showsGroup(): boolean {
    return this.vehicleKeys === GROUP;
  }

  /** Shows what a share opens, with tokens for it. */
  async #redeem(): Promise<void> {
    const { share } = this;
    if (!share) return;
    this.vehicleKey = null;
    this.vehicleKeys = null;
    try {
      const serviceUrl = serviceUrlOf(this);
      const { token, vehicle_key, trip_key } = await redeemShare(serviceUrl, share);
      if (this.share !== share || !this.isConnected) return;
      let first: string | null = token;
      this.tokenProvider = async () => {
        const next = first ?? (await redeemShare(serviceUrl, share)).token;
        first = null;
        return next;
      };
      this.vehicleKey = vehicle_key;
      this.vehicleKeys = vehicle_key === null ? GROUP : null;
      this.tripKey = trip_key;
    } catch (error) {
      if (this.share === share) this.#fail(errorOf(error), false);
    }
  }

  readonly #schemeChanged = (): void => {
    this.requestUpdate('theme');
  };

  readonly #online = (): void => {
    if (this.isPlain || (this.mapFailure && isWorthRetry(this.mapFailure))) this.#reopenMap();
    if (this.viewState === 'error' && this.retryHelps) this.reload();
  };

  protected override handleMapKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || this.#map.canvas?.closePopup()) return;
    if (this.emphasis.chosen !== null) this.choose(null);
  }

  protected override get replayElement(): HTMLElement {
    this.#replay ??= new TripReplay((...shown) => this.#showMoment(...shown));
    return this.#replay.element;
  }

  protected override get liveElement(): HTMLElement {
    return this.#tracking.element;
  }

  get #tracking(): LiveTracking {
    this.#live ??= new LiveTracking({
      connected: (detail) => emit(this, 'live-connected', detail),
      moved: (detail) => {
        if (this.viewState === 'empty') this.viewState = null;
        emit(this, 'live-position', detail);
      },
      disconnected: (detail) => emit(this, 'live-disconnected', detail),
      refused: (vehicleKey, error) => this.#reject(vehicleKey, error),
      show: (scene) => this.#map.showLive(scene),
      grown: (vehicleKey, signal) => this.#grow(vehicleKey, signal),
      chosen: () => {
        if (this.#showsGroup) this.reload();
      },
      changed: () => this.#map.update(this.#drawnTrips()),
    });
    return this.#live;
  }

  /** Shows a moment of the replay, and one that is pointed at: the vehicle on the map, and its trip in the list. */
  #showMoment(moment: ReplayMoment | null, follow: Following, pointed: ReplayMoment | null): void {
    if (moment && follow) this.#live?.unfollow();
    const played = (pointed ?? moment)?.tripKey ?? null;
    if (played !== null && played !== this.played) showRow(this.renderRoot, played);
    this.played = played;
    this.#map.showVehicle(this.#poseAt(moment), follow, this.#poseAt(pointed));
  }

  #poseAt(moment: ReplayMoment | null): VehiclePose | null {
    if (!moment) return null;
    const at = this.shown.findIndex(({ key }) => key === moment.tripKey);
    return { ...moment, color: tripColor(this.shown[at]?.colorIndex ?? Math.max(0, at), this.palette) };
  }

  /** Follows or lists the vehicles whose trips are shown, if the attributes ask for it. */
  #track(): void {
    const several = this.#vehicles.some(({ colorIndex }) => colorIndex !== null);
    const isShown = this.viewState === null || this.viewState === 'empty';
    const ofGroup = this.#showsGroup;
    const isPast = !ofGroup && !this.#vehicles.some((vehicle) => this.#isPresent(vehicle));
    this.tracks = isShown && this.mapType !== 'static' && (this.live || several || ofGroup);
    this.showsVehicles = several || !isPast;
    if (!this.tracks) {
      this.#live?.stop();
      return;
    }
    const sources = this.#vehicles.map(({ request, tokens }, at): LiveSource => {
      const { serviceUrl, vehicleKey } = request;
      const label = several ? this.vehicleName(vehicleKey, at) : null;
      const isRefused = this.#refused.has(vehicleKey);
      return { serviceUrl, vehicleKey, tokens, label, isRefused, color: this.#colorOf(vehicleKey) };
    });
    const group = { vehicleKey: null, tokens: this.#tokens, label: null, isRefused: false, color: '' };
    if (ofGroup) this.#tracking.start([{ ...group, serviceUrl: serviceUrlOf(this) }], true, false, this.format);
    else this.#tracking.start(sources, this.live, isPast, this.format);
    for (const { request } of this.#vehicles) this.#settle(request.vehicleKey);
  }

  /** Returns true if the trips of a vehicle reach the present: its trips of now are shown, or one of them may continue. */
  #isPresent({ request }: VehicleRequest): boolean {
    const arrival = this.#tripsOf(request.vehicleKey).at(-1)?.stops.at(-1)?.arrival;
    return reachesNow(request) || (arrival != null && Date.now() - Date.parse(arrival) < OFFLINE_MS);
  }

  #settle(vehicleKey: string): void {
    this.#live?.settle(vehicleKey, this.#tripsOf(vehicleKey), this.#colorOf(vehicleKey));
  }

  #vehicleOf(vehicleKey: string): VehicleRequest | undefined {
    return this.#vehicles.find(({ request }) => request.vehicleKey === vehicleKey);
  }

  #tripsOf(vehicleKey: string): readonly Trip[] {
    return this.shown.filter((trip) => trip.vehicleKey === vehicleKey);
  }

  /** Returns the color of a vehicle, which is that of its newest trip. */
  #colorOf(vehicleKey: string): string {
    const map = this.renderRoot.querySelector('#map');
    const color = map ? getComputedStyle(map).getPropertyValue('--_line-color').trim() : '';
    const { colorIndex = null } = this.#vehicleOf(vehicleKey) ?? {};
    return tripColor(colorIndex ?? Math.max(0, this.shown.length - 1), { color, theme: this.shownTheme });
  }

  /** Returns the trips as the map shows them: without an end if the vehicle is still under way. */
  #drawnTrips(): readonly Trip[] {
    const last = new Map(this.shown.map((trip) => [trip.vehicleKey, trip]));
    return this.shown.map((trip) => {
      const goesOn = last.get(trip.vehicleKey) === trip && this.#live?.isUnderWay(trip.vehicleKey) === true;
      return goesOn ? { ...trip, stops: trip.stops.filter(({ kind }) => kind !== 'end') } : trip;
    });
  }

  /** Loads the newest trips of a vehicle again, and leaves view and state as they are. */
  async #grow(vehicleKey: string, signal: AbortSignal): Promise<void> {
    const vehicles = this.#vehicles;
    const vehicle = this.#vehicleOf(vehicleKey);
    if (!vehicle || this.#loading.running) return;
    const grown = await loadGrown(vehicle, this.#tripsOf(vehicleKey), signal);
    if (signal.aborted || this.#loading.running || this.#vehicles !== vehicles) return;
    const others = this.shown.filter((trip) => trip.vehicleKey !== vehicleKey);
    this.shown = others.length > 0 ? inOrderOfTravel([...others, ...grown]) : grown;
    this.#map.update(this.#drawnTrips());
    this.#settle(vehicleKey);
  }

  /** Reports that the service rejects a vehicle; its trips are removed, unless its token has just expired. */
  #reject(vehicleKey: string, error: AuthError): void {
    const { tokens, colorIndex } = this.#vehicleOf(vehicleKey) ?? { tokens: this.#tokens, colorIndex: null };
    const isAlone = colorIndex === null;
    if (isAlone && !tokens.isExpired) {
      this.#fail(error, false);
      return;
    }
    this.#refused.add(vehicleKey);
    this.#live?.reject(vehicleKey);
    if (!isAlone) {
      this.shown = this.shown.filter((trip) => trip.vehicleKey !== vehicleKey);
      this.#map.update(this.#drawnTrips());
    }
    emit(this, 'auth-error', error);
  }

  /**
   * Reads the attributes that select trips.
   *
   * @throws Error that names the attribute that prevents loading
   */
  #requestedVehicles(): VehicleRequest[] {
    if (this.#showsGroup) {
      const chosen = this.#live?.chosen ?? null;
      const request = tripsRequestOf(this, chosen ?? GROUP);
      return chosen === null ? [] : [{ request, tokens: this.#tokens, colorIndex: null }];
    }
    const keys = vehicleKeysOf(this);
    if (keys.length === 0) return [{ request: tripsRequestOf(this), tokens: this.#tokens, colorIndex: null }];
    if (!this.tokenProvider)
      throw new AuthError('vehicle-keys requires the property tokenProvider', { signInHelps: false });
    return keys.map((key, colorIndex) => {
      const tokens = this.#tokensOf.get(key) ?? new TokenManager();
      return { request: tripsRequestOf(this, key), tokens, colorIndex };
    });
  }

  /** Gives each vehicle a manager of its tokens, with the provider for that vehicle. */
  #setProviders(): void {
    const { tokenProvider, vehicleKey } = this;
    const providerOf = (key: string) => tokenProvider && (() => tokenProvider(key));
    this.#tokens.setProvider(providerOf(vehicleKey ?? ''));
    const keys = this.#showsGroup ? [] : vehicleKeysOf(this);
    for (const [key, tokens] of this.#tokensOf) {
      if (keys.includes(key)) continue;
      tokens.stop();
      this.#tokensOf.delete(key);
    }
    for (const key of keys) {
      const tokens = this.#tokensOf.get(key) ?? new TokenManager();
      tokens.setProvider(providerOf(key));
      this.#tokensOf.set(key, tokens);
    }
  }

  /** Returns true if trips were loaded without times that are now needed, or could not be loaded without a provider. */
  #needsReload(changed: PropertyValues<this>): boolean {
    const timed = this.replay || this.colorBy === 'speed';
    const requested = changed.has('replay') || changed.has('colorBy');
    const provided =
      changed.has('tokenProvider') &&
      !changed.get('tokenProvider') &&
      (this.viewState === 'sign-in' || this.#awaitsToken);
    const complete = this.viewState !== 'loading' && this.shown.every(({ motion }) => motion);
    return provided || (requested && timed && !complete);
  }

  #configureMap(): void {
    const container = this.renderRoot.querySelector<HTMLElement>('#map');
    const { language: locale, units } = this.format;
    const speeds = this.colorBy === 'speed' ? speedScaleOf(units, this.shownTheme) : null;
    const reported = this.#warnings;
    this.#warnings = [];
    this.#settings = mapSettingsOf(
      this,
      { theme: this.shownTheme, locale, units, speeds, cooperative: this.#cooperates },
      (message) => {
        this.#warnings.push(message);
      },
    );
    for (const message of this.#warnings) if (!reported.includes(message)) emit(this, 'error', new Error(message));
    this.#mapFault = faultOfMap(this.#settings, ServiceTripsMap.engine);
    if (this.#mapFault || !container) this.#map.close();
    else this.#map.configure(container, this.#settings);
  }

  /** true if the page scrolls where a wheel or one finger would move the map. */
  get #cooperates(): boolean {
    if (this.cooperativeGestures === 'on' || this.cooperativeGestures === 'off')
      return this.cooperativeGestures === 'on';
    const scrolls = document.documentElement.scrollHeight > innerHeight;
    return scrolls || mediaQuery('(pointer: coarse)')?.matches === true;
  }

  #loadReplay(): void {
    if (!this.replays) {
      this.#replay?.disconnect();
      return;
    }
    const { chosen } = this.emphasis;
    const played = chosen === null ? this.shown : this.shown.filter(({ key }) => key === chosen);
    this.#replay?.connect();
    this.#replay?.load(played, this.format);
  }

  protected override choose(chosen: string | null): void {
    this.#live?.unfollow();
    this.#emphasize({ ...this.emphasis, chosen });
  }

  protected override hover(hovered: string | null): void {
    if (this.emphasis.hovered !== hovered) this.#emphasize({ ...this.emphasis, hovered });
  }

  #emphasize(emphasis: Emphasis): void {
    this.emphasis = emphasis;
    this.#map.emphasize(emphasis);
  }

  protected override retry(): void {
    if (this.mapFailure !== null) this.#reopenMap();
    if (this.share && !this.vehicleKey && !this.vehicleKeys) void this.#redeem();
    this.reload();
  }

  #reopenMap(): void {
    this.#map.close();
    this.#configureMap();
  }

  #show(trips: readonly Trip[], failures: ReadonlyMap<string, Error>): void {
    this.shown = trips;
    this.isPlaced ||= trips.length > 0;
    const ofGroup = this.#showsGroup;
    this.viewState = trips.length === 0 && !ofGroup ? 'empty' : null;
    if (!trips.some(({ key }) => key === this.emphasis.chosen)) this.#emphasize(NO_EMPHASIS);
    emit(this, 'trip-loading', false);
    for (const [key, error] of failures) {
      if (error instanceof AuthError) this.#refused.add(key);
      emit(this, error instanceof AuthError ? 'auth-error' : 'api-error', error);
    }
    this.#map.show(this.#drawnTrips(), true);
    // A group is followed on, whichever of its vehicles has trips shown.
    if (!ofGroup || !this.tracks) this.#track();
    else for (const { request } of this.#vehicles) this.#settle(request.vehicleKey);
  }

  /** Reports why trips could not be loaded, and shows the map without any. */
  #fail(error: Error, loading: boolean): void {
    this.shown = [];
    this.#live?.stop();
    this.tracks = false;
    this.viewState = error instanceof AuthError ? 'sign-in' : 'error';
    this.message = error.message;
    this.signInHelps = !(error instanceof AuthError) || error.signInHelps;
    this.retryHelps = isWorthRetry(error);
    console.warn(`<service-trips-map>: ${error.message}`);
    if (loading) emit(this, 'trip-loading', false);
    emit(this, error instanceof AuthError ? 'auth-error' : error instanceof ApiError ? 'api-error' : 'error', error);
    this.#map.clearTrips();
  }

  /** Reports a failure of the map, and shows it if the map has not loaded; a missing tile later is not shown. */
  #mapFailed(error: Error): void {
    if (!this.#map.loaded && !this.isPlain) this.mapFailure = error;
    console.warn(`<service-trips-map>: ${error.message}`);
    emit(this, 'error', error);
  }
}

export interface ServiceTripsMap {
  addEventListener: Listen<ServiceTripsMap>;
  removeEventListener: Listen<ServiceTripsMap>;
}

declare global {
  interface HTMLElementTagNameMap {
    'service-trips-map': ServiceTripsMap;
  }
}
