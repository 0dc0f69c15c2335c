import { isMarkWord, markedValue, markOf, markWord } from '../../models/trips/position-marks.ts';
import { storedSpeed } from '../../models/trips/trip-points-codec.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';

import { believedSpeeds } from './speeds.ts';

/** Positions with the speeds that are believed; the others are in marks. */
export function withBelievedSpeeds(points: TripPoints): TripPoints {
  const speed = believedSpeeds(points);
  if (speed === points.speed) return points;
  const events = new Map(points.events);
  for (const [at, sent] of points.speed.entries()) {
    if (Number.isNaN(sent) || !Number.isNaN(speed[at])) continue;
    events.set(at, [...(events.get(at) ?? []), markWord('speed', storedSpeed(sent))]);
  }
  return { ...points, speed, events };
}

/** Positions with the speeds as they were sent, without marks of speeds. */
export function withSentSpeeds(points: TripPoints): TripPoints {
  const marked = markedSpeeds(points);
  if (marked.length === 0) return points;
  const [speed, events] = [points.speed.slice(), new Map(points.events)];
  for (const at of marked) {
    const there = points.events.get(at) ?? [];
    speed[at] = markedValue(there, 'speed') ?? Number.NaN;
    const others = there.filter((word) => !isSpeedMark(word));
    if (others.length > 0) events.set(at, others);
    else events.delete(at);
  }
  return { ...points, speed, events };
}

/** Numbers of the positions whose speeds are marked. */
export function markedSpeeds({ events }: TripPoints): number[] {
  return [...events].flatMap(([at, there]) => (there.some(isSpeedMark) ? [at] : []));
}

function isSpeedMark(word: string): boolean {
  return isMarkWord(word) && markOf(word) === 'speed';
}
