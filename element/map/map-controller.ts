import { drawnImageUrl } from './drawn-image-url.ts';
import type { LiveScene } from '../engine/live-scene.ts';
import { InteractiveCanvas } from './interactive-canvas.ts';
import { closeLiveMap, type LiveMap, openLiveMap, reviewLiveMaps } from './live-maps.ts';
import {
  type Emphasis,
  type Following,
  type MapCanvas,
  type MapCanvasListener,
  type MapInstance,
  NO_EMPHASIS,
  type VehiclePose,
} from '../engine/map-canvas.ts';
import type { EngineLibrary, MapEngine } from '../engine/map-engine.ts';
import { type MapSettings, sameCanvas } from '../engine/map-settings.ts';
import { LinePreview } from './line-preview.ts';
import { MapSnapshot } from './map-snapshot.ts';
import { PageError } from '../trips/load-failure.ts';
import { StaticCanvas } from './static-canvas.ts';
import { staticImageUrl } from './static-image-url.ts';
import type { Trip } from '../trips/trip.ts';
import { isInView, whenVisible } from './when-visible.ts';
import { once } from '../../schema/once.ts';

/**
 * Resolves to what the page's policy has to allow for a worker made from a blob, as the engines need; null if one answers. A
 * policy of sources blocks it with an error event only, Trusted Types with a TypeError.
 */
const missingDirective = once((): Promise<string | null> => {
  const url = URL.createObjectURL(new Blob(['postMessage(0)'], { type: 'text/javascript' }));
  return new Promise<string | null>((resolve) => {
    const worker = new Worker(url);
    const answer = (directive: string | null) => (): void => {
      worker.terminate();
      resolve(directive);
    };
    worker.onmessage = answer(null);
    worker.onerror = answer('`worker-src blob:`');
  })
    .catch((error: unknown) =>
      error instanceof TypeError && 'trustedTypes' in globalThis
        ? 'a Trusted Types policy named `default`'
        : '`worker-src blob:`',
    )
    .finally(() => URL.revokeObjectURL(url));
});

/** Callbacks of the controller to the element. */
interface MapControllerListener extends Omit<MapCanvasListener, 'contextLost'> {
  mapLoaded(instance: MapInstance): void;
  tripsRendered(instance: MapInstance): void;
  /** The map was removed, so its failure no longer matters. */
  closed(): void;
  /** Returns the accessible name of the button that resumes a suspended map. */
  resumeLabel(): string;
}

/** Trips to be drawn. */
interface Scene {
  readonly trips: readonly Trip[];
  /** true if their rendering is reported, as that of loaded trips is. */
  readonly reported: boolean;
  /** true if the view stays as it is. */
  readonly isUpdate: boolean;
  /** true if the view stays even without trips: where they were, if they are taken away. */
  readonly staysThere: boolean;
}

/** A map that loses its graphics context more often than this within {@link LOSSES_MS} has failed. */
const MAX_LOSSES = 3;
const LOSSES_MS = 30_000;

