import { benchFleet, type Fleet } from '../waits/fleet-records.ts';

/** Records over which service and contenders are compared. */
export interface DuelRecords {
  readonly fleet: Fleet;
  /** An account whose groups grow. */
  readonly other: Fleet;
}

/** Stores an account of 200 devices and 200 groups, and a small one. */
export async function duelRecords(): Promise<DuelRecords> {
  const fleet = await benchFleet({ devices: 200, groups: 200, vehicles: 100, users: 10, subscriptions: 5 });
  const other = await benchFleet({ devices: 1, groups: 1, vehicles: 1, users: 1, subscriptions: 1 });
  return { fleet, other };
}
