import { METERS, type Units } from './trip-format.ts';

/** Colours of speeds: `colors[i]` up to `limits[i]`, the last colour beyond. */
export interface SpeedScale {
  /** In km/h or mph, ascending; one fewer than colours. */
  readonly limits: readonly number[];
  readonly colors: readonly string[];
  readonly units: Units;
}

/** Colour of an unknown speed, in any theme. */
export const UNKNOWN_SPEED = '#8a93a0';

/** Limits for town, main road, country road, motorway and beyond. */
const LIMITS: Record<Units, readonly number[]> = { km: [30, 50, 80, 110], mi: [20, 30, 50, 70] };

/** Lightness is monotonic, so that any eye sees the order; contrast to the background is at least 3:1 (WCAG 1.4.11). */
const COLORS = {
  light: ['#c07800', '#c04a1f', '#a5205f', '#6b1f86', '#2a1463'],
  dark: ['#7a50d8', '#b56cd6', '#ee8496', '#fab35f', '#fdf290'],
} as const;

/** Returns the scale for a reader. Its bands are the same for every trip, so that maps can be compared. */
export function speedScaleOf(units: Units, theme: 'light' | 'dark'): SpeedScale {
  return { limits: LIMITS[units], colors: COLORS[theme], units };
}

/** Returns the colour of a speed in metres per second. */
export function speedColor(speed: number, { limits, colors, units }: SpeedScale): string {
  const hourly = (speed * 3600) / METERS[units];
  const band = limits.findIndex((limit) => hourly < limit);
  return colors.at(band) ?? '';
}
