import { type StoredShare, ShareModel } from '../models/shares/share.ts';
import { type AccessScope, UNRESTRICTED, vehicleAccessScope } from '../models/tenancy.ts';
import { TripModel } from '../models/trips/trip.ts';
import { VehicleModel } from '../models/vehicles/vehicle.ts';

import { accessScopeOf, isPermitted, type ShareLink } from './caller.ts';
import { makerNow } from './maker-now.ts';
import { hashSecret } from './secrets.ts';

/** The share of a link, with what its page shows; `ended` where its time is over, null where it does not exist. */
export type OpenedShare = { readonly caller: ShareLink; readonly nickname: string | null } | 'ended' | null;

/** Opens the share of a link by its secret. */
export function openShare(secret: string): Promise<OpenedShare> {
  return openStored({ secret_hash: hashSecret(secret) });
}

/** Finds the caller of a token that came from a share; null where the share has ended, was revoked or is for another vehicle. */
export async function findShare(key: string, vehicleKey: string): Promise<ShareLink | null> {
  const opened = await openStored({ key, vehicle_key: vehicleKey });
  return opened === null || opened === 'ended' ? null : opened.caller;
}

/** Counts that the page of a share was opened. */
export async function countOpening(key: string): Promise<void> {
  const counted = { $inc: { opened_count: 1 }, $max: { last_opened: new Date() } };
  await ShareModel.updateOne({ key }, counted).setOptions({ accessScope: UNRESTRICTED });
}

async function openStored(which: Partial<StoredShare>): Promise<OpenedShare> {
  const share = await ShareModel.findOne(which, null, { accessScope: UNRESTRICTED }).lean<StoredShare>();
  const accessScope = share && (await creatorsAccessScope(share));
  if (!accessScope) return null;
  const { key, vehicle_key, trip_key, account_key, created, expires, ends_with_trip } = share;
  const vehicle = await VehicleModel.findOne({ key: vehicle_key }, 'key nickname', { accessScope }).lean();
  if (!vehicle) return null;
  const trip = trip_key === null ? null : await findTripOf(vehicle, trip_key, accessScope);
  if (trip_key !== null && !trip) return null;
  const isOver = ends_with_trip && !trip?.recording?.open;
  if (isOver || expires.getTime() <= Date.now()) return 'ended';
  const scope = trip_key === null ? { gte: created.getTime() } : {};
  const caller: ShareLink = {
    kind: 'share',
    ...{ account_key, share_key: key, vehicle_key, trip_key, scope, expires: expires.getTime() },
  };
  return { caller, nickname: vehicle.nickname };
}

/** Access scope in which a share shows its vehicle, as whoever created it has it now; null where that may no longer share. */
async function creatorsAccessScope(share: StoredShare): Promise<AccessScope | null> {
  const creator = await makerNow(share);
  return creator && isPermitted(creator, ['account_activity.manage']) ? accessScopeOf(creator) : null;
}

function findTripOf(vehicle: { readonly key: string }, key: string, account: AccessScope) {
  const accessScope = vehicleAccessScope(account, vehicle);
  return TripModel.findOne({ key, staged: false }, 'recording.open', { accessScope }).lean();
}
