/** Meters in a mile. */
export const METERS_PER_MILE = 1609.344;

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
