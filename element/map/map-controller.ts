import { closeLiveMap, type LiveMap, openLiveMap, reviewLiveMaps } from './live-maps.ts';
import {
  type Emphasis,
  type MapCanvas,
  type MapCanvasListener,
  type MapInstance,
  NO_EMPHASIS,
  type VehiclePose,
} from './map-canvas.ts';
import { type MapSettings, sameCanvas } from './map-settings.ts';
import { MapSnapshot } from './map-snapshot.ts';
import { MapboxCanvas } from './mapbox-canvas.ts';
import { mapboxLibrary } from './mapbox-library.ts';
import { StaticCanvas } from './static-canvas.ts';
import type { Trip } from '../trips/trip.ts';
import { isInView, whenVisible } from './when-visible.ts';

/** What the controller tells the element. */
export interface MapControllerListener extends Omit<MapCanvasListener, 'lost'> {
  mapLoaded(instance: MapInstance): void;
  tripsRendered(instance: MapInstance): void;
  /** There is no map now, and what was said of it no longer holds. */
  closed(): void;
  /** The words that ask a screen reader's user whether to open a map again that had to sleep. */
  wakeLabel(): string;
}

/** What is to be on the map; `announced` when its rendering is an event, as that of a loaded selection is. */
interface Scene {
  readonly trips: readonly Trip[];
  readonly announced: boolean;
}

/** A map that loses its graphics context oftener than this within {@link LOSSES_MS} has failed. */
const MAX_LOSSES = 3;
const LOSSES_MS = 30_000;

