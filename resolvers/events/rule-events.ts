import { RuleEventModel, type StoredRuleEvent } from '../../models/rules/rule-event.ts';
import { OPEN_END } from '../../models/trips/trip.ts';
import type { Event, RuleEventName } from '../../schema/events/event.ts';

import { type EventQuery, eventOf, storedFilter } from './event-query.ts';
import { tripAt } from './recorded-events.ts';

/** Events that rules make, newest first; of one kind, or of all. */
export async function ruleEvents(event: RuleEventName | null, query: EventQuery): Promise<Event[]> {
  const { accessScope, limit } = query;
  const shown = { ...storedFilter(event, query), staged: false };
  const found = await RuleEventModel.find(shown, null, { accessScope })
    .sort({ timestamp: -1, key: 1 })
    .limit(limit)
    .lean<StoredRuleEvent[]>();
  return Promise.all(
    found.map(async (one) => {
      const trip_key = one.point === null ? null : await tripAt(one, accessScope);
      const ended = one.until.getTime() === OPEN_END.getTime() ? null : one.until;
      const key = one.key.slice(one.event.length + 1);
      return eventOf(one.event, { ...one, key, trip_key, place_key: null, ended });
    }),
  );
}
