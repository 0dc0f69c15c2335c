import type { ErrorEvent, FullscreenControl, MapMouseEvent } from 'mapbox-gl';

import { LiveLayer } from './live-layer.ts';
import type { LiveScene } from '../engine/live-scene.ts';
import { boundsOf } from '../engine/bounds-of.ts';
import type { EngineMap } from '../engine/engine-map.ts';
import { featuresAt } from '../engine/features-at.ts';
import { FitControl } from '../engine/fit-control.ts';
import {
  type Emphasis,
  type Following,
  type MapCanvas,
  type MapCanvasListener,
  NO_EMPHASIS,
  type VehiclePose,
} from '../engine/map-canvas.ts';
import type { CompleteLayer, EngineLibrary, MapEngine } from '../engine/map-engine.ts';
import { addGrid, moveGrid } from '../engine/map-grid.ts';
import { LineTooltip } from './line-tooltip.ts';
import { MapPopup } from '../engine/map-popup.ts';
import { type MapSettings, sameFallback } from '../engine/map-settings.ts';
import { type MarkedStop, markedStops } from '../engine/marked-stops.ts';
import { StopCursor } from './stop-cursor.ts';
import type { MarkerColors } from './stop-images.ts';
import { StopLayers } from './stop-layers.ts';
import { stringsFor } from '../trips/strings.ts';
import type { Trip, TripStop } from '../trips/trip.ts';
import { themeOfStyle } from '../engine/style-theme.ts';
import { viewPadding } from '../engine/view-padding.ts';
import { mediaQuery } from '../styles/media-query.ts';
import { CASING_LAYER, LINE_LAYERS, type LineStyle, TripLines, TRIPS_SOURCE } from './trip-layers.ts';
import { VehicleMarker } from './vehicle-marker.ts';

/** The interactive map, drawn by an engine. */
export class InteractiveCanvas implements MapCanvas {
  readonly instance: EngineMap;
  readonly loaded: Promise<void>;
  readonly #lines: TripLines;
  readonly #stops: StopLayers;
  readonly #cursor: StopCursor;
  readonly #popup: MapPopup;
  readonly #tooltip: LineTooltip;
  readonly #vehicle: VehicleMarker;
  /** The replayed vehicle at a moment that the reader points at. */
  readonly #pointed: VehicleMarker;
  readonly #live: LiveLayer;
  readonly #fit: FitControl;
  readonly #sizes: ResizeObserver;
  /** null while there is no button. */
  #fullscreen: FullscreenControl | null = null;
  #trips: readonly Trip[] = [];
  #marked: readonly MarkedStop[] = [];
  #emphasis: Emphasis = NO_EMPHASIS;
  /** Theme of the light preset that the map has now. */
  #lit: MapSettings['theme'];
  /** true once the style, to which layers are added, has loaded. */
  #styled = false;
  /** true if the view stays as it is without trips. */
  #staysThere = false;
  /** true if its style could not be loaded. */
  #isPlain = false;
  /** true once the reader, a replay or a followed vehicle has moved the map, which then stays as it is. */
  #isMoved = false;

