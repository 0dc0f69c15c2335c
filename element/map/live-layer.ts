import type { GeoJSONSource, LngLatLike, Marker } from 'mapbox-gl';

import type { EngineMap } from '../engine/engine-map.ts';
import type { LivePose, LiveScene } from '../engine/live-scene.ts';
import { lineCollection, type LineStyle } from './trip-layers.ts';
import type { CompleteLayer, EngineLibrary } from '../engine/map-engine.ts';
import { boundsOf } from '../engine/bounds-of.ts';
import type { LonLat } from '../trips/trip.ts';
import { viewPadding } from '../engine/view-padding.ts';
import type { Padding } from '../../schema/trips/trip-drawing.ts';

const SOURCE = 'service-trips-live';
const CASING = 'service-trips-live-casing';
const LINE = 'service-trips-live-line';

/** Zoom in which a followed vehicle is shown at first, close enough to see the street. */
const FOLLOW_ZOOM = 14;
/** Share of the map's size at each edge into which a followed vehicle does not move. */
const EDGE = 0.22;
const PAN_MS = 800;
/** Room that the name of a vehicle takes beside its middle, in pixels. */
const NAME_WIDTH = 180;
const NAME_HEIGHT = 24;
/** Pixels by which a followed vehicle may leave the view that was fitted to it. */
const SLACK = 8;

/** The followed vehicles on a map: an arrow each, and its way since the line of its trip was loaded. */
export class LiveLayer {
  readonly #markers = new Map<string, Marker>();
  #scene: LiveScene | null = null;
  /** true once the view has been brought to the vehicles. */
  #isFramed = false;

