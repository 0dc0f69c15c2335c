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

/** A vehicle to follow, with its tokens, or a group. */
export interface LiveSource {
  readonly serviceUrl: string;
  /** null for all vehicles that the tokens are for: those of a group. */
  readonly vehicleKey: string | null;
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
  /** The reader has chosen a vehicle among several, or none. */
  chosen(): void;
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
/** Stands for the vehicles of a group in place of a key. */
export const GROUP = '*';

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
  /** Key of the vehicle that the reader has chosen among several. */
  chosen: string | null = null;
  #search = '';
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
    this.#vehicles = sources.flatMap(({ vehicleKey, color, label, isRefused }) => {
      if (vehicleKey === null) return this.#vehicles.filter((vehicle) => vehicle.color === null);
      const vehicle =
        this.#vehicles.find(({ key }) => key === vehicleKey) ?? new FollowedVehicle(vehicleKey, color, label);
      const state: LiveState = isRefused ? 'refused' : 'connecting';
      return Object.assign(vehicle, { color, label, state });
    });
    if (!this.#vehicles.some(({ key }) => key === this.chosen)) this.chosen = null;
    if (isLive) {
      const run = new AbortController();
      this.#run = run;
      for (const source of sources) if (!source.isRefused) void this.#follow(source, run.signal);
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
    this.chosen = null;
    this.#search = '';
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
    if (vehicle.color !== null) vehicle.color = color;
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

  /** Follows a vehicle or a group until `signal` is aborted, with another token when one is refused, as long as each works for a while. */
  async #follow({ serviceUrl, vehicleKey, tokens }: LiveSource, signal: AbortSignal): Promise<void> {
    const name = vehicleKey ?? GROUP;
    const followed = () =>
      this.#vehicles.filter(({ key, color }) => (vehicleKey === null ? color === null : key === name));
    const setState = (state: LiveState): void => {
      for (const vehicle of followed()) vehicle.state = state;
    };
    let worked = false;
    const listener = {
      connected: (transport: LiveConnection['transport']): void => {
        worked = true;
        setState('connected');
        this.listener.connected({ vehicleKey: name, transport });
        this.#update();
      },
      moved: (position: LivePosition): void => {
        const vehicle = this.#vehicles.find(({ key }) => key === position.vehicleKey);
        if (vehicle ?? vehicleKey === null) this.#move(vehicle ?? this.#add(position), position);
      },
      left: (key: string): void => this.#remove(key),
      disconnected: (reason: LiveInterruption['reason'], message: string): void => {
        setState(reason === 'refused' ? 'connecting' : 'interrupted');
        this.listener.disconnected({ vehicleKey: name, reason, message });
        this.#update();
      },
    };
    const shown = () => followed().find(({ key }) => vehicleKey !== null || key === this.chosen);
    if (!this.#isPast) void this.#refresh(shown, signal);
    for (;;) {
      worked = false;
      try {
        await tokens.use((token) => followFeed({ serviceUrl, vehicleKey, token }, listener, signal));
        return;
      } catch (error) {
        if (signal.aborted) return;
        const failure = error instanceof AuthError ? error : new AuthError(String(error));
        if (worked && tokens.isProvided) continue;
        this.listener.refused(name, failure);
        return;
      }
    }
  }

  /** Adds a vehicle of a group. */
  #add({ vehicleKey, name }: LivePosition): FollowedVehicle {
    const added = new FollowedVehicle(vehicleKey, null, name ?? vehicleKey);
    added.state = 'connected';
    this.#vehicles = [...this.#vehicles, added].sort((one, other) => `${one.label}`.localeCompare(`${other.label}`));
    return added;
  }

  /** Removes a vehicle that has left its group. */
  #remove(vehicleKey: string): void {
    this.#vehicles = this.#vehicles.filter(({ key }) => key !== vehicleKey);
    if (this.chosen === vehicleKey) this.#choose(null);
    this.#update();
  }

  #choose(key: string | null): void {
    this.chosen = key;
    this.listener.chosen();
  }

  /** Has the trips of a vehicle loaded again from time to time: often while it moves, and rarely while it is stationary. */
  async #refresh(shown: () => FollowedVehicle | undefined, signal: AbortSignal): Promise<void> {
    let loaded = performance.now();
    for (let pause = FIRST_REFRESH_MS; !signal.aborted; pause = REFRESH_MS) {
      await delay(pause, signal);
      const vehicle = shown();
      if (signal.aborted || document.hidden || vehicle?.state !== 'connected') continue;
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
      chosen: this.chosen,
      search: this.#search,
      isLive: this.#isLive && !this.#isPast,
      follows: this.#follows,
      format: this.#format,
      choose: (key: string | null) => {
        this.#choose(key);
        this.#startFollowing();
      },
      searchFor: (text: string) => {
        this.#search = text;
        this.#render();
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
    return { vehicles, chosen: this.chosen, follows: this.#follows, isStill: !this.#glides };
  }
}
