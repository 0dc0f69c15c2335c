import { render } from 'lit';

import type { LivePose, LiveScene } from '../engine/live-scene.ts';
import { mediaQuery } from '../styles/media-query.ts';
import { AuthError } from '../trips/load-failure.ts';
import type { TokenManager } from '../trips/token-manager.ts';
import type { Trip } from '../trips/trip.ts';
import type { TripFormat } from '../trips/trip-format.ts';
import { FollowedVehicle, type LiveState } from './followed-vehicle.ts';
import { followFeed } from './live-feed.ts';
import { livePanel } from './live-panel.ts';
import type { LiveConnection, LiveInterruption, LivePosition } from './live-position.ts';
import { delay } from './pause.ts';

/** A vehicle to follow, with its tokens. */
interface LiveSource {
  readonly serviceUrl: string;
  readonly vehicleKey: string;
  readonly color: string;
  /** null for a vehicle that is alone. */
  readonly label: string | null;
  readonly tokens: TokenManager;
  /** true if the service has refused its token. */
  readonly isRefused: boolean;
}

/** Callbacks of the tracking to the element. */
interface LiveTrackingListener {
  connected(detail: LiveConnection): void;
  moved(detail: LivePosition): void;
  disconnected(detail: LiveInterruption): void;
  /** The service rejects a vehicle's token, and there is no other. */
  refused(vehicleKey: string, error: AuthError): void;
  /** Shows vehicles on the map. */
  show(scene: LiveScene | null): void;
  /** The trips of a vehicle have new positions, and must be loaded again. */
  grown(vehicleKey: string, signal: AbortSignal): Promise<void>;
  /** Another vehicle is under way, or is no longer: {@link LiveTracking.isUnderWay}. */
  changed(): void;
}

/** Time for which lines of trips may be outdated, in milliseconds; a vehicle's way is drawn meanwhile. */
const REFRESH_MS = 8000;
const FIRST_REFRESH_MS = 1500;
/**
 * Time after which trips are loaded again while the vehicle is stationary, in milliseconds: late positions may have changed
 * them.
 */
const STANDING_REFRESH_MS = 60_000;
const TICK_MS = 1000;

/** Follows vehicles: keeps their connections, moves them on the map, and shows how old their positions are. */
export class LiveTracking {
  readonly element: HTMLElement = document.createElement('div');
  readonly #reducedMotion = mediaQuery('(prefers-reduced-motion: reduce)');
  #vehicles: readonly FollowedVehicle[] = [];
  #format: TripFormat | null = null;
  #isLive = false;
  /** true if the trips are of the past: vehicles are connected, to notice the end of their access, but not shown. */
  #isPast = false;
  #follows = true;
  #chosen: string | null = null;
  #run: AbortController | null = null;
  #frame: number | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Keys of the vehicles that are under way. */
  #underWay = '';

  constructor(private readonly listener: LiveTrackingListener) {
    this.element.className = 'live';
    this.element.part.add('live');
  }

