import { noticePermissions, readPermissionStamp } from '../../models/permission-stamp.ts';
import { CLOCK_SKEW_MS, type MovedOfAccount, type ServerMessage } from '../../models/server-messages.ts';
import { accountAccessScope } from '../../models/tenancy.ts';

import { lastNumber } from '../changes/number-changes.ts';
import { accountsListenedTo, announceEntries, isAnyLogListenedTo } from '../changes/on-change.ts';
import { movedDevices } from '../recording/moved-devices.ts';
import { followedAmong, followedVehicles, isAnythingFollowed, noticePositions } from '../recording/position-notices.ts';

/** The stamp of permissions that streams of this process know. */
let known: string | null = null;

/** The numbers of the last entries of the logs that are listened to, by account. */
let lastNumbers: ReadonlyMap<string, number> = new Map();

/** Share of the time that may be spent on looking, which takes the longer the more vehicles and logs are followed. */
const MAX_SHARE = 1 / 20;

/** Tells whether anybody in this process listens to positions or to a log. */
export function isAnybodyListening(): boolean {
  return isAnythingFollowed() || isAnyLogListenedTo();
}

/**
 * Makes the work that is repeated: {@link lookAtOthers}, where the time since the last look is long enough for what that took, else
 * for permissions alone.
 */
export function looksAtOthers(clock: () => number = Date.now): () => Promise<void> {
  let [looked, rest] = [clock(), 0];
  return async () => {
    const now = clock();
    if (now < looked + rest) {
      await lookAtPermissions();
      return;
    }
    const since = looked;
    looked = now;
    await lookAtOthers(since);
    rest = (clock() - now) / MAX_SHARE;
  };
}

/**
 * Tells those in this process who listen of entries, positions and permissions that other processes have stored since a time; does
 * nothing without listeners.
 */
export async function lookAtOthers(since: number = Date.now()): Promise<void> {
  await lookAtLogs();
  const followed = [...followedVehicles()].map(([account_key, vehicle_keys]) => ({ account_key, vehicle_keys }));
  await lookAtPositions(followed, { last_transmission: { $gte: new Date(since - CLOCK_SKEW_MS) } });
}

/** Tells those in this process who listen of what another process says that it has stored. */
export async function heed({ log_account_keys, moved, changes_permissions }: ServerMessage): Promise<void> {
  for (const account_key of log_account_keys) announceEntries(account_key);
  const followed = moved.flatMap(({ account_key, vehicle_keys }) => {
    const among = followedAmong(account_key, vehicle_keys);
    return among.length > 0 ? [{ account_key, vehicle_keys: among }] : [];
  });
  if (followed.length > 0) await lookAtPositions(followed);
  else if (changes_permissions) await lookAtPermissions();
}

/** Permissions are read last: a position that came after a change of them is sent by nobody who does not know it. */
async function lookAtPositions(
  followed: readonly MovedOfAccount[],
  further: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const read = followed.map(async ({ account_key, vehicle_keys }) => {
    return [account_key, await movedDevices(account_key, vehicle_keys, further)] as const;
  });
  const moved = await Promise.all(read);
  if (await lookAtPermissions()) return;
  for (const [account_key, devices] of moved) noticePositions(account_key, devices, null);
}

async function lookAtLogs(): Promise<void> {
  const accounts = accountsListenedTo();
  const numbers = await Promise.all(accounts.map((key) => lastNumber(accountAccessScope(key))));
  const before = lastNumbers;
  lastNumbers = new Map(accounts.map((key, at) => [key, numbers[at] ?? 0]));
  for (const [key, number] of lastNumbers) if (number !== before.get(key)) announceEntries(key);
}

/** Tells streams that permissions have changed, and returns true, if another process has changed them; does nothing without streams. */
export async function lookAtPermissions(): Promise<boolean> {
  if (!isAnybodyListening()) return false;
  const stamp = await readPermissionStamp();
  if (stamp === known) return false;
  known = stamp;
  noticePermissions();
  return true;
}
