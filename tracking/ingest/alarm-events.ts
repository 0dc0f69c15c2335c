/** Kinds of events by alarms with the same meaning, in our spelling; other alarms are kinds of their own name. */
const EVENTS_BY_ALARM: ReadonlyMap<string, string> = new Map([
  ['hard_braking', 'trip_hard_brake'],
  ['hard_acceleration', 'trip_rapid_accel'],
  ['overspeed', 'trip_over_speeding'],
  ['low_power', 'vehicle_low_battery'],
  ['fault', 'vehicle_trouble_code'],
  ['power_cut', 'device_unplug'],
  ['removing', 'device_unplug'],
  ['power_restored', 'device_reconnect'],
]);

/** Maximum number of alarms of one position. */
const MAX_ALARMS = 16;

/** The events of a position by Traccar's `alarm`, which may name several, separated by commas. */
export function eventsOfAlarm(alarm: unknown): string[] {
  if (typeof alarm !== 'string' && typeof alarm !== 'number') return [];
  const alarms = String(alarm).split(',', MAX_ALARMS).map(inSnakeCase);
  return alarms.filter((word) => word !== '').map(eventNamed);
}

/** The kind of event of an alarm, by its name in our spelling. */
export function eventNamed(word: string): string {
  return EVENTS_BY_ALARM.get(word) ?? word;
}

/** The form of every event of a position. */
export const EVENT = /^[a-z][a-z0-9_]{0,63}$/;

/** A name as a word of {@link EVENT}; empty if it has no letter or digit. */
function inSnakeCase(name: string): string {
  const words = name.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase();
  const word = words.replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  return (/^\d/.test(word) ? `alarm_${word}` : word).slice(0, 64);
}