  constructor(
    private readonly library: EngineLibrary,
    private readonly map: EngineMap,
    /** Returns the boxes of the panels and controls that lie on the map. */
    private readonly covers: () => readonly DOMRect[],
  ) {
    map.on('move', () => this.#turn());
  }

  /** Shows vehicles; null removes them. */
  show(scene: LiveScene | null): void {
    const before = this.#scene;
    this.#scene = scene;
    const poses = scene?.vehicles ?? [];
    for (const [key, marker] of this.#markers) {
      if (poses.some((pose) => pose.key === key)) continue;
      marker.remove();
      this.#markers.delete(key);
    }
    for (const pose of poses) this.#place(pose);
    this.#turn();
    this.#putLines(before?.vehicles ?? []);
    if (scene?.follows && poses.length > 0) this.#follow(scene);
    else this.#isFramed = false;
  }

  /** true if the map has the way, or there is none. */
  get isDrawn(): boolean {
    return !this.#scene || this.map.getSource(SOURCE) !== undefined;
  }

  /** Draws the way on a map whose style has loaded, below the vehicles and above the trips. */
  draw(look: LineStyle, complete: CompleteLayer): void {
    if (!this.#scene) return;
    if (!this.map.getSource(SOURCE)) {
      this.map.addSource(SOURCE, { type: 'geojson', data: linesOf(this.#scene.vehicles) });
      const layout = { 'line-cap': 'round', 'line-join': 'round' } as const;
      for (const id of [CASING, LINE]) {
        const paint = { 'line-color': ['get', 'color'] as ['get', string], 'line-width': look.width };
        this.map.addLayer(complete({ type: 'line', id, source: SOURCE, layout, paint }));
      }
    }
    this.map.setPaintProperty(CASING, 'line-color', look.casing);
    this.map.setPaintProperty(CASING, 'line-width', look.width + 4);
    this.map.setPaintProperty(LINE, 'line-width', look.width);
  }

  /** Has the view brought to the vehicles again, after it was moved to the trips. */
  reframe(): void {
    this.#isFramed = false;
  }

  remove(): void {
    for (const marker of this.#markers.values()) marker.remove();
    this.#markers.clear();
  }

  #place(pose: LivePose): void {
    const { key, position, color, label, isFresh, heading } = pose;
    const marker = this.#markers.get(key) ?? this.#add(pose);
    const element = marker.setLngLat(position).getElement();
    element.style.setProperty('--live-color', color);
    element.classList.toggle('stale', !isFresh);
    element.classList.toggle('headed', heading !== null);
    const name = element.querySelector('span');
    if (name && name.textContent !== label) name.textContent = label;
  }

  #add({ key, position }: LivePose): Marker {
    const element = document.createElement('div');
    element.className = 'live-vehicle';
    element.part.add('vehicle', 'vehicle-live');
    element.dataset.vehicle = key;
    element.setAttribute('aria-hidden', 'true');
    element.innerHTML =
      '<svg viewBox="0 0 32 32"><circle cx="16" cy="16" r="13.5"/><path class="arrow" d="m16 6 7.500 18-7.500-4.200L8.500 24z"/><circle class="core" cx="16" cy="16" r="5"/></svg><span></span>';
    const marker = new this.library.Marker({ element }).setLngLat(position).addTo(this.map);
    this.#markers.set(key, marker);
    return marker;
  }

  /** Points the arrows where the vehicles head on a map that may be turned, and keeps their names inside of it and apart. */
  #turn(): void {
    const { vehicles = [], chosen = null } = this.#scene ?? {};
    const { clientWidth } = this.map.getContainer();
    const names: { readonly from: number; readonly y: number }[] = [];
    for (const { key, heading, position } of vehicles) {
      const element = this.#markers.get(key)?.getElement();
      const arrow = element?.querySelector('svg');
      if (arrow) arrow.style.rotate = `${(heading ?? 0) - this.map.getBearing()}deg`;
      const { x, y } = this.map.project(position);
      const isFree = (from: number): boolean =>
        !names.some((name) => Math.abs(name.from - from) < NAME_WIDTH && Math.abs(name.y - y) < NAME_HEIGHT);
      const isInside = (from: number): boolean => from >= 0 && from + NAME_WIDTH <= clientWidth;
      const from = [x, x - NAME_WIDTH].find((side) => isInside(side) && isFree(side));
      if (from !== undefined) names.push({ from, y });
      element?.classList.toggle('left', from !== undefined && from < x);
      element?.classList.toggle('crowded', from === undefined);
      element?.classList.toggle('chosen', key === chosen || vehicles.length === 1);
    }
  }

  #putLines(before: readonly LivePose[]): void {
    const vehicles = this.#scene?.vehicles ?? [];
    const isSame = vehicles.length === before.length && vehicles.every(({ tail }) => tail.length === 0);
    if (isSame && before.every(({ tail }) => tail.length === 0)) return;
    this.map.getSource<GeoJSONSource>(SOURCE)?.setData(linesOf(vehicles));
  }

  #follow({ vehicles, chosen, isStill }: LiveScene): void {
    const fresh = vehicles.filter(({ key, isFresh }) => (chosen === null ? isFresh : key === chosen));
    // Several that are all offline are brought into view once.
    const followed = fresh.length === 0 && !this.#isFramed && vehicles.length > 1 ? vehicles : fresh;
    if (followed.length === 0 || (this.map.isMoving() && this.#isFramed)) return;
    const targets = followed.map(({ target }) => target);
    const padding = this.#padding();
    if (this.#isFramed && targets.every((target) => this.#isInside(target, padding))) return;
    const duration = isStill || !this.#isFramed ? 0 : PAN_MS;
    const [only] = targets;
    const bounds = boundsOf([{ path: targets, stops: [] }]);
    if (targets.length === 1 && only) {
      const zoom = this.#isFramed ? this.map.getZoom() : Math.max(FOLLOW_ZOOM, this.map.getZoom());
      this.map.easeTo({ center: only as LngLatLike, zoom, duration });
    } else if (bounds) {
      this.map.fitBounds(bounds, { padding, maxZoom: FOLLOW_ZOOM, duration });
    }
    this.#isFramed = true;
  }

  /** Returns true if a position lies within this padding. */
  #isInside(position: LonLat, { top, right, bottom, left }: Padding): boolean {
    const { x, y } = this.map.project(position);
    const { clientWidth, clientHeight } = this.map.getContainer();
    const isWithin = (at: number, from: number, until: number): boolean => at > from - SLACK && at < until + SLACK;
    return isWithin(x, left, clientWidth - right) && isWithin(y, top, clientHeight - bottom);
  }

  /** Pixels at each side into which a followed vehicle does not move: the edges of the map, and what lies on it. */
  #padding(): Padding {
    const container = this.map.getContainer();
    const edge = Math.round(Math.min(container.clientWidth, container.clientHeight) * EDGE);
    return viewPadding(container.getBoundingClientRect(), this.covers(), edge);
  }
}

function linesOf(vehicles: readonly LivePose[]) {
  const lines = vehicles.filter(({ tail }) => tail.length > 1);
  return lineCollection(lines.map(({ key, color, tail }) => ({ key, color, path: [...tail] })));
}
