import { noticePermissions, readPermissionStamp } from '../../models/permission-stamp.ts';

import { movedDevices } from '../recording/moved-devices.ts';
import { followedVehicles, noticePositions } from '../recording/position-notices.ts';

/** Time by which clocks of servers may differ, in milliseconds. */
const CLOCK_SKEW_MS = 10_000;

/** The stamp of permissions that streams of this process know. */
let known: string | null = null;

/**
 * Tells the streams of this process of positions and permissions that other processes have stored; does nothing without
 * streams. Permissions are read last: a position that came after a change of them is sent by nobody who does not know it.
 */
export async function lookAtOthers(now: number = Date.now()): Promise<void> {
  const followed = followedVehicles();
  if (followed.size === 0) return;
  const recent = { last_transmission: { $gte: new Date(now - CLOCK_SKEW_MS) } };
  const read = [...followed].map(async ([account_key, keys]) => {
    return [account_key, await movedDevices(account_key, keys, recent)] as const;
  });
  const moved = await Promise.all(read);
  const stamp = await readPermissionStamp();
  if (stamp !== known) {
    known = stamp;
    noticePermissions();
    return;
  }
  for (const [account_key, devices] of moved) noticePositions(account_key, devices, null);
}