/** Owns one canvas: opens it when the element is visible, draws the latest scene on it, suspends and closes it. */
export class MapController {
  #settings: MapSettings | null = null;
  #container: HTMLElement | null = null;
  #opening: AbortController | null = null;
  /** null while no map is open. */
  canvas: MapCanvas | null = null;
  #scene: Scene | null = null;
  readonly #preview = new LinePreview();
  #emphasis: Emphasis = NO_EMPHASIS;
  #vehicle: VehiclePose | null = null;
  #liveScene: LiveScene | null = null;
  /** true if the map is initialized and visible. */
  loaded = false;
  /** true when the scene has been drawn, or has failed. */
  #settled = false;
  /** Resumes a map that is suspended in view. */
  #suspension: AbortController | null = null;
  /** Times of context losses, in milliseconds since 1970. */
  #losses: number[] = [];
  readonly #live: LiveMap = {
    isInView: () => this.#container !== null && isInView(this.#container),
    isBusy: () => !this.#settled || (this.#container !== null && isUsed(this.#container)),
    suspend: () => this.#suspend(),
  };

  constructor(
    private readonly engine: MapEngine,
    private readonly listener: MapControllerListener,
  ) {}

  /** Opens the map, or updates the open one. */
  configure(container: HTMLElement, settings: MapSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    if (this.#opening && before && sameCanvas(before, settings)) {
      this.#suspension?.abort();
      this.canvas?.update(settings);
    } else void this.#open(container);
  }

  /** Draws trips as soon as there is a map, and their lines alone before; `reported` calls `tripsRendered` then. */
  show(trips: readonly Trip[], reported: boolean): void {
    this.#scene = { trips, reported, isUpdate: false, staysThere: false };
    void this.#draw();
  }

  /** Takes the trips away, and leaves the view as it is. */
  clearTrips(): void {
    this.#scene = { trips: [], reported: false, isUpdate: false, staysThere: true };
    void this.#draw();
  }

  /** Draws trips that have grown, in the view as it is; those that are about to be drawn are replaced by them. */
  update(trips: readonly Trip[]): void {
    const isPending = this.#scene !== null && !this.#settled;
    const reported = isPending && this.#scene?.reported === true;
    this.#scene = { trips, reported, isUpdate: !isPending, staysThere: false };
    void this.#draw();
  }

  /** Draws the same trips again, for example in another language. */
  refresh(): void {
    if (this.#scene) this.show(this.#scene.trips, false);
  }

  /** Emphasizes trips on this map and on those that replace it. */
  emphasize(emphasis: Emphasis): void {
    this.#emphasis = emphasis;
    this.#suspension?.abort();
    this.canvas?.emphasize(emphasis);
  }

  /** Shows the replayed vehicle on this map and on those that replace it: see {@link MapCanvas.showVehicle}. */
  showVehicle(pose: VehiclePose | null, follow: Following, pointed: VehiclePose | null): void {
    if (pose !== this.#vehicle || pointed) this.#suspension?.abort();
    this.#vehicle = pose;
    this.canvas?.showVehicle(pose, follow, pointed);
  }

  /** Shows the vehicles that are followed on this map and on those that replace it: see {@link MapCanvas.showLive}. */
  showLive(scene: LiveScene | null): void {
    this.#liveScene = scene;
    this.canvas?.showLive(scene);
  }

  /** Removes the map; `configure` opens it again. */
  close(): void {
    this.#opening?.abort();
    this.#opening = null;
    this.canvas?.remove();
    this.canvas = null;
    this.#preview.remove();
    this.loaded = false;
    this.#settled = false;
    this.#suspension?.abort();
    closeLiveMap(this.#live);
    this.listener.closed();
  }

  /** Discards the scene and the vehicle. */
  clear(): void {
    this.#scene = null;
    this.#vehicle = null;
    this.#liveScene = null;
  }

  async #open(container: HTMLElement, snapshot: MapSnapshot | null = null): Promise<void> {
    this.close();
    this.#container = container;
    const opening = new AbortController();
    this.#opening = opening;
    opening.signal.addEventListener('abort', () => snapshot?.remove(), { once: true });
    try {
      if (snapshot) {
        const suspension = new AbortController();
        this.#suspension = suspension;
        await snapshot.showIn(container, suspension.signal);
        if (this.#suspension === suspension) this.#suspension = null;
      }
      await whenVisible(container, opening.signal);
      if (!snapshot) this.#drawPreview();
      const canvas = await this.#canvasIn(container, opening.signal);
      if (!canvas) return;
      this.canvas = canvas;
      canvas.emphasize(this.#emphasis);
      canvas.showVehicle(this.#vehicle, null);
      if (this.#scene?.isUpdate) this.#scene = { ...this.#scene, reported: true, isUpdate: false };
      void canvas.loaded.then(() => {
        if (this.canvas !== canvas) return;
        this.loaded = true;
        this.listener.mapLoaded(canvas.instance);
      });
      await this.#draw();
      canvas.showLive(this.#liveScene);
      if (snapshot?.remove()) container.querySelector('canvas')?.focus();
    } catch (error) {
      if (!opening.signal.aborted) this.#fail(error);
    }
  }

  /** Gives up the graphics context. In view, a snapshot replaces it until the reader uses the map or it has to change. */
  async #suspend(): Promise<void> {
    const canvas = this.canvas;
    const visible = this.#live.isInView() && canvas instanceof InteractiveCanvas;
    const snapshot = visible ? await MapSnapshot.of(canvas.instance, this.listener.resumeLabel()) : null;
    // A scene that began to be drawn in the meantime is not in the snapshot.
    if (this.canvas === canvas) this.#reopen(this.#settled ? snapshot : null);
  }

  async #canvasIn(container: HTMLElement, signal: AbortSignal): Promise<MapCanvas | null> {
    const library = this.#settings?.type === 'static' ? null : await this.#library();
    if (library) await openLiveMap(this.#live, signal);
    const settings = this.#settings;
    if (signal.aborted || !settings) return null;
    if (!library) {
      const imageOf = settings.type === 'static' ? staticImageUrl : drawnImageUrl;
      return new StaticCanvas(container, settings, this.listener, imageOf);
    }
    return new InteractiveCanvas(this.engine, library, container, settings, {
      ...this.listener,
      failed: (error) => this.#fail(error),
      contextLost: () => this.#recover(signal),
    });
  }

  /**
   * Loads the engine; null if the browser has no WebGL 2.
   *
   * @throws PageError if the page forbids what the engine needs, without which it would hang silently
   */
  async #library(): Promise<EngineLibrary | null> {
    const missing = await missingDirective();
    if (missing === null) return this.engine.load();
    throw new PageError(`The page's Content-Security-Policy blocks the map: allow ${missing}`);
  }

  /** Reopens a map that has lost its graphics context, unless `signal` says that it was closed. */
  #recover(signal: AbortSignal): void {
    if (signal.aborted) return;
    const now = Date.now();
    this.#losses = [...this.#losses, now].filter((then) => now - then < LOSSES_MS);
    if (this.#losses.length <= MAX_LOSSES) {
      this.#reopen();
      return;
    }
    this.close();
    this.listener.failed(new Error('The browser repeatedly discarded the graphics context of the map'));
  }

  #reopen(snapshot: MapSnapshot | null = null): void {
    if (this.#container) void this.#open(this.#container, snapshot);
  }

  #fail(error: unknown): void {
    this.#settle();
    this.listener.failed(errorOf(error));
  }

  #settle(): void {
    this.#settled = true;
    reviewLiveMaps();
  }

  /** Shows the lines until there is an interactive map. */
  #drawPreview(): void {
    if (this.loaded || !this.#container || !this.#scene || this.#settings?.type !== 'interactive') return;
    this.#preview.show(this.#container, this.#scene.trips, this.#settings);
  }

  async #draw(): Promise<void> {
    const canvas = this.canvas;
    const scene = this.#scene;
    if (!scene?.isUpdate) this.#suspension?.abort();
    if (!this.#suspension) this.#drawPreview();
    if (!canvas || !scene) return;
    if (this.loaded) this.#settled = false;
    const isCurrent = (): boolean => this.canvas === canvas && this.#scene === scene;
    try {
      await canvas.draw(scene.trips, scene.isUpdate, scene.staysThere);
      await canvas.loaded;
      if (!isCurrent()) return;
      if (canvas instanceof InteractiveCanvas) this.#preview.fade();
      else this.#preview.remove();
      this.#settle();
      if (scene.reported) this.listener.tripsRendered(canvas.instance);
    } catch (error) {
      if (isCurrent()) this.#fail(error);
    }
  }
}

/** Returns true if the reader is using a map or its list or replay. */
function isUsed(container: HTMLElement): boolean {
  const root = container.getRootNode();
  return root instanceof ShadowRoot && root.host.matches(':hover, :focus-within');
}

/** Converts anything thrown to the Error that an event's detail has to be. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
