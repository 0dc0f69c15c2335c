import type { RuleEvent } from '../../models/rules/rule-event.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';

import { milesPerHour } from '../geometry/speeds.ts';
import type { SpeedRule } from './account-rules.ts';

/** The positions of a trip, in the order of their times. */
export interface DrivenTrip {
  readonly points: TripPoints;
  /** False if a position may still follow the last one. */
  readonly isOver: boolean;
}

/**
 * The events of a speed rule for trips: each run of consecutive positions of a trip that are above the limit, from
 * the first to the last of them. A run stays open while a position may still extend it.
 */
export function speedingOn(trips: readonly DrivenTrip[], { key: rule_key, limit, since }: SpeedRule): RuleEvent[] {
  const events: RuleEvent[] = [];
  for (const { points, isOver } of trips) {
    let first: number | null = null;
    let max_speed = 0;
    const endAt = (last: number, isEnded: boolean) => {
      if (first === null) return;
      const point = { lat: points.lat[first] ?? Number.NaN, lon: points.lon[first] ?? Number.NaN };
      const until = isEnded ? (points.time[last] ?? Number.NaN) : Infinity;
      const from = points.time[first] ?? Number.NaN;
      events.push({ event: 'trip_over_speeding', rule_key, from, until, max_speed, point, is_earlier: false });
      first = null;
    };
    for (let at = 0; at < points.length; at++) {
      const speed = milesPerHour(points.speed[at] ?? Number.NaN);
      if (!(speed > limit) || (points.time[at] ?? 0) < since) {
        endAt(at - 1, true);
        continue;
      }
      max_speed = first === null ? speed : Math.max(max_speed, speed);
      first ??= at;
    }
    endAt(points.length - 1, isOver);
  }
  return events;
}
