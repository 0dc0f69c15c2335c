/**
 * Readings of instruments at the positions of a trip, as columns: number `i` of each belongs to position `i`, NaN if
 * no value was sent.
 */
export interface TripReadings {
  /** Meters, whole. */
  readonly odometer: Float64Array;
  /** Percent, multiples of 0.1. */
  readonly fuel_level: Float64Array;
  /** Percent of the device's own battery, whole. */
  readonly battery_level: Float64Array;
  /** 1 for on, 0 for off. */
  readonly ignition: Float64Array;
}

/** The columns in the order in which they are stored, with their units: nothing finer is kept. */
export const READINGS = [
  { name: 'odometer', unitsPer: 1 },
  { name: 'fuel_level', unitsPer: 10 },
  { name: 'battery_level', unitsPer: 1 },
  { name: 'ignition', unitsPer: 1 },
] as const satisfies readonly { readonly name: keyof TripReadings; readonly unitsPer: number }[];

/** Makes columns for `length` positions without a reading, to be filled. */
export function emptyReadings(length: number): TripReadings {
  const column = () => new Float64Array(length).fill(Number.NaN);
  return { odometer: column(), fuel_level: column(), battery_level: column(), ignition: column() };
}

/** Rounds a reading to the stored precision. */
export function storedReading(name: keyof TripReadings, value: number): number {
  const unitsPer = READINGS.find((reading) => reading.name === name)?.unitsPer ?? 1;
  return Math.round(value * unitsPer) / unitsPer + 0;
}

/** Makes readings by applying `make` to each column. */
export function mapReadings(readings: TripReadings, make: (column: Float64Array) => Float64Array): TripReadings {
  const { odometer, fuel_level, battery_level, ignition } = readings;
  return {
    odometer: make(odometer),
    fuel_level: make(fuel_level),
    battery_level: make(battery_level),
    ignition: make(ignition),
  };
}
