import type { ErrorEvent, Map as MapboxMap, MapOptions, Popup } from 'mapbox-gl';

import { boundsOf } from './bounds-of.ts';
import type { MapCanvas, MapCanvasListener } from './map-canvas.ts';
import { addGrid, moveGrid } from './map-grid.ts';
import { type MapSettings, sameFallback, STANDARD_STYLE } from './map-settings.ts';
import type { MapboxLibrary } from './mapbox-library.ts';
import type { Trip, TripStop } from './trip.ts';
import { CASING_LAYER, drawLines, type LineLook, TRIPS_SOURCE } from './trip-layers.ts';
import { TripMarkers } from './trip-markers.ts';

/** The interactive map: mapbox-gl, reached from nowhere else. */
export class MapboxCanvas implements MapCanvas {
  readonly instance: MapboxMap;
  readonly loaded: Promise<void>;
  readonly #mapboxgl: MapboxLibrary;
  readonly #container: HTMLElement;
  readonly #markers: TripMarkers;
  readonly #sizes: ResizeObserver;
  #settings: MapSettings;
  #trips: readonly Trip[] = [];
  #popup: Popup | null = null;
  /** Whether the reader has moved the map: from then on the view is theirs. */
  #moved = false;

  constructor(mapboxgl: MapboxLibrary, container: HTMLElement, settings: MapSettings, listener: MapCanvasListener) {
    this.#mapboxgl = mapboxgl;
    this.#container = container;
    this.#settings = settings;
    // Without a token nothing is asked of the provider; naming the page itself keeps mapbox-gl from checking for one.
    const apiUrl = settings.accessToken === null ? location.origin : settings.providerUrl;
    if (mapboxgl.baseApiUrl !== apiUrl) mapboxgl.baseApiUrl = apiUrl;
    const map = new mapboxgl.Map(optionsOf(container, settings));
    this.instance = map;
    this.#markers = new TripMarkers(mapboxgl, map, listener);
    map.addControl(new mapboxgl.NavigationControl({ showCompass: false }), 'top-right');
    map.on('style.load', () => {
      this.#drawLines();
      addGrid(map, CASING_LAYER);
    });
    map.on('moveend', () => moveGrid(map));
    map.on('error', ({ error }: ErrorEvent) => {
      const failure = error instanceof Error ? error : new Error(error.message);
      if (failure.name !== 'AbortError') listener.failed(failure);
    });
    map.on('movestart', (event: { originalEvent?: unknown }) => {
      if (event.originalEvent) this.#moved = true;
    });
    this.loaded = new Promise((resolve) => map.once('load', () => resolve()));
    this.#sizes = new ResizeObserver(() => {
      map.resize();
      if (!this.#moved) this.#look();
    });
    this.#sizes.observe(container);
  }

  async draw(trips: readonly Trip[]): Promise<void> {
    this.#trips = trips;
    this.#moved = false;
    this.#popup?.remove();
    this.#look();
    await this.loaded;
    this.#drawLines();
    this.#markers.draw(trips, this.#lineLook().color);
    await this.#painted();
  }

  update(settings: MapSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    if (before.style !== settings.style) this.instance.setStyle(settings.style ?? STANDARD_STYLE, restyle(settings));
    else if (before.theme !== settings.theme) this.#retheme();
    if (this.#trips.length === 0 && !sameFallback(before, settings)) this.#look();
  }

  openPopup(stop: TripStop, content: HTMLElement): void {
    this.#popup?.remove();
    const button = this.#markers.buttonOf(stop);
    content.style.setProperty('--stop-color', button?.style.getPropertyValue('--stop-color') ?? '');
    const popup = new this.#mapboxgl.Popup({
      offset: stop.kind === 'end' ? PIN_OFFSETS : 16,
      maxWidth: 'none',
      closeButton: false,
      focusAfterOpen: false,
      className: 'stop-popup',
    });
    this.#popup = popup;
    popup.setLngLat(stop.position).setDOMContent(content).addTo(this.instance);
    const close = (): void => {
      const focused = content.matches(':focus-within');
      popup.remove();
      if (focused) button?.focus({ preventScroll: true });
    };
    popup.once('close', () => {
      if (this.#popup === popup) this.#popup = null;
    });
    content.addEventListener('close-popup', close);
    this.#bringIn(content);
    content.focus({ preventScroll: true });
  }

  closePopup(): void {
    this.#popup?.remove();
  }

  remove(): void {
    this.#sizes.disconnect();
    this.#markers.remove();
    this.instance.remove();
  }

  /** Moves the map by as much as a popup hangs over its edge. */
  #bringIn(content: HTMLElement): void {
    const inside = content.getBoundingClientRect();
    const around = this.#container.getBoundingClientRect();
    const margin = 10;
    const x = Math.min(0, inside.left - around.left - margin) || Math.max(0, inside.right - around.right + margin);
    const y = Math.min(0, inside.top - around.top - margin) || Math.max(0, inside.bottom - around.bottom + margin);
    if (x !== 0 || y !== 0) this.instance.panBy([x, y], { duration: 250 });
  }

  #drawLines(): void {
    drawLines(this.instance, this.#trips, this.#lineLook(), this.#settings.style ? undefined : 'middle');
  }

  #retheme(): void {
    if (!this.#settings.style) this.instance.setConfigProperty('basemap', 'lightPreset', lightOf(this.#settings));
    this.#drawLines();
  }

  /** Moves the view to the trips, else to the fallback, at once. */
  #look(): void {
    const bounds = boundsOf(this.#trips);
    if (!bounds) {
      this.instance.jumpTo(this.#settings.fallback);
      return;
    }
    const { clientWidth, clientHeight } = this.#container;
    const edge = Math.min(56, Math.floor(Math.min(clientWidth, clientHeight) / 9));
    const padding = { top: edge + Math.min(28, edge), right: edge, bottom: edge, left: edge };
    this.instance.fitBounds(bounds, { padding, maxZoom: 16, duration: 0 });
  }

  /** Waits until the lines have gone through the worker and a frame with them has been drawn. */
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

  #lineLook(): LineLook {
    const style = getComputedStyle(this.#container);
    return {
      color: style.getPropertyValue('--_line-color').trim(),
      width: Number.parseFloat(style.getPropertyValue('--_line-width')) || 5,
      casing: style.getPropertyValue('--_line-casing').trim(),
    };
  }
}

