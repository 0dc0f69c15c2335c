import { accessScopeOf, type Caller, isPermitted, type RequestContext } from '../../auth/caller.ts';
import { PlaceStore } from '../../models/places/place.ts';
import { RuleStore } from '../../models/rules/rule.ts';
import { formatOffsetDateTime } from '../../schema/date-time.ts';
import type { Event, EventObject } from '../../schema/events/event.ts';
import type { Address, TripEnd } from '../../schema/trips/trip-end.ts';
import type { Vehicle } from '../../schema/vehicles/vehicle.ts';

import { toTenths } from '../../tracking/geometry/speeds.ts';
import type { EventReader, Notification } from '../../notifying/webhooks/notification.ts';
import { eventsByKey } from '../events/event-page.ts';
import { seesEventsOf } from '../../tracking/visibility/visible-vehicles.ts';
import { readByKeys } from '../relations/related-record.ts';
import { tripsByKey } from '../trips/list-trips.ts';
import { FEWEST_FIELDS, type TripFields } from '../../tracking/views/trip-fields.ts';
import type { TripView } from '../../tracking/views/trip-view.ts';
import type { Service } from '../../models/store/service.ts';

const TRIP_FIELDS: TripFields = {
  ...FEWEST_FIELDS,
  ...{ user_key: 1, gps_distance: 1, idle_time: 1, max_speed: 1, hard_brakes: 1, rapid_accels: 1 },
  ...{ 'start_point.address': 1, 'end_point.address': 1 },
};

/** The events of which webhooks are sent notifications, as callers see them. */
export const webhookEvents: EventReader = { eventsByKey, seesEventsOf, notificationOf };

/** Writes the notification of an event, with the objects that it is about, as a caller sees them now. */
async function notificationOf(service: Service, caller: Caller, event: Event): Promise<Notification> {
  const { context } = event;
  const trip = context.trip && (await findTrip(service, caller, context.trip.key));
  const car = await findVehicle({ service, caller }, context.vehicle.key);
  const user_key = trip?.user_key ?? null;
  const notification = {
    key: event.key,
    event: event.event,
    ...(context.name !== null && { name: context.name }),
    timestamp: formatOffsetDateTime(event.timestamp),
    account_key: accessScopeOf({ service, caller }).account_key,
    user_key,
    car: car ? await carOf(car) : context.vehicle,
    ...(context.device && { device: context.device }),
    ...(context.place && { place: await placeOf(service, caller, context.place) }),
    ...(context.rule && {
      rule: await ruleOf(service, caller, context.rule),
      ended: context.ended && formatOffsetDateTime(context.ended),
      max_speed: context.max_speed,
    }),
    ...(context.point && { point: context.point }),
    ...(trip && { trip: tripOf(trip, event.event === 'trip_end') }),
  };
  return { body: JSON.stringify(notification), user_key };
}

async function findTrip(service: Service, caller: Caller, key: string): Promise<TripView | null> {
  const [trip = null] = await tripsByKey({ service, caller }, [key], TRIP_FIELDS);
  return trip;
}

/** A place with its name, if the caller may read places. */
async function placeOf(service: Service, caller: Caller, { key }: EventObject) {
  if (!isPermitted(caller, ['places.read'])) return { key };
  const place = await PlaceStore.findOne(accessScopeOf({ service, caller }), { key }, 'name');
  return { key, name: place?.name ?? null };
}

/** A rule with its name, if the caller may read rules. */
async function ruleOf(service: Service, caller: Caller, { key }: EventObject) {
  if (!isPermitted(caller, ['account_activity.read', 'unrestricted'])) return { key };
  const rule = await RuleStore.findOne(accessScopeOf({ service, caller }), { key }, 'name');
  return { key, name: rule?.name ?? null };
}

async function findVehicle(context: RequestContext, key: string): Promise<Vehicle | null> {
  if (!isPermitted(context.caller, ['vehicles.read'])) return null;
  const [vehicle = null] = await readByKeys('vehicle', context, [key]);
  return vehicle as Vehicle | null;
}

async function carOf({ key, vin, nickname, odometer, vehicle_location }: Vehicle) {
  const location = typeof vehicle_location === 'function' ? await vehicle_location() : vehicle_location;
  return {
    key,
    vin,
    nickname,
    latitude: location?.point.lat ?? null,
    longitude: location?.point.lon ?? null,
    speed: location?.speed_mph ?? null,
    heading: location?.heading ?? null,
    motion_status: location?.motion_status ?? null,
    odometer,
  };
}

/** @param isOver false if the trip may go on, so that it has no end yet */
function tripOf(trip: TripView, isOver: boolean) {
  const { key, gps_distance, idle_time, max_speed, hard_brakes, rapid_accels } = trip;
  return {
    key,
    distance: toTenths(gps_distance),
    idle_time,
    max_speed: max_speed === null ? null : toTenths(max_speed),
    hard_brakes,
    rapid_accels,
    ...endOf('started', trip.start_point),
    ...(isOver && endOf('ended', trip.end_point)),
  };
}

function endOf(name: 'started' | 'ended', { timestamp, point, address }: TripEnd) {
  return {
    [`${name}_timestamp`]: formatOffsetDateTime(timestamp),
    [`${name}_address`]: address && addressText(address),
    [`${name}_latitude`]: point?.lat ?? null,
    [`${name}_longitude`]: point?.lon ?? null,
  };
}

/** An address on one line, such as `Marktplatz 1, Bremen, Bremen, 28195, Germany`; null if it is empty. */
function addressText({ street, city, state, zipcode, country }: Address): string | null {
  return [street, city, state, zipcode, country].filter(Boolean).join(', ') || null;
}
