import { newKey } from '../../../models/key.ts';
import { VisitStore } from '../../../models/places/visit.ts';
import { RuleEventStore } from '../../../models/rules/rule-event.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { WebhookDeliveryStore } from '../../../models/webhooks/webhook-delivery.ts';
import { drivenPoints } from '../../fixtures/driven-points.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { testService } from '../../services/database.ts';

/** The records to which an object belongs. */
export interface Belonging {
  readonly account_key: string;
  readonly vehicle_key: string;
  readonly user_key: string;
  readonly place_key: string;
  readonly webhook_key: string;
}

/** Objects of vehicles. */
export interface Kind {
  /** Stores the object with a number, which comes behind those with lower ones; returns its key. */
  readonly put: (of: Belonging, number: number) => Promise<string>;
  readonly remove: (key: string) => Promise<unknown>;
  /** Moves its begin, as positions that come late do. */
  readonly beginEarlier?: (key: string) => Promise<unknown>;
}

/** Trips on one day after the other, or one before the other. */
export function trip(direction: 1 | -1): Kind {
  return {
    put: async ({ account_key, vehicle_key, user_key }, number) => {
      const driven = drivenPoints(5, number + 1);
      const points = { ...driven, time: driven.time.map((time) => time + direction * number * 86_400_000) };
      const key = await storeTrip({ account_key, vehicle_key, points });
      await TripStore.updateOne(unrestricted(testService), { key }, { user_key });
      return key;
    },
    remove: (key) => TripStore.deleteOne(unrestricted(testService), { key }),
  };
}

/** Times of objects of which two have the same, newest first. */
const timeOf = (number: number) => new Date(Date.UTC(2026, 4, 30 - Math.trunc(number / 2)));

/** Visits. */
export const VISIT: Kind = {
  put: async ({ account_key, vehicle_key, user_key: driver_key, place_key }, number) => {
    const visit = { key: newKey(), account_key, vehicle_key, driver_key, place_key, exit_timestamp: null };
    const entry = { entry_timestamp: timeOf(number), staged: false };
    await VisitStore.driver(testService).insertOne({ ...visit, ...entry } as never);
    return visit.key;
  },
  remove: (key) => VisitStore.driver(testService).deleteOne({ key }),
  beginEarlier: (key) => {
    const earlier = { $subtract: ['$entry_timestamp', 60_000] };
    return VisitStore.driver(testService).updateOne({ key }, [{ $set: { entry_timestamp: earlier } }]);
  },
};

/** Events of a rule. */
export const RULE_EVENT: Kind = {
  put: async ({ account_key, vehicle_key }, number) => {
    const key = newKey();
    const event = { key: `device_silent.${key}`, event: 'device_silent', rule_key: 'r', timestamp: timeOf(number) };
    const facts = { device_key: 'd', until: new Date(), max_speed: null, point: null, staged: false, epoch: 0 };
    await RuleEventStore.driver(testService).insertOne({ ...event, ...facts, account_key, vehicle_key } as never);
    return key;
  },
  remove: (key) => RuleEventStore.driver(testService).deleteOne({ key: `device_silent.${key}` }),
};

/** Deliveries of a webhook. */
export const DELIVERY: Kind = {
  put: async ({ account_key, vehicle_key, webhook_key }, number) => {
    const event = { event: 'trip_end' as const, event_key: `trip_end.${number}`, number, sequence: number };
    const made = { key: newKey(), timestamp: new Date(), created: new Date(), status: 'pending' as const };
    const of = { account_key, webhook_key, vehicle_key };
    await WebhookDeliveryStore.create(unrestricted(testService), { ...of, ...event, ...made });
    return made.key;
  },
  remove: (key) => WebhookDeliveryStore.deleteOne(unrestricted(testService), { key }),
};