/** Keeps one canvas: opens it when the element is visible, draws the latest scene on it, lets go of it. */
export class MapController {
  readonly #listener: MapControllerListener;
  #settings: MapSettings | null = null;
  #container: HTMLElement | null = null;
  #opening: AbortController | null = null;
  #canvas: MapCanvas | null = null;
  #scene: Scene | null = null;
  #emphasis: Emphasis = NO_EMPHASIS;
  #vehicle: VehiclePose | null = null;
  #loaded = false;
  /** Whether what is to be seen is on the map, or cannot be. */
  #settled = false;
  /** Ends the sleep of a map in view, if it sleeps. */
  #rest: AbortController | null = null;
  /** When the graphics context was lost, in milliseconds since 1970. */
  #losses: number[] = [];
  readonly #live: LiveMap = {
    isInView: () => this.#container !== null && isInView(this.#container),
    isBusy: () => !this.#settled || (this.#container !== null && isUsed(this.#container)),
    sleep: () => this.#sleep(),
  };

  constructor(listener: MapControllerListener) {
    this.#listener = listener;
  }

  get canvas(): MapCanvas | null {
    return this.#canvas;
  }

  /** Whether the map is initialised and visible. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Opens the map, or changes the open one. */
  configure(container: HTMLElement, settings: MapSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    if (this.#opening && before && sameCanvas(before, settings)) {
      this.#rest?.abort();
      this.#canvas?.update(settings);
    } else void this.#open(container);
  }

  /** Draws what was loaded, now or when the map is there. */
  show(trips: readonly Trip[]): void {
    this.#scene = { trips, announced: true };
    void this.#draw();
  }

  /** Shows the fallback view, because there is no trip data to be had. */
  showNone(): void {
    this.#scene = { trips: [], announced: false };
    void this.#draw();
  }

  /** Draws the same once more, say in another language. */
  refresh(): void {
    if (this.#scene) this.#scene = { ...this.#scene, announced: false };
    void this.#draw();
  }

  /** Lets trips stand out, on this map and on those that follow it. */
  emphasize(emphasis: Emphasis): void {
    this.#emphasis = emphasis;
    this.#rest?.abort();
    this.#canvas?.emphasize(emphasis);
  }

  /** Shows where the replayed vehicle is, on this map and on those that follow it: see {@link MapCanvas.showVehicle}. */
  showVehicle(pose: VehiclePose | null, follow: boolean): void {
    if (pose !== this.#vehicle) this.#rest?.abort();
    this.#vehicle = pose;
    this.#canvas?.showVehicle(pose, follow);
  }

  /** Removes the map; `configure` opens it again. */
  close(): void {
    this.#opening?.abort();
    this.#opening = null;
    this.#canvas?.remove();
    this.#canvas = null;
    this.#loaded = false;
    this.#settled = false;
    this.#rest?.abort();
    closeLiveMap(this.#live);
    this.#listener.closed();
  }

  /** Forgets what was drawn. */
  clear(): void {
    this.#scene = null;
    this.#vehicle = null;
  }

  async #open(container: HTMLElement, still: MapSnapshot | null = null): Promise<void> {
    this.close();
    this.#container = container;
    const opening = new AbortController();
    this.#opening = opening;
    opening.signal.addEventListener('abort', () => still?.remove(), { once: true });
    try {
      if (still) await this.#restBehind(still, container);
      await whenVisible(container, opening.signal);
      const canvas = await this.#canvasIn(container, opening.signal);
      if (!canvas) return;
      this.#canvas = canvas;
      canvas.emphasize(this.#emphasis);
      canvas.showVehicle(this.#vehicle, false);
      void canvas.loaded.then(() => {
        if (this.#canvas !== canvas) return;
        this.#loaded = true;
        this.#listener.mapLoaded(canvas.instance);
      });
      await this.#draw();
      if (still?.remove()) container.querySelector('canvas')?.focus();
    } catch (error) {
      if (!opening.signal.aborted) this.#fail(error);
    }
  }

  async #restBehind(still: MapSnapshot, container: HTMLElement): Promise<void> {
    const rest = new AbortController();
    this.#rest = rest;
    await still.showIn(container, rest.signal);
    if (this.#rest === rest) this.#rest = null;
  }

  /** Gives up the graphics context: in view a picture stays, until the reader wants the map or it has to change. */
  async #sleep(): Promise<void> {
    const canvas = this.#canvas;
    const seen = this.#live.isInView() && canvas instanceof MapboxCanvas;
    const still = seen ? await MapSnapshot.of(canvas.instance, this.#listener.wakeLabel()) : null;
    // What it has begun to show meanwhile is not in the picture.
    if (this.#canvas === canvas) this.#reopen(this.#settled ? still : null);
  }

  async #canvasIn(container: HTMLElement, signal: AbortSignal): Promise<MapCanvas | null> {
    const library = this.#settings?.type === 'static' ? null : await mapboxLibrary();
    if (library) await openLiveMap(this.#live, signal);
    const settings = this.#settings;
    if (signal.aborted || !settings) return null;
    if (!library) return new StaticCanvas(container, settings, { ...this.#listener, lost: () => {} });
    return new MapboxCanvas(library, container, settings, {
      ...this.#listener,
      failed: (error) => this.#fail(error),
      lost: () => this.#recover(signal),
    });
  }

  /** Makes the map anew whose graphics context is gone; `signal` says whether it is still that map. */
  #recover(signal: AbortSignal): void {
    if (signal.aborted) return;
    const now = Date.now();
    this.#losses = [...this.#losses, now].filter((then) => now - then < LOSSES_MS);
    if (this.#losses.length <= MAX_LOSSES) {
      this.#reopen();
      return;
    }
    this.close();
    this.#listener.failed(new Error('The browser takes the graphics context away from the map again and again'));
  }

  #reopen(still: MapSnapshot | null = null): void {
    if (this.#container) void this.#open(this.#container, still);
  }

  #fail(error: unknown): void {
    this.#settle();
    this.#listener.failed(errorOf(error));
  }

  #settle(): void {
    this.#settled = true;
    reviewLiveMaps();
  }

  async #draw(): Promise<void> {
    this.#rest?.abort();
    const canvas = this.#canvas;
    const scene = this.#scene;
    if (!canvas || !scene) return;
    if (this.#loaded) this.#settled = false;
    const current = (): boolean => this.#canvas === canvas && this.#scene === scene;
    try {
      await canvas.draw(scene.trips);
      await canvas.loaded;
      if (!current()) return;
      this.#settle();
      if (scene.announced) this.#listener.tripsRendered(canvas.instance);
    } catch (error) {
      if (current()) this.#fail(error);
    }
  }
}

/** Whether the reader is at a map, or at what belongs to it: its list, its replay. */
function isUsed(container: HTMLElement): boolean {
  const root = container.getRootNode();
  return root instanceof ShadowRoot && root.host.matches(':hover, :focus-within');
}

/** Whatever was thrown, as the Error that an event's detail has to be. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
