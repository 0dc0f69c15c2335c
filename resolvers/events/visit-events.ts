import { accessScopeOf } from '../../auth/caller.ts';
import { fromStart, timeOrder } from '../../models/lists/time-cursor.ts';
import { PlaceStore } from '../../models/places/place.ts';
import { type StoredVisit, VisitStore } from '../../models/places/visit.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { OPEN_END } from '../../models/trips/trip.ts';
import type { Event, EventNameFrom } from '../../schema/events/event.ts';
import type { Place } from '../../schema/places/place.ts';
import { batched } from '../../tracking/scheduling/batched.ts';
import { documentsOfVehicle } from '../../tracking/views/documents-of-vehicles.ts';
import { eventOf, type EventQuery, WHOLE } from './event-query.ts';

/** The hours of a place in which arrivals and departures make events. */
type ActiveHours = Pick<Place, 'active_weekdays' | 'from_time' | 'to_time' | 'time_zone'>;

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const DAY_MINUTES = 1440;

/** Making one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns true if an instant is in the hours of a place; hours across midnight belong to the day on which they begin. */
function isActive({ active_weekdays, from_time, to_time, time_zone }: ActiveHours, time: Date): boolean {
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

type VisitEvent = EventNameFrom<'visit'>;

type Settings = ActiveHours & Pick<Place, 'key' | 'notifying_arrival' | 'notifying_departure'>;

const SETTINGS = 'key active_weekdays from_time to_time time_zone notifying_arrival notifying_departure';

/** Visits that one query reads. */
const AT_ONCE = 500;

/** Arrivals in places or departures, in the hours in which the place makes them. */
export async function visitEvents(event: VisitEvent, query: EventQuery): Promise<Event[]> {
  const { context, accessScope, filter, time, keys, limit, isBackward } = query;
  const field = event === 'vehicle_geofence_arrival' ? 'entry_timestamp' : 'until';
  const places = new Map<string, Settings>();
  const found: Event[] = [];
  let last: StoredVisit | undefined;
  for (let count = limit; found.length < limit; count = AT_ONCE) {
    const conditions: Readonly<Record<string, unknown>>[] = [
      ...time(field),
      ...(keys === null ? [] : [{ key: { $in: keys } }]),
    ];
    conditions.push(field === 'until' ? { until: { $lt: OPEN_END } } : { drawn_around: { $ne: true } });
    if (last) {
      const place = { time: last[field], key: last.key };
      conditions.push(fromStart(field, { place, isAfter: true }, isBackward));
    }
    const visits = (await documentsOfVehicle(context, {
      ...{ model: VisitStore, accessScope, limit: count, projection: WHOLE, sort: timeOrder(field, isBackward) },
      filter: { ...filter, staged: false, ...(conditions.length > 0 && { $and: conditions }) },
    })) as StoredVisit[];
    const named = [...new Set(visits.map(({ place_key }) => place_key))].filter((key) => !places.has(key));
    const settings = await Promise.all(named.map((key) => settingsOf(context, key)));
    for (const place of settings.filter((one) => one !== null)) places.set(place.key, place);
    found.push(...visits.filter((visit) => isMade(event, visit, places)).map((visit) => visitEvent(event, visit)));
    if (visits.length < count) break;
    last = visits.at(-1);
  }
  return found.slice(0, limit);
}

function isMade(event: VisitEvent, visit: StoredVisit, places: ReadonlyMap<string, Settings>): boolean {
  const place = places.get(visit.place_key);
  if (!place) return false;
  const isArrival = event === 'vehicle_geofence_arrival';
  if (!(isArrival ? place.notifying_arrival : place.notifying_departure)) return false;
  return isActive(place, isArrival ? visit.entry_timestamp : visit.until);
}

function visitEvent(event: VisitEvent, visit: StoredVisit): Event {
  const { key, vehicle_key, device_key, place_key, entry_timestamp, until, entry_point, exit_point } = visit;
  const isArrival = event === 'vehicle_geofence_arrival';
  const [timestamp, point] = isArrival ? [entry_timestamp, entry_point] : [until, exit_point ?? entry_point];
  return eventOf(event, { key, timestamp, vehicle_key, device_key, trip_key: null, place_key, point });
}

/** The settings of a place; null if it is gone. Those for which a request asks side by side are read by one query. */
const settingsOf = batched<string, Settings | null>(async ({ service, caller }, keys) => {
  const accessScope = accountAccessScope(service, accessScopeOf({ service, caller }).account_key);
  const distinct = [...new Set(keys)];
  const found = await PlaceStore.find(accessScope, { key: { $in: distinct } }, SETTINGS);
  const places = new Map(found.map((place) => [place.key, place]));
  return keys.map((key) => places.get(key) ?? null);
});