  /**
   * Lists vehicles and, if `isLive`, follows them from now on, instead of those before; a vehicle stays where it is. Those whose
   * trips are of the past (`isPast`) are not shown.
   */
  start(sources: readonly LiveSource[], isLive: boolean, isPast: boolean, format: TripFormat): void {
    this.#end();
    this.#isLive = isLive;
    this.#isPast = isPast;
    this.#format = format;
    this.#vehicles = sources.map(({ vehicleKey, color, label, isRefused }) => {
      const vehicle =
        this.#vehicles.find(({ key }) => key === vehicleKey) ?? new FollowedVehicle(vehicleKey, color, label);
      const state: LiveState = isRefused ? 'refused' : 'connecting';
      return Object.assign(vehicle, { color, label, state });
    });
    if (!this.#vehicles.some(({ key }) => key === this.#chosen)) this.#chosen = null;
    if (isLive) {
      const run = new AbortController();
      this.#run = run;
      for (const [at, source] of sources.entries()) {
        const vehicle = this.#vehicles[at];
        if (vehicle && !source.isRefused) void this.#follow(source, vehicle, run.signal);
      }
      this.#timer = setInterval(() => {
        if (!document.hidden) this.#update();
      }, TICK_MS);
    }
    this.#update();
  }

  /** Ends all connections and forgets the vehicles. */
  stop(): void {
    this.#end();
    for (const { key: vehicleKey, state } of this.#vehicles) {
      const detail = { vehicleKey, reason: 'stopped', message: 'The element no longer follows the vehicle' } as const;
      if (state === 'connected') this.listener.disconnected(detail);
    }
    this.#vehicles = [];
    this.#chosen = null;
    this.#follows = true;
    this.#underWay = '';
    this.listener.show(null);
  }

  /** Marks a vehicle as one whose token was refused; the others continue. */
  reject(vehicleKey: string): void {
    const vehicle = this.#vehicles.find(({ key }) => key === vehicleKey);
    if (vehicle) vehicle.state = 'refused';
    this.#update();
  }

  /** Removes from a vehicle's way the part that the lines of its trips, newest last, now show. */
  settle(vehicleKey: string, trips: readonly Trip[], color: string): void {
    const vehicle = this.#vehicles.find(({ key }) => key === vehicleKey);
    if (!vehicle) return;
    vehicle.color = color;
    vehicle.settle(trips);
    this.#show();
  }

  /** Stops following, because the reader has moved the map. */
  unfollow(): void {
    if (!this.#follows || !this.#run) return;
    this.#follows = false;
    this.#update();
  }

  /** Returns true while the newest trip of a vehicle continues. */
  isUnderWay(vehicleKey: string): boolean {
    return this.#underWay.split(' ').includes(vehicleKey);
  }

  reformat(format: TripFormat): void {
    this.#format = format;
    this.#update();
  }

  #end(): void {
    this.#run?.abort();
    this.#run = null;
    clearInterval(this.#timer);
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  /** Follows a vehicle until `signal` is aborted, with another token when one is refused, as long as each works for a while. */
  async #follow(source: LiveSource, vehicle: FollowedVehicle, signal: AbortSignal): Promise<void> {
    const { serviceUrl, vehicleKey, tokens } = source;
    let worked = false;
    const listener = {
      connected: (transport: LiveConnection['transport']): void => {
        worked = true;
        vehicle.state = 'connected';
        this.listener.connected({ vehicleKey, transport });
        this.#update();
      },
      moved: (position: LivePosition): void => this.#move(vehicle, position),
      disconnected: (reason: LiveInterruption['reason'], message: string): void => {
        vehicle.state = reason === 'refused' ? 'connecting' : 'interrupted';
        this.listener.disconnected({ vehicleKey, reason, message });
        this.#update();
      },
    };
    if (!this.#isPast) void this.#refresh(vehicle, signal);
    for (;;) {
      worked = false;
      try {
        await tokens.use((token) => followFeed({ serviceUrl, vehicleKey, token }, listener, signal));
        return;
      } catch (error) {
        if (signal.aborted) return;
        const failure = error instanceof AuthError ? error : new AuthError(String(error));
        if (worked && tokens.isProvided) continue;
        this.listener.refused(vehicleKey, failure);
        return;
      }
    }
  }

  /** Has the trips of a vehicle loaded again from time to time: often while it moves, and rarely while it is stationary. */
  async #refresh(vehicle: FollowedVehicle, signal: AbortSignal): Promise<void> {
    let loaded = performance.now();
    for (let pause = FIRST_REFRESH_MS; !signal.aborted; pause = REFRESH_MS) {
      await delay(pause, signal);
      if (signal.aborted || document.hidden || vehicle.state !== 'connected') continue;
      if (!vehicle.isAhead && performance.now() - loaded < STANDING_REFRESH_MS) continue;
      loaded = performance.now();
      await this.listener.grown(vehicle.key, signal).catch(() => {});
    }
  }

  #move(vehicle: FollowedVehicle, position: LivePosition): void {
    vehicle.move(position, performance.now(), this.#glides);
    this.listener.moved(position);
    this.#update();
  }

  /** true if vehicles glide: the reader sees them, and does not ask for reduced motion. */
  get #glides(): boolean {
    return !document.hidden && this.#reducedMotion?.matches !== true;
  }

  #update(): void {
    const underWay = this.#isPast ? [] : this.#vehicles.filter((vehicle) => vehicle.isUnderWay(Date.now()));
    const keys = underWay.map(({ key }) => key).join(' ');
    const hasChanged = keys !== this.#underWay;
    this.#underWay = keys;
    if (hasChanged) this.listener.changed();
    this.#show();
    this.#render();
  }

  #render(): void {
    if (!this.#format) return;
    const view = {
      vehicles: this.#vehicles,
      chosen: this.#chosen,
      isLive: this.#isLive && !this.#isPast,
      follows: this.#follows,
      format: this.#format,
      choose: (key: string | null) => {
        this.#chosen = key;
        this.#startFollowing();
      },
      follow: () => this.#startFollowing(),
    };
    render(livePanel(view), this.element);
  }

  #startFollowing(): void {
    // The view is brought to the vehicles again.
    this.#follows = false;
    this.#show();
    this.#follows = true;
    this.#update();
  }

  /** Shows the vehicles now and, while one glides, in each frame. */
  #show(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    if (!this.#run) return;
    if (this.#isPast) {
      this.listener.show(null);
      return;
    }
    const clock = performance.now();
    this.listener.show(this.#sceneAt(clock));
    if (this.#vehicles.some((vehicle) => vehicle.isMoving(clock))) {
      this.#frame = requestAnimationFrame(() => this.#show());
    }
  }

  #sceneAt(clock: number): LiveScene {
    const now = Date.now();
    const shown = this.#vehicles.filter(({ state }) => state !== 'refused');
    const vehicles = shown
      .map((vehicle) => vehicle.poseAt(clock, now))
      .filter((pose): pose is LivePose => pose !== null);
    return { vehicles, chosen: this.#chosen, follows: this.#follows, isStill: !this.#glides };
  }
}
