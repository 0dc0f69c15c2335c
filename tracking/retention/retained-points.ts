import { AccountStore } from '../../models/account/account.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { pickTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import type { Service } from '../../models/store/service.ts';

const DAY_MS = 86_400_000;

/** The instant from which on positions are kept, in milliseconds since 1970; -Infinity without a limit. */
export function retainedSince(days: number | null, now: number = Date.now()): number {
  return days === null ? -Infinity : now - days * DAY_MS;
}

/** The instant from which on an account keeps positions. */
export async function retainedByAccount(service: Service, accountKey: string): Promise<number> {
  const accessScope = accountAccessScope(service, accountKey);
  const account = await AccountStore.findOne(accessScope, {}, 'retention');
  return retainedSince(account?.retention?.positions_days ?? null);
}

/** The positions from an instant on. */
export function pointsSince(points: TripPoints, since: number): TripPoints {
  if (points.time.every((time) => time >= since)) return points;
  const retained = [...points.time.keys()].filter((at) => (points.time[at] ?? 0) >= since);
  return pickTripPoints(points, retained);
}
