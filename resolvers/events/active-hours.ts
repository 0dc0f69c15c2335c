import type { Place } from '../../schema/places/place.ts';

/** The hours of a place in which arrivals and departures make events. */
export type ActiveHours = Pick<Place, 'active_weekdays' | 'from_time' | 'to_time' | 'time_zone'>;

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const DAY_MINUTES = 1440;

/** Making one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Tells whether an instant is in the hours of a place; hours across midnight belong to the day on which they begin. */
export function isActive({ active_weekdays, from_time, to_time, time_zone }: ActiveHours, time: Date): boolean {
  const { weekday, minute } = localTime(time, time_zone);
  const from = from_time === null ? 0 : minuteOfDay(from_time);
  const to = to_time === null ? DAY_MINUTES : minuteOfDay(to_time);
  const isDay = (day: number) => active_weekdays.includes(day);
  if (from < to) return isDay(weekday) && minute >= from && minute < to;
  return minute >= from ? isDay(weekday) : minute < to && isDay((weekday + WEEKDAYS.length - 1) % WEEKDAYS.length);
}

function localTime(time: Date, timeZone: string) {
  const options = { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', options);
  formats.set(timeZone, format);
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const minute = minuteOfDay(`${parts.get('hour')}:${parts.get('minute')}`);
  return { weekday: WEEKDAYS.indexOf(parts.get('weekday') ?? ''), minute };
}

function minuteOfDay(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}
