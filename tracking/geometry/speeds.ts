import { metersBetween } from './motion.ts';
import type { TimedTrack } from './track.ts';

/** Meters in a mile. */
export const METERS_PER_MILE = 1609.344;

/** Meters per second in each unit of speed. */
export const SPEED_UNITS = { 'm/s': 1, 'km/h': 1 / 3.6, mph: METERS_PER_MILE / 3600, kn: 1852 / 3600 } as const;

/** Speed between two positions above which the recording is faulty, in meters per second (300 km/h). */
export const JUMP_METERS_PER_SECOND = 300 / 3.6;

/** Meters per second to miles per hour. */
export function milesPerHour(metersPerSecond: number): number {
  return (metersPerSecond * 3600) / METERS_PER_MILE;
}

/** Rounds miles or miles per hour to one decimal, as they are shown: stored speeds, of 0.01 m/s, are not more precise. */
export function toTenths(value: number): number {
  return Math.round(value * 10) / 10;
}

/**
 * The maximum speed of a trip in m/s: recorded (NaN for none), else between positions; null if unknown. Skips jumps.
 */
export function maxSpeed(speed: Float64Array, time: Float64Array, steps: Float64Array): number | null {
  let recorded = -1;
  for (const value of speed) if (value > recorded) recorded = value;
  if (recorded >= 0) return recorded;
  let between = -1;
  for (let i = 0; i < steps.length; i++) {
    const seconds = ((time[i + 1] ?? 0) - (time[i] ?? 0)) / 1000;
    if (seconds <= 0) continue;
    const value = (steps[i] ?? 0) / seconds;
    if (value > between && value <= JUMP_METERS_PER_SECOND) between = value;
  }
  return between >= 0 ? between : null;
}

/** Changes of speed between two positions that leave no trace in the way, in m/s and m/s². */
const UNSEEN_METERS_PER_SECOND = 10;
const UNSEEN_ACCELERATION = 3;

/** The recorded speeds of a track in m/s, without errors of single positions: those have NaN, like those without one. */
export function believedSpeeds(track: TimedTrack & { readonly speed: Float64Array }): Float64Array {
  const isSpike = (speed: number, at: number) =>
    speed > JUMP_METERS_PER_SECOND || speed > Math.max(fastestBeside(track, at), fastestBeside(track, at + 1));
  const { speed } = track;
  return speed.some(isSpike) ? speed.map((value, at) => (isSpike(value, at) ? Number.NaN : value)) : speed;
}

/** The greatest speed that the way between a position and the one before allows at either of them, in m/s. */
function fastestBeside(track: TimedTrack, at: number): number {
  const { time, length } = track;
  if (at <= 0 || at >= length) return length === 1 ? Infinity : -Infinity;
  const seconds = ((time[at] ?? 0) - (time[at - 1] ?? 0)) / 1000;
  return metersBetween(track, at - 1, at) / seconds + (UNSEEN_ACCELERATION * seconds) / 2 + UNSEEN_METERS_PER_SECOND;
}
