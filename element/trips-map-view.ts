import { html, isServer, nothing, type ReactiveController, type ReactiveElement, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { type Emphasis, NO_EMPHASIS } from './engine/map-canvas.ts';
import { mediaQuery } from './styles/media-query.ts';
import { swatch } from './styles/swatch.ts';
import { knowsSpeed, speedColorsOf, type SpeedScale, speedScaleOf, UNKNOWN_SPEED } from './trips/speed-scale.ts';
import { shownState, stateView, type ViewState } from './state-view.ts';
import { type Strings, stringsFor } from './trips/strings.ts';
import type { Trip, TripPalette } from './trips/trip.ts';
import { TripFormat } from './trips/trip-format.ts';
import { tripList } from './list/trip-list.ts';
import { DEFAULT_CENTER, TripsMapAttributes } from './attributes/trips-map-attributes.ts';

/** States of an element that a style sheet selects by `:state()`. Browsers that do not know `:state()` have none. */
class ElementStates<Name extends string> implements ReactiveController {
  readonly #states: CustomStateSet | null;

  /**
   * @param current names of the states that the element has now, read after each update
   */
  constructor(
    host: ReactiveElement,
    private readonly current: () => readonly Name[],
  ) {
    // Browsers before `:state()` have a set that rejects its names.
    const isKnown = !isServer && CSS.supports('selector(:state(known))');
    this.#states = isKnown ? host.attachInternals().states : null;
    host.addController(this);
  }

  hostUpdated(): void {
    const current = new Set<string>(this.current());
    for (const name of this.#states ?? []) if (!current.has(name)) this.#states?.delete(name);
    for (const name of current) this.#states?.add(name);
  }
}

/** The view of `<service-trips-map>`: renders its attributes and state. Its behavior is in {@link ServiceTripsMap}. */
export abstract class TripsMapView extends TripsMapAttributes {
  @state() protected viewState: ViewState = null;
  @state() protected message = '';
  @state() protected signInHelps = true;
  /** false if trying again does not help: an attribute or the page has to be changed. */
  @state() protected retryHelps = true;
  @state() protected mapFailure: Error | null = null;
  /** true if trips have been shown, so that the map is where they are. */
  @state() protected isPlaced = false;
  /** true if the style of the map could not be loaded, and lines are drawn without it. */
  @state() protected isPlain = false;
  @state() protected leftOut = 0;
  /** true if the map is an image, on which nothing moves. */
  @state() protected isImage = false;
  @state() protected shown: readonly Trip[] = [];
  @state() protected emphasis: Emphasis = NO_EMPHASIS;
  /** Key of the trip whose moment the replay shows; null if there is none. */
  @state() protected played: string | null = null;
  /** true if the sheet with the list of trips is open, in a narrow element. */
  @state() protected isListOpen = false;
  /** true if vehicles are followed, or several are listed. */
  @state() protected tracks = false;
  /** false if vehicles are followed, but not shown, since the trips are of the past. */
  @state() protected showsVehicles = true;
  /** Colors that lines by speed have, and of which trips. */
  #speeds: { readonly of: { trips?: unknown; theme?: string; units?: string }; colors: ReadonlySet<string> } = {
    of: {},
    colors: new Set(),
  };
  /** Theme that suits the style of the map; null if it is not known. */
  protected styleTheme: 'light' | 'dark' | null = null;
  protected readonly darkScheme = mediaQuery('(prefers-color-scheme: dark)');

  constructor() {
    super();
    new ElementStates<NonNullable<ViewState> | 'dark'>(this, () => {
      const state = shownState(this.#states);
      return [...(state === null ? [] : [state]), ...(this.shownTheme === 'dark' ? (['dark'] as const) : [])];
    });
  }

  protected override render(): TemplateResult {
    const { viewState, message, signInHelps, retryHelps, mapFailure, leftOut, shown } = this;
    const isDebugged = this.debug || isLocal();
    const { locale } = this.format;
    const strings = stringsFor(locale);
    const isVeiled = ['error', 'sign-in'].includes(shownState(this.#states) ?? '');
    const isPlaced = (this.isPlaced && !this.isImage) || this.defaultCenter !== DEFAULT_CENTER;
    const veil = isVeiled ? (isPlaced ? 'veiled' : 'unplaced') : '';
    const listed = this.tripList && (shown.length > 0 || viewState === 'loading');
    return html`<div class="root ${listed ? 'with-list' : ''} ${veil}" lang=${locale} data-theme=${this.shownTheme} role="region" aria-label=${strings.map} aria-busy=${viewState === 'loading'}>
      ${listed ? this.#list() : nothing}
      <div class="stage">
        <div id="map" part="map" ?inert=${isVeiled} @keydown=${(event: KeyboardEvent) => this.handleMapKey(event)}></div>
        <p class="visually-hidden" role="status">${this.#status(strings)}</p>
        ${this.tracks && this.showsVehicles ? this.liveElement : nothing}
        ${this.#colorsSpeed ? this.#legend(strings) : nothing}
        ${stateView({ state: viewState, message, isDebugged, signInHelps, retryHelps, mapFailure, strings, retry: () => this.retry() })}
        ${leftOut > 0 ? notice(strings.leftOut.replace('{count}', String(leftOut))) : this.isPlain && viewState === null ? notice(strings.linesOnly) : nothing}
      </div>
      ${this.replays ? this.replayElement : nothing}
    </div>`;
  }

  get #states() {
    return { state: this.viewState, mapFailure: this.mapFailure };
  }

  #list(): TemplateResult {
    const { shown: trips } = this;
    const choose = (key: string | null): void => this.choose(key);
    const hover = (key: string | null): void => this.hover(key);
    const open = (isOpen: boolean): void => {
      this.isListOpen = isOpen;
    };
    const vehicleOf = ({ vehicleKey, colorIndex }: Trip): string | null => {
      return colorIndex === undefined ? null : this.vehicleName(vehicleKey, colorIndex);
    };
    const shown = { trips, played: this.played, format: this.format, isOpen: this.isListOpen };
    return tripList({ ...this.emphasis, ...this.palette, ...shown, vehicleOf, choose, hover, open });
  }

  /** Renders the legend. The speeds of many trips are looked at only once. */
  #legend(strings: Strings): TemplateResult {
    const { shown, shownTheme: theme } = this;
    const { units } = this.format;
    const scale = speedScaleOf(units, theme);
    const { of } = this.#speeds;
    if (of.trips !== shown || of.theme !== theme || of.units !== units)
      this.#speeds = { of: { trips: shown, theme, units }, colors: speedColorsOf(shown, scale) };
    return speedLegend(scale, this.#speeds.colors, strings);
  }

  /** Returns the text that screen readers announce; the cards of errors are announced themselves. */
  #status(strings: Strings): string {
    if (this.viewState === 'loading') return strings.loading;
    return this.viewState === null || this.viewState === 'empty' ? this.format.summary(this.shown) : '';
  }

  /** The theme in use, with `auto` resolved. */
  protected get shownTheme(): 'light' | 'dark' {
    if (this.theme === 'light' || this.theme === 'dark') return this.theme;
    // The author's own style is dark or light regardless of the reader's system.
    if (this.mapStyle && !this.mapStyleDark && this.styleTheme) return this.styleTheme;
    const scheme = isServer ? '' : getComputedStyle(this).colorScheme;
    const [only, another] = scheme.split(' ').filter((name) => name === 'light' || name === 'dark');
    if (only && !another) return only;
    return this.darkScheme?.matches ? 'dark' : 'light';
  }

  /** The format of times, distances and speeds for this reader. */
  protected get format(): TripFormat {
    const { locale, units, timeZone } = this;
    if (locale || isServer) return new TripFormat(locale ?? '', units, timeZone);
    const language = this.closest<HTMLElement>('[lang]')?.lang;
    return new TripFormat(language || navigator.language, units, timeZone);
  }

  /** Colors of trips in the element's own document, which resolves the first. */
  protected get palette(): TripPalette {
    return { color: 'var(--_line-color)', theme: this.shownTheme };
  }

  /** Returns the name of a vehicle at its place among several. */
  protected vehicleName(key: string, at: number): string {
    const { vehicle } = stringsFor(this.format.locale);
    return this.vehicleLabels?.[key] ?? vehicle.replace('{number}', String(at + 1));
  }

  get #isInteractive(): boolean {
    return this.mapType !== 'static' && !this.isImage;
  }

  /** true if lines are colored by speed: on interactive maps, if some speed is known. */
  get #colorsSpeed(): boolean {
    return this.colorBy === 'speed' && this.#isInteractive && this.shown.some(knowsSpeed);
  }

  /** true if the controls of a replay are shown: on interactive maps with trips, and while these are loaded. */
  protected get replays(): boolean {
    return this.replay && this.#isInteractive && (this.shown.length > 0 || this.viewState === 'loading');
  }

  /** The controls of the replay, which render themselves. */
  protected abstract get replayElement(): HTMLElement;
  /** The age of positions and the list of vehicles, which render themselves. */
  protected abstract get liveElement(): HTMLElement;
  protected abstract retry(): void;
  protected abstract choose(key: string | null): void;
  protected abstract hover(key: string | null): void;
  protected abstract handleMapKey(event: KeyboardEvent): void;
}

function notice(text: string): TemplateResult {
  return html`<div class="state notice" part="notice"><div class="pill"><bdi>${text}</bdi></div></div>`;
}

/** Returns true for pages of a developer's own machine. */
function isLocal(): boolean {
  return !isServer && /^(?:|localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);
}

/** Renders the legend of the speed colors that lines have. */
function speedLegend(scale: SpeedScale, shown: ReadonlySet<string>, strings: Strings): TemplateResult {
  const { limits, colors, units } = scale;
  const labelOf = (band: number): string => {
    const [from, until] = [limits[band - 1], limits[band]];
    if (from === undefined) return `< ${until}`;
    return until === undefined ? `≥ ${from}` : `${from}–${until}`;
  };
  const item = (color: string, label: string): unknown =>
    shown.has(color) ? html`<li>${swatch(color)}<bdi>${label}</bdi></li>` : nothing;
  return html`<figure class="legend" part="legend">
    <figcaption><bdi>${strings.speed} <span>${units === 'km' ? 'km/h' : 'mph'}</span></bdi></figcaption>
    <ul>${colors.map((color, band) => item(color, labelOf(band)))}${item(UNKNOWN_SPEED, strings.unknown)}</ul>
  </figure>`;
}
