import { noticePermissions, readPermissionStamp } from '../../models/store/permission-stamp.ts';
import { CLOCK_SKEW_MS, type MovedOfAccount, type ServerMessage } from '../../models/server-messages.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';

import { lastNumber } from '../changes/number-changes.ts';
import { accountsListenedTo, announceEntries, isAnyLogListenedTo } from '../changes/on-change.ts';
import { movedDevices } from '../../tracking/recording/moved-devices.ts';
import {
  followedAmong,
  followedVehicles,
  isAnythingFollowed,
  noticePositions,
} from '../../tracking/recording/position-notices.ts';
import { perService, type Service } from '../../models/store/service.ts';

/** State of a service as known to the streams of this process. */
interface Known {
  /** The stamp of permissions. */
  stamp: string | null;
  /** The numbers of the last entries of logs with listeners, by account. */
  lastNumbers: ReadonlyMap<string, number>;
}

const known = perService((): Known => ({ stamp: null, lastNumbers: new Map() }));

/** Maximum share of time for polling, which takes longer if more vehicles and logs are followed. */
const MAX_SHARE = 1 / 20;

/** Returns true if this process has listeners to positions or to a log. */
export function isAnybodyListening(service: Service): boolean {
  return isAnythingFollowed(service) || isAnyLogListenedTo(service);
}

/**
 * Makes the periodic work: {@link lookAtOthers} if enough time has passed since the last one for its duration, else
 * only a check of permissions.
 */
export function looksAtOthers(service: Service, clock: () => number = Date.now): () => Promise<void> {
  let [looked, rest] = [clock(), 0];
  return async () => {
    const now = clock();
    if (now < looked + rest) {
      await lookAtPermissions(service);
      return;
    }
    const since = looked;
    looked = now;
    await lookAtOthers(service, since);
    rest = (clock() - now) / MAX_SHARE;
  };
}

/**
 * Notifies listeners in this process of entries, positions and permissions that other processes have stored since a time; does
 * nothing without listeners.
 */
export async function lookAtOthers(service: Service, since: number = Date.now()): Promise<void> {
  await lookAtLogs(service);
  const followed = [...followedVehicles(service)].map(([account_key, vehicle_keys]) => ({ account_key, vehicle_keys }));
  await lookAtPositions(service, followed, { last_transmission: { $gte: new Date(since - CLOCK_SKEW_MS) } });
}

/** Notifies listeners in this process of changes that another process has announced. */
export async function heed(
  service: Service,
  { log_account_keys, moved, changes_permissions }: ServerMessage,
): Promise<void> {
  for (const account_key of log_account_keys) announceEntries(service, account_key);
  const followed = moved.flatMap(({ account_key, vehicle_keys }) => {
    const among = followedAmong(service, account_key, vehicle_keys);
    return among.length > 0 ? [{ account_key, vehicle_keys: among }] : [];
  });
  if (followed.length > 0) await lookAtPositions(service, followed);
  else if (changes_permissions) await lookAtPermissions(service);
}

/** Permissions are read last, so that a position after a change of permissions is never sent under the old ones. */
async function lookAtPositions(
  service: Service,
  followed: readonly MovedOfAccount[],
  further: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const read = followed.map(async ({ account_key, vehicle_keys }) => {
    return [account_key, await movedDevices(service, account_key, vehicle_keys, further)] as const;
  });
  const moved = await Promise.all(read);
  if (await lookAtPermissions(service)) return;
  for (const [account_key, devices] of moved) noticePositions(service, account_key, devices, null);
}

async function lookAtLogs(service: Service): Promise<void> {
  const accounts = accountsListenedTo(service);
  const numbers = await Promise.all(accounts.map((key) => lastNumber(accountAccessScope(service, key))));
  const streams = known(service);
  const before = streams.lastNumbers;
  streams.lastNumbers = new Map(accounts.map((key, at) => [key, numbers[at] ?? 0]));
  for (const [key, number] of streams.lastNumbers) if (number !== before.get(key)) announceEntries(service, key);
}

/** If another process has changed permissions, notifies streams and returns true; does nothing without streams. */
export async function lookAtPermissions(service: Service): Promise<boolean> {
  if (!isAnybodyListening(service)) return false;
  const stamp = await readPermissionStamp(service);
  const streams = known(service);
  if (stamp === streams.stamp) return false;
  streams.stamp = stamp;
  noticePermissions(service);
  return true;
}
