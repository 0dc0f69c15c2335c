import { type Reporter, type TripSettings, TripSettingsInput } from '../../schema/account/trip-settings.ts';

import { type DocumentOf, nullable, required } from '../store/stored-fields.ts';

/** Fields of limits that are stored with a trip. */
export const LIMITS = {
  /** A vehicle that stands this long has ended its trip, in milliseconds. */
  stop: required(Number),
  /** A time without positions that ends a trip, in milliseconds. */
  gap: required(Number),
  /** A vehicle that stands this long with its ignition off has ended its trip, in milliseconds. */
  ignition_off: required(Number),
  /** Positions of a vehicle that stands are at most this far apart, in meters. */
  movement: required(Number),
  /** A trip leads at least this far from its beginning, in meters. */
  minimum_meters: required(Number),
  /** A trip takes at least this long, in milliseconds. */
  minimum_time: required(Number),
  /** Speed between two positions above which they are a jump, in meters per second. */
  maximum_speed: required(Number),
  /**
   * A time without positions that ends a trip however seldom its device reports, in milliseconds. Between `gap` and this, it ends
   * the trip of a device that reported more often before. Null if `gap` holds for all.
   */
  sparse_gap: nullable(Number),
  /** True to always believe the ignition, false never to; null if each trip shows whether it can be believed. */
  ignition_trusted: nullable(Boolean),
};

/** Limits by which the trips of a device begin and end. */
export interface TripLimits extends Readonly<DocumentOf<typeof LIMITS>> {
  /** True if positions of the device are in no trip: another device in its vehicle records those. */
  readonly isSecondary?: boolean;
}

/**
 * The limits of a device without settings. 75 meters is beyond the scatter of positions between buildings; a vehicle at walking
 * pace leaves it within a minute.
 */
export const TRIP_LIMITS: TripLimits = {
  stop: 5 * 60_000,
  gap: 15 * 60_000,
  ignition_off: 60_000,
  movement: 75,
  minimum_meters: 200,
  minimum_time: 60_000,
  maximum_speed: 300 / 3.6,
  sparse_gap: 60 * 60_000,
  ignition_trusted: null,
};

/** The limits of a stored trip that names none. */
export const SETTLED_LIMITS: TripLimits = { ...TRIP_LIMITS, sparse_gap: null };

/**
 * Settings that kinds of reporters begin with. Positions of telephones scatter more, and their charger is no ignition. A logger
 * is switched on to drive: when it is silent, it is off.
 */
const REPORTERS: Readonly<Record<Reporter, Partial<TripSettings>>> = {
  phone: { movement_meters: 120, minimum_meters: 300, ignition_trusted: false },
  tracker: { ignition_trusted: false },
  tracker_with_ignition: { ignition_trusted: true },
  logger: { gap_seconds: 300, movement_meters: 50 },
  secondary: {},
};

/** Accuracy above which positions have no place, unless it is set, in meters: that of cell towers is worse. */
const ACCURACY_METERS = 200;

/** The accuracy above which positions of a device have no place, in meters; the setting of the device goes before its account's. */
export function accuracyLimit(account: StoredSettings, device: StoredSettings): number {
  return device?.accuracy_meters ?? account?.accuracy_meters ?? ACCURACY_METERS;
}

/** Settings of an account or a device, as they are stored. */
type StoredSettings = Partial<TripSettings> | null | undefined;

/** The limits that follow from settings: those of the device, if it has any, before those of its account. */
export function tripLimits(account: StoredSettings, device: StoredSettings): TripLimits {
  if (!account && !device) return TRIP_LIMITS;
  const settings = { ...usualOf(account), ...usualOf(device) };
  const inMs = (seconds: number | null | undefined, usual: number) => (seconds == null ? usual : seconds * 1000);
  return {
    stop: inMs(settings.stop_seconds, TRIP_LIMITS.stop),
    gap: inMs(settings.gap_seconds, TRIP_LIMITS.gap),
    sparse_gap: settings.gap_seconds == null ? TRIP_LIMITS.sparse_gap : null,
    ignition_off: inMs(settings.ignition_off_seconds, TRIP_LIMITS.ignition_off),
    movement: settings.movement_meters ?? TRIP_LIMITS.movement,
    minimum_meters: settings.minimum_meters ?? TRIP_LIMITS.minimum_meters,
    minimum_time: inMs(settings.minimum_seconds, TRIP_LIMITS.minimum_time),
    maximum_speed: settings.maximum_kmh == null ? TRIP_LIMITS.maximum_speed : settings.maximum_kmh / 3.6,
    ignition_trusted: settings.ignition_trusted ?? null,
    ...(device?.reporter === 'secondary' && { isSecondary: true }),
  };
}

/** The values that are set, before those of the kind of reporter. */
function usualOf(settings: StoredSettings): Partial<TripSettings> {
  const isSet = ([, value]: readonly [string, unknown]) => value != null;
  const set = Object.fromEntries(Object.entries(settings ?? {}).filter(isSet));
  return { ...(settings?.reporter ? REPORTERS[settings.reporter] : {}), ...set };
}

/** Settings after a change; null if none is left. */
export function changedSettings(stored: StoredSettings, change: Partial<TripSettings>): TripSettings | null {
  const none = Object.fromEntries(TripSettingsInput.fields.map(({ name }) => [name, null]));
  const settings = { ...none, ...stored, ...change } as TripSettings;
  return Object.values(settings).every((value) => value === null) ? null : settings;
}