/** Keeps the popup clear of the end's pin, whose tip is at the position. */
const PIN_OFFSETS: Record<string, [number, number]> = {
  top: [0, 8],
  'top-left': [0, 8],
  'top-right': [0, 8],
  bottom: [0, -42],
  'bottom-left': [0, -42],
  'bottom-right': [0, -42],
  left: [18, -22],
  right: [-18, -22],
};

function optionsOf(container: HTMLElement, settings: MapSettings): MapOptions {
  return {
    container,
    style: settings.style ?? STANDARD_STYLE,
    ...(settings.accessToken ? { accessToken: settings.accessToken } : {}),
    ...settings.fallback,
    ...(settings.style ? {} : { config: { basemap: { lightPreset: lightOf(settings) } } }),
    language: settings.locale,
    attributionControl: true,
    trackResize: false,
    dragRotate: false,
    pitchWithRotate: false,
  };
}

type RestyleOptions = NonNullable<Parameters<MapboxMap['setStyle']>[1]>;

/** No diff: it would drop our layers without a word, and `style.load` would not come. */
function restyle(settings: MapSettings): RestyleOptions {
  const options = { diff: false } as RestyleOptions;
  if (!settings.style) options.config = { basemap: { lightPreset: lightOf(settings) } };
  return options;
}

function lightOf(settings: MapSettings): string {
  return settings.theme === 'dark' ? 'night' : 'day';
}
