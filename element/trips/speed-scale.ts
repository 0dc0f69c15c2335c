import type { Units } from './trip-format.ts';

/** How speeds are coloured: `colors[i]` up to `limits[i]`, the last colour beyond. */
export interface SpeedScale {
  /** In the reader's units an hour, ascending; one fewer than colours. */
  readonly limits: readonly number[];
  readonly colors: readonly string[];
  readonly units: Units;
}

/** Where the speed is not known; of any theme, and of no band. */
export const UNKNOWN_SPEED = '#8a93a0';

/** Town, main road, country road, motorway and beyond. */
const LIMITS: Record<Units, readonly number[]> = { km: [30, 50, 80, 110], mi: [20, 30, 50, 70] };

/**
 * Lightness runs one way along each, so that the order is seen with any colour vision, and also in grey; each stands out
 * from its ground by 3:1 or more (WCAG 1.4.11).
 */
const COLORS = {
  light: ['#c07800', '#c04a1f', '#a5205f', '#6b1f86', '#2a1463'],
  dark: ['#7a50d8', '#b56cd6', '#ee8496', '#fab35f', '#fdf290'],
} as const;

const METERS: Record<Units, number> = { km: 1000, mi: 1609.344 };

/** The scale for a reader: the bands are the same for every trip, so that maps can be compared. */
export function speedScaleOf(units: Units, theme: 'light' | 'dark'): SpeedScale {
  return { limits: LIMITS[units], colors: COLORS[theme], units };
}

/** The colour of a speed in metres per second. */
export function speedColor(speed: number, { limits, colors, units }: SpeedScale): string {
  const hourly = (speed * 3600) / METERS[units];
  const band = limits.findIndex((limit) => hourly < limit);
  return colors.at(band) ?? '';
}
