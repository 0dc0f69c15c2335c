/** Events of positions by the equivalent alarms of Traccar; other alarms keep their names, in our spelling. */
const EVENTS_BY_ALARM: ReadonlyMap<string, string> = new Map([
  ['hardBraking', 'trip_hard_brake'],
  ['hardAcceleration', 'trip_rapid_accel'],
  ['overspeed', 'trip_over_speeding'],
  ['lowPower', 'vehicle_low_battery'],
  ['fault', 'vehicle_trouble_code'],
  ['powerCut', 'device_unplug'],
  ['removing', 'device_unplug'],
  ['powerRestored', 'device_reconnect'],
]);

/** Maximum number of alarms of one position. */
const MAX_ALARMS = 16;

/** The events of a position by Traccar's `alarm`, which may name several, separated by commas; none if it is not a string. */
export function eventsOfAlarm(alarm: unknown): string[] {
  if (typeof alarm !== 'string') return [];
  const alarms = alarm.split(',', MAX_ALARMS).map((name) => name.trim());
  return alarms.map((name) => EVENTS_BY_ALARM.get(name) ?? inSnakeCase(name)).filter((event) => EVENT.test(event));
}

/** The form of every event of a position. */
export const EVENT = /^[a-z][a-z0-9_]{0,63}$/;

function inSnakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase();
}
