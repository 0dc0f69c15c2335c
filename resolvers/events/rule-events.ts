import { RuleEventStore, type StoredRuleEvent } from '../../models/rules/rule-event.ts';
import { OPEN_END } from '../../models/trips/trip.ts';
import type { Event, RuleEventName } from '../../schema/events/event.ts';

import { eventDocuments } from './event-documents.ts';
import { type EventQuery, eventOf, NEWEST_FIRST, storedFilter, WHOLE } from './event-query.ts';
import { tripAt } from './trip-at.ts';

/** Events that rules make, newest first; of one kind, or of all. */
export async function ruleEvents(event: RuleEventName | null, query: EventQuery): Promise<Event[]> {
  const { context, accessScope, limit } = query;
  const filter = { ...storedFilter(event, query), staged: false };
  const those = { filter, projection: WHOLE, sort: NEWEST_FIRST, limit };
  const found = await eventDocuments(context, { model: RuleEventStore, accessScope, ...those });
  return Promise.all(
    (found as StoredRuleEvent[]).map(async (one) => {
      const { vehicle_key, device_key, timestamp } = one;
      const happening = { accessScope, vehicle_key, device_key, timestamp };
      const trip_key = one.point === null ? null : await tripAt(context, happening);
      const ended = one.until.getTime() === OPEN_END.getTime() ? null : one.until;
      const key = one.key.slice(one.event.length + 1);
      return eventOf(one.event, { ...one, key, trip_key, place_key: null, ended });
    }),
  );
}
