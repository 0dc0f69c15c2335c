import { noticePermissions, readPermissionStamp } from '../../models/permission-stamp.ts';

import { movedDevices } from '../recording/moved-devices.ts';
import { followedVehicles, noticePositions } from '../recording/position-notices.ts';

/** Time by which clocks of servers may differ, in milliseconds. */
const CLOCK_SKEW_MS = 10_000;

/** The stamp of permissions that streams of this process know. */
let known: string | null = null;

/** Share of the time that may be spent on looking for positions, which takes the longer the more vehicles are followed. */
const MAX_SHARE = 1 / 20;

/**
 * Makes the work that is repeated: {@link lookAtOthers}, where the time since the last look is long enough for what that took, else
 * for permissions alone.
 */
export function watchOthers(clock: () => number = Date.now): () => Promise<void> {
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
 * Tells the streams of this process of positions and permissions that other processes have stored since a time; does nothing
 * without streams. Permissions are read last: a position that came after a change of them is sent by nobody who does not know it.
 */
export async function lookAtOthers(since: number = Date.now()): Promise<void> {
  const recent = { last_transmission: { $gte: new Date(since - CLOCK_SKEW_MS) } };
  const read = [...followedVehicles()].map(async ([account_key, keys]) => {
    return [account_key, await movedDevices(account_key, keys, recent)] as const;
  });
  const moved = await Promise.all(read);
  if (await lookAtPermissions()) return;
  for (const [account_key, devices] of moved) noticePositions(account_key, devices, null);
}

/** Tells streams that permissions have changed, and returns true, if another process has changed them; does nothing without streams. */
async function lookAtPermissions(): Promise<boolean> {
  if (followedVehicles().size === 0) return false;
  const stamp = await readPermissionStamp();
  if (stamp === known) return false;
  known = stamp;
  noticePermissions();
  return true;
}
