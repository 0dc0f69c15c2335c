import type { LivePose } from '../engine/live-scene.ts';
import { headingBetween, type LonLat, type Trip } from '../trips/trip.ts';
import { Glide } from './glide.ts';
import { type LivePosition, lonLatOfPosition } from './live-position.ts';

/** Age from which a vehicle counts as offline, as in the service, in milliseconds. */
export const OFFLINE_MS = 15 * 60_000;
/** Pause after which a new trip begins, as in the service, in milliseconds. */
const PAUSE_MS = 5 * 60_000;

/** Speed from which a vehicle moves, in meters per second. */
const MOVING = 0.5;
/** Colors of the vehicles of a group by their motion. */
const MOTION_COLORS = { moving: '#15803d', stopped: '#2563eb', offline: '#64748b' };

/** Connection of a vehicle to the service. */
export type LiveState = 'connecting' | 'connected' | 'interrupted' | 'refused';

/** A vehicle that is followed: its newest position, how it moves there, and the way since its trips were loaded. */
export class FollowedVehicle {
  state: LiveState = 'connecting';
  newest: LivePosition | null = null;
  /** IANA name of the zone of time of its newest trip; null if not known. */
  timeZone: string | null = null;
  #glide: Glide | null = null;
  #heading: number | null = null;
  /** Positions since the end of the loaded line. */
  #way: { readonly time: number; readonly position: LonLat }[] = [];
  /** End of the loaded line. */
  #anchor: { readonly time: number; readonly position: LonLat } | null = null;

  constructor(
    readonly key: string,
    /** null for a vehicle of a group, which has that of its motion. */
    public color: string | null,
    public label: string | null,
  ) {}

  /** Time of the newest position, in milliseconds since 1970; null if there is none. */
  get time(): number | null {
    return this.newest && Date.parse(this.newest.timestamp);
  }

  isOffline(now: number): boolean {
    return this.time === null || now - this.time > OFFLINE_MS;
  }

  motionAt(now: number): keyof typeof MOTION_COLORS {
    if (this.isOffline(now)) return 'offline';
    return (this.newest?.speed ?? 0) > MOVING ? 'moving' : 'stopped';
  }

  colorAt(now: number): string {
    return this.color ?? MOTION_COLORS[this.motionAt(now)];
  }

  /** Returns true while its newest trip is open. */
  isUnderWay(now: number): boolean {
    return this.time !== null && this.state === 'connected' && now - this.time < PAUSE_MS;
  }

  /** Moves the vehicle; `clock` is the time of animation frames. */
  move(position: LivePosition, clock: number, isGliding: boolean): void {
    const at = lonLatOfPosition(position);
    const time = Date.parse(position.timestamp);
    if (this.#glide) {
      this.#heading = position.heading ?? headingBetween(this.#glide.target, at) ?? this.#heading;
      this.#glide.moveTo(at, clock, isGliding);
    } else {
      this.#heading = position.heading;
      this.#glide = new Glide(at);
    }
    const before = this.#way.at(-1)?.time ?? this.#anchor?.time;
    if (before !== undefined && time - before > PAUSE_MS) {
      this.#way = [];
      this.#anchor = null;
    }
    this.newest = position;
    this.#way.push({ time, position: at });
  }

  /** Removes from its way the part that the lines of its trips, newest last, now show. */
  settle(trips: readonly Trip[]): void {
    const last = trips.at(-1);
    this.timeZone = last?.timeZone ?? this.timeZone;
    const [end, arrival] = [last?.path.at(-1), last?.stops.at(-1)?.arrival];
    if (!end || !arrival) return;
    const anchor = { time: Date.parse(arrival), position: end };
    this.#way = this.#way.filter(({ time }) => time > anchor.time);
    const next = this.#way[0];
    this.#anchor = !next || next.time - anchor.time <= PAUSE_MS ? anchor : null;
  }

  /** Returns true if it has moved since its trips were loaded. */
  get isAhead(): boolean {
    return this.#way.length > 0;
  }

  isMoving(clock: number): boolean {
    return this.#glide?.isMoving(clock) ?? false;
  }

  /** Returns how the map shows it; null before its first position. */
  poseAt(clock: number, now: number): LivePose | null {
    if (!this.#glide) return null;
    const position = this.#glide.at(clock);
    const way = this.#way.slice(0, -1).map((passed) => passed.position);
    const start = this.#anchor ? [this.#anchor.position] : [];
    const tail = this.isAhead ? [...start, ...way, position] : [];
    const { key, label } = this;
    const color = this.colorAt(now);
    const isFresh = this.state === 'connected' && !this.isOffline(now);
    return { key, position, target: this.#glide.target, heading: this.#heading, color, label, isFresh, tail };
  }
}
