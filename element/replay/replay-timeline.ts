import type { VehiclePose } from '../engine/map-canvas.ts';
import type { TripMoment } from '../trips/moment-near.ts';
import { headingBetween, interruptionsOf, type Trip } from '../trips/trip.ts';

/** Maximum duration of the drive of a trip at the pace of a replay, in seconds. */
const MAX_DRIVE = 30;
/** Maximum duration of a stop, a gap in the positions or a pause between trips at the pace of a replay, in seconds. */
const MAX_PAUSE = 2;

/** A moment of a replay. */
export interface ReplayMoment extends Omit<VehiclePose, 'color'>, TripMoment {
  readonly state: 'driving' | 'stopped' | 'gap';
}

/** A known position of the vehicle, and its activity until the next one. */
interface Waypoint extends ReplayMoment {
  /** Seconds since the start of the replay. */
  readonly played: number;
}

/** A position with its time. */
type Fix = Pick<ReplayMoment, 'time' | 'position' | 'speed' | 'state'>;

/** Trips in the order in which they are replayed, in their own time except for pauses, which are shortened. */
export class ReplayTimeline {
  /** Seconds that are replayed in a second, so that the longest drive takes {@link MAX_DRIVE}; a shorter one takes its own time. */
  readonly pace: number;
  readonly #waypoints: readonly Waypoint[];

  /** Omits trips without times. */
  constructor(trips: readonly Trip[]) {
    const waypoints: Waypoint[] = [];
    const runs = trips.map((trip) => ({ tripKey: trip.key, timeZone: trip.timeZone, fixes: fixesOf(trip) }));
    this.pace = Math.max(1, ...runs.map(({ fixes }) => driveSeconds(fixes) / MAX_DRIVE));
    for (const { tripKey, timeZone, fixes } of runs) {
      for (const [at, fix] of fixes.entries()) {
        const before = waypoints.at(-1);
        const pause = before && at > 0 && before.state === 'driving' ? Infinity : MAX_PAUSE * this.pace;
        const played = before ? before.played + Math.min(pause, Math.max(0, fix.time - before.time)) : 0;
        const next = fixes[at + 1] ?? fix;
        const ends = at === fixes.length - 1;
        waypoints.push({
          ...fix,
          ...{ tripKey, timeZone },
          state: ends ? 'stopped' : fix.state,
          heading: headingBetween(fix.position, next.position) ?? before?.heading ?? 0,
          guessed: fix.state === 'gap',
          played,
        });
      }
    }
    this.#waypoints = waypoints;
  }

  /** Duration of the replay in seconds. */
  get duration(): number {
    return this.#waypoints.at(-1)?.played ?? 0;
  }

  /** Returns the moment `played` seconds after the start; null if there is nothing to replay. */
  at(played: number): ReplayMoment | null {
    const until = this.#firstAfter(played);
    const from = this.#waypoints[Math.max(0, until - 1)];
    const next = this.#waypoints[until];
    if (!from) return null;
    if (!next || next.played === from.played) return from;
    const part = Math.min(1, Math.max(0, (played - from.played) / (next.played - from.played)));
    const [lon, lat] = from.position;
    const stays = from.state === 'stopped';
    return {
      ...from,
      time: from.time + part * (next.time - from.time),
      position: stays ? from.position : [lon + part * (next.position[0] - lon), lat + part * (next.position[1] - lat)],
    };
  }

  /** Returns when a trip's moment is played, in seconds since the start; null for a trip that is not replayed. */
  playedAt(tripKey: string, time: number): number | null {
    const own = this.#waypoints.filter((waypoint) => waypoint.tripKey === tripKey);
    const at = own.findLastIndex((waypoint) => waypoint.time <= time);
    const [from, next] = [own[Math.max(0, at)], own[at + 1]];
    if (!from) return null;
    if (!next || next.time === from.time) return from.played;
    const part = Math.max(0, Math.min(1, (time - from.time) / (next.time - from.time)));
    return from.played + part * (next.played - from.played);
  }

  /** Returns the highest speed in each of so many equal parts of the replay, in meters per second; null if not known. */
  speedsIn(parts: number): (number | null)[] {
    const speeds = Array.from<number | null>({ length: parts }).fill(null);
    const partOf = (played: number): number => Math.min(parts - 1, Math.floor((played / this.duration) * parts));
    for (const [at, { played, speed, state }] of this.#waypoints.slice(0, -1).entries()) {
      const known = state === 'stopped' ? 0 : speed;
      if (known === null || this.duration === 0) continue;
      const last = partOf(this.#waypoints[at + 1]?.played ?? played);
      for (let part = partOf(played); part <= last; part++) speeds[part] = Math.max(known, speeds[part] ?? 0);
    }
    return speeds;
  }

  /** Index of the first later waypoint. */
  #firstAfter(played: number): number {
    let [low, high] = [0, this.#waypoints.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#waypoints[middle]?.played ?? Infinity) > played) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Returns the positions of a trip, including its stops, in order of time; drops positions recorded during a stop. */
function fixesOf(trip: Trip): Fix[] {
  const { path, stops, motion } = trip;
  if (!motion) return [];
  const seconds = (iso: string | null): number => Date.parse(iso ?? '') / 1000;
  const stays = stops
    .filter(({ kind }) => kind === 'stop')
    .map(({ arrival, departure, position }) => ({ from: seconds(arrival), until: seconds(departure), position }));
  const interruptions = new Set(interruptionsOf(trip));
  const stayAt = (time: number): boolean => stays.some(({ from, until }) => time >= from && time < until);
  const fixes: Fix[] = [];
  for (const [at, time] of motion.times.entries()) {
    const position = path[at];
    if (!position) continue;
    const state = stayAt(time) ? 'stopped' : interruptions.has(at + 1) ? 'gap' : 'driving';
    fixes.push({ time, position, speed: state === 'driving' ? (motion.speeds[at] ?? null) : null, state });
  }
  const known = new Set(motion.times);
  for (const { from, until, position } of stays) {
    if (!known.has(from)) fixes.push({ time: from, position, speed: null, state: 'stopped' });
    if (!known.has(until)) fixes.push({ time: until, position, speed: null, state: 'driving' });
  }
  const wandering = ({ time }: Fix): boolean => stays.some(({ from, until }) => time > from && time < until);
  return fixes.filter((fix) => !wandering(fix)).sort((a, b) => a.time - b.time);
}

/** Returns the seconds in which a vehicle moved, as far as is known. */
function driveSeconds(fixes: readonly Fix[]): number {
  return fixes.reduce((total, { time, state }, at) => {
    return state === 'driving' ? total + Math.max(0, (fixes[at + 1]?.time ?? time) - time) : total;
  }, 0);
}