  constructor(
    private readonly engine: MapEngine,
    private readonly library: EngineLibrary,
    private readonly container: HTMLElement,
    private settings: MapSettings,
    listener: MapCanvasListener,
  ) {
    this.#lit = settings.theme;
    const map = engine.open(library, container, settings);
    this.instance = map;
    this.#lines = new TripLines(map);
    this.#stops = new StopLayers(map);
    this.#cursor = new StopCursor(map, {
      labelOf: (marked) => listener.labelOf(marked, this.#trips.length),
      chosen: (marked) => listener.stopChosen(marked),
    });
    this.#popup = new MapPopup(library, map, () => this.#covers());
    this.#tooltip = new LineTooltip(container);
    this.#vehicle = new VehicleMarker(library, map);
    this.#pointed = new VehicleMarker(library, map);
    this.#live = new LiveLayer(library, map, () => this.#covers());
    map.addControl(new library.NavigationControl({ showCompass: false }), this.#corner);
    this.#offerFullscreen();
    this.#fit = new FitControl(engine.prefix, stringsFor(settings.locale).wholeRoute, () => {
      this.#moved = false;
      listener.viewMoved();
      this.#fitView();
      map.getCanvas().focus({ preventScroll: true });
    });
    map.addControl(this.#fit, this.#corner);
    this.loaded = new Promise((resolve) => map.once('load', () => resolve()));
    this.#listen(listener);
    const sizeOf = ({ clientWidth, clientHeight }: HTMLElement): string => `${clientWidth} ${clientHeight}`;
    let size = sizeOf(container);
    this.#sizes = new ResizeObserver(() => {
      // An observer also reports the initial size, with which the map was opened.
      const before = size;
      size = sizeOf(container);
      if (size === before) return;
      map.resize();
      if (this.#styled) this.#stops.resize();
      if (!this.#moved) this.#fitView();
    });
    this.#sizes.observe(container);
  }

  async draw(trips: readonly Trip[], isUpdate = false, staysThere = false): Promise<void> {
    this.#trips = trips;
    this.#staysThere = staysThere;
    if (!isUpdate) {
      this.#moved = false;
      this.#popup.close();
      // Panels that lie on the map, and which the trips give rise to, are rendered by then.
      await null;
      this.#fitView();
      this.#live.reframe();
    }
    await this.loaded;
    // Stops in use stay unchanged until later.
    if (!isUpdate || !this.#isUsed) this.#mark(isUpdate);
    this.#drawLayers();
    await this.#painted();
  }

  update(settings: MapSettings): void {
    const before = this.settings;
    this.settings = settings;
    if (this.engine.restyle(this.instance, before, settings)) this.#styled = this.#isPlain = false;
    if (before.cooperative !== settings.cooperative) this.engine.cooperate(this.instance, settings.cooperative);
    this.#offerFullscreen();
    const isRecolored = (before.speeds === null) !== (settings.speeds === null);
    if (before.theme !== settings.theme || isRecolored) this.#mark();
    this.#drawLayers();
    if (this.#trips.length === 0 && !sameFallback(before, settings)) this.#fitView();
  }

  emphasize(emphasis: Emphasis): void {
    const before = this.#emphasis;
    this.#emphasis = emphasis;
    if (this.#styled) this.#lines.emphasize(emphasis);
    if (before.chosen === emphasis.chosen) return;
    if (this.#styled) this.#drawStops();
    if (emphasis.chosen !== null) this.#cursor.moveToTrip(emphasis.chosen);
    this.#moved = false;
    this.#fitView();
  }

  showVehicle(pose: VehiclePose | null, follow: Following, pointed: VehiclePose | null = null): void {
    if (this.#vehicle.show(pose, follow)) this.#moved = true;
    this.#pointed.show(pointed && { ...pointed, guessed: true }, null);
  }

  showLive(scene: LiveScene | null): void {
    if (scene?.follows && scene.vehicles.length > 0) this.#moved = true;
    this.#live.show(scene);
    if (this.#styled && !this.#live.isDrawn) this.#drawLive();
  }

  openPopup(stop: TripStop, content: HTMLElement): void {
    this.#cursor.moveTo(this.#marked.find((marked) => marked.stop === stop));
    this.#popup.open(stop, content, this.#cursor.button);
  }

  closePopup(): boolean {
    const wasOpen = this.#popup.isOpen;
    this.#popup.close();
    return wasOpen;
  }

  remove(): void {
    this.#sizes.disconnect();
    this.#live.remove();
    this.instance.remove();
  }

  get #moved(): boolean {
    return this.#isMoved;
  }

  set #moved(isMoved: boolean) {
    this.#isMoved = isMoved;
    this.#fit.offer(isMoved && this.#trips.length > 0);
  }

  /** Corner of the buttons, which panels leave free. */
  get #corner(): 'top-left' | 'top-right' {
    return getComputedStyle(this.container).direction === 'rtl' ? 'top-left' : 'top-right';
  }

  /** true if a stop has the focus, or its popup is open. */
  get #isUsed(): boolean {
    const { activeElement } = this.container.getRootNode() as ShadowRoot;
    const isInside = this.container.contains(activeElement) && activeElement?.closest('.stop, .popup');
    return Boolean(isInside || this.container.querySelector('.popup'));
  }

  /** Shows the button for the whole screen, or takes it away; the whole element is enlarged, with its panels. */
  #offerFullscreen(): void {
    const { host } = this.container.getRootNode() as ShadowRoot;
    if (this.settings.fullscreen === (this.#fullscreen !== null)) return;
    if (this.#fullscreen) this.instance.removeControl(this.#fullscreen);
    this.#fullscreen = this.settings.fullscreen
      ? new this.library.FullscreenControl({ container: host as HTMLElement })
      : null;
    if (this.#fullscreen) this.instance.addControl(this.#fullscreen, this.#corner);
  }

  #listen(listener: MapCanvasListener): void {
    const map = this.instance;
    map.on('style.load', () => {
      this.#styled = true;
      this.#drawLayers();
      addGrid(map, CASING_LAYER);
      listener.styleLoaded(themeOfStyle(map), this.#isPlain);
    });
    map.on('moveend', () => moveGrid(map));
    map.on('error', ({ error }: ErrorEvent) => {
      const failure = error instanceof Error ? error : new Error(error.message);
      if (failure.name === 'AbortError') return;
      if (!this.#styled && !this.#isPlain && this.engine.goPlain(map, failure, this.#ground)) {
        this.#isPlain = true;
        listener.styleLoaded(null, true);
      }
      listener.failed(failure);
    });
    map.on('webglcontextlost', () => listener.contextLost());
    map.on('movestart', (event: { originalEvent?: unknown }) => {
      if (!event.originalEvent) return;
      this.#moved = true;
      listener.viewMoved();
    });
    map.on('mousemove', (event) => {
      if (!this.#styled || map.isMoving()) return;
      const [key, stop] = [this.#tripAt(event), this.#stops.at(event.point)];
      // A single line cannot be chosen.
      const isOffered = stop !== null || (key !== null && this.#trips.length > 1);
      map.getCanvas().style.cursor = isOffered ? 'pointer' : '';
      listener.tripHovered(key);
      this.#point(event, stop ? null : key, listener);
    });
    map.on('mouseout', (event) => {
      listener.tripHovered(null);
      this.#point(event, null, listener);
    });
    map.on('movestart', () => this.#tooltip.hide());
    map.on('click', (event) => this.#handleClick(event, listener));
  }

  #point({ point, lngLat }: MapMouseEvent, key: string | null, listener: MapCanvasListener): void {
    const trip = this.#trips.find((one) => one.key === key);
    const text = listener.linePointed(trip ? { trip, position: [lngLat.lng, lngLat.lat] } : null);
    // A finger would cover the text, and would leave it behind.
    if (text === null || !mediaQuery('(hover: hover)')?.matches) this.#tooltip.hide();
    else this.#tooltip.show(point, text);
  }

  #handleClick(event: MapMouseEvent, listener: MapCanvasListener): void {
    if (!this.#styled) return;
    const hit = this.#stops.at(event.point, true);
    if (hit && 'stop' in hit) listener.stopChosen(hit.stop);
    else if (hit) {
      this.#moved = true;
      this.instance.easeTo({ center: hit.cluster, zoom: this.instance.getZoom() + 2 });
    } else {
      const key = this.#tripAt(event);
      // A click beside a popup closes it.
      if (key !== null || !this.#popup.isOpen) listener.tripChosen(key);
    }
  }

  /** Returns the key of the trip whose line is at the pointer, the uppermost; null if there is none. */
  #tripAt({ point }: MapMouseEvent): string | null {
    const key = featuresAt(this.instance, point, LINE_LAYERS)[0]?.properties?.key;
    return typeof key === 'string' ? key : null;
  }

  /** Finds the stops to mark, in the colors of the theme; the cursor stays where it is if `isUpdate`. */
  #mark(isUpdate = false): void {
    this.#marked = markedStops(this.#trips, this.#lineStyle(), this.settings.speeds !== null);
    this.#cursor.show(this.#marked, isUpdate);
    const { chosen } = this.#emphasis;
    if (chosen !== null && !isUpdate) this.#cursor.moveToTrip(chosen);
  }

  #drawStops(): void {
    const { chosen } = this.#emphasis;
    const known = this.#trips.some(({ key }) => key === chosen);
    const scene = { stops: this.#marked, trips: this.#trips.length, chosen: known ? chosen : null };
    this.#stops.draw({ ...scene, colors: this.#markerColors() }, this.#complete);
  }

  readonly #complete: CompleteLayer = (layer) => this.engine.layer(layer, this.settings);

  /** Draws the layers, lines and stops, if the style has loaded. */
  #drawLayers(): void {
    if (!this.#styled) return;
    if (this.#lit !== this.settings.theme) this.engine.relight(this.instance, this.settings);
    this.#lit = this.settings.theme;
    this.#lines.draw(this.#trips, this.#lineStyle(), this.#complete);
    this.#lines.emphasize(this.#emphasis);
    this.#drawStops();
    this.#drawLive();
  }

  #drawLive(): void {
    this.#live.draw(this.#lineStyle(), this.#complete);
  }

  /** Moves the view to the chosen trip, else to all trips, else to the fallback, without animation. */
  #fitView(): void {
    const chosen = this.#trips.filter(({ key }) => key === this.#emphasis.chosen);
    const bounds = boundsOf(chosen.length > 0 ? chosen : this.#trips);
    if (!bounds) {
      if (!this.#staysThere) this.instance.jumpTo(this.settings.fallback);
      return;
    }
    const padding = viewPadding(this.container.getBoundingClientRect(), this.#covers());
    this.instance.fitBounds(bounds, { padding, maxZoom: 16, duration: 0 });
  }

  /** Boxes of the panels and controls that lie on the map. */
  #covers(): DOMRect[] {
    const controls = '[class*="-ctrl-group"], [class*="-ctrl-attrib"], [class*="-ctrl-logo"]';
    const root = this.container.getRootNode() as ShadowRoot;
    return [...root.querySelectorAll(`.legend, .live > *, ${controls}`)]
      .map((cover) => cover.getBoundingClientRect())
      .filter(({ width, height }) => width > 0 && height > 0);
  }

  /** Resolves when the worker has processed the lines and a frame with them has been drawn. */
  #painted(): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!this.instance.isSourceLoaded(TRIPS_SOURCE)) return;
        this.instance.off('render', check);
        resolve();
      };
      this.instance.on('render', check);
      this.instance.triggerRepaint();
    });
  }

  #lineStyle(): LineStyle {
    const style = getComputedStyle(this.container);
    return {
      color: style.getPropertyValue('--_line-color').trim(),
      theme: this.settings.theme,
      width: Number.parseFloat(style.getPropertyValue('--_line-width')) || 5,
      casing: style.getPropertyValue('--_line-casing').trim(),
      text: style.getPropertyValue('--_text').trim(),
      speeds: this.settings.speeds,
    };
  }

  get #ground(): string {
    return getComputedStyle(this.container).getPropertyValue('--_ground').trim();
  }

  #markerColors(): MarkerColors {
    const style = getComputedStyle(this.container);
    const colorOf = (name: string): string => style.getPropertyValue(name).trim();
    return { surface: colorOf('--_surface'), text: colorOf('--_text'), outline: colorOf('--_muted') };
  }
}
