import { type StoredShare, ShareStore } from '../models/shares/share.ts';
import { type AccessScope, unrestricted, vehicleAccessScope } from '../models/store/tenancy.ts';
import { TripStore } from '../models/trips/trip.ts';
import { VehicleStore } from '../models/vehicles/vehicle.ts';

import { accessScopeOf, isPermitted, type ShareLink } from './caller.ts';
import { makerNow } from './maker-now.ts';
import { hashSecret } from './secrets/secrets.ts';
import type { Service } from '../models/store/service.ts';

/** The share of a link, with what its page shows; `ended` if its time is over, null if it does not exist. */
export type OpenedShare = { readonly caller: ShareLink; readonly nickname: string | null } | 'ended' | null;

/** Opens the share of a link by its secret. */
export function openShare(service: Service, secret: string): Promise<OpenedShare> {
  return openStored(service, { secret_hash: hashSecret(secret) });
}

/** Finds the caller of a token that came from a share; null if the share has ended, was revoked or is for another vehicle. */
export async function findShare(service: Service, key: string, vehicleKey: string): Promise<ShareLink | null> {
  const opened = await openStored(service, { key, vehicle_key: vehicleKey });
  return opened === null || opened === 'ended' ? null : opened.caller;
}

/** Counts that the page of a share was opened. */
export async function countOpening(service: Service, key: string): Promise<void> {
  const counted = { $inc: { opened_count: 1 }, $max: { last_opened: new Date() } };
  await ShareStore.updateOne(unrestricted(service), { key }, counted);
}

async function openStored(service: Service, which: Partial<StoredShare>): Promise<OpenedShare> {
  const share = await ShareStore.findOne(unrestricted(service), which);
  const accessScope = share && (await creatorsAccessScope(service, share));
  if (!accessScope) return null;
  const { key, vehicle_key, trip_key, account_key, created, expires, ends_with_trip } = share;
  const vehicle = await VehicleStore.findOne(accessScope, { key: vehicle_key }, 'key nickname');
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

/** Access scope in which a share shows its vehicle, as its creator has it now; null if the creator may no longer share. */
async function creatorsAccessScope(service: Service, share: StoredShare): Promise<AccessScope | null> {
  const creator = await makerNow(service, share);
  return creator && isPermitted(creator, ['account_activity.manage'])
    ? accessScopeOf({ service, caller: creator })
    : null;
}

function findTripOf(vehicle: { readonly key: string }, key: string, account: AccessScope) {
  const accessScope = vehicleAccessScope(account, vehicle);
  return TripStore.findOne(accessScope, { key, staged: false }, 'recording.open');
}
