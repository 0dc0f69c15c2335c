import { type StoredShare, ShareStore } from '../models/shares/share.ts';
import { type AccessScope, unrestricted, vehicleAccessScope } from '../models/store/tenancy.ts';
import { OPEN_END, TripStore } from '../models/trips/trip.ts';
import { VehicleStore } from '../models/vehicles/vehicle.ts';

import { accessScopeOf, isPermitted, type ShareLink } from './caller.ts';
import { makerNow } from './maker-now.ts';
import { hashSecret } from './secrets/secrets.ts';
import type { Service } from '../models/store/service.ts';

/** View that a share gives. */
export interface SharedView {
  readonly caller: ShareLink;
  readonly nickname: string | null;
  /** True for one trip that has ended. */
  readonly isEnded: boolean;
  /** The origins whose pages may embed it. */
  readonly origins: readonly string[];
}

/** The share of a link, with what its page shows; `ended` if its time is over, null if it does not exist. */
export type OpenedShare = SharedView | 'ended' | null;

/** Opens the share of a link by its secret. */
export function openShare(service: Service, secret: string): Promise<OpenedShare> {
  return openStored(service, { secret_hash: hashSecret(secret) }, false);
}

/** Opens the share that pages embed by its second secret, which shows less: see `Share.embeds_live`. */
export function openEmbed(service: Service, secret: string): Promise<OpenedShare> {
  return openStored(service, { embed_secret_hash: hashSecret(secret) }, true);
}

/** A token that came from a share. */
export interface SharedToken {
  /** Key of the share. */
  readonly key: string;
  readonly vehicle_key: string;
  /** True if a page embeds the share. */
  readonly isEmbedded: boolean;
  /** Origin of the page. */
  readonly origin: string;
}

/** Finds the caller of a token that came from a share; null if the share has ended, was revoked or is for another vehicle or page. */
export async function findShare(
  service: Service,
  { key, vehicle_key, isEmbedded, origin }: SharedToken,
): Promise<ShareLink | null> {
  const opened = await openStored(service, { key, vehicle_key }, isEmbedded);
  if (opened === null || opened === 'ended') return null;
  const isOwnPage = origin === new URL(service.settings.siteUrl).origin;
  return !isEmbedded || isOwnPage || opened.origins.includes(origin) ? opened.caller : null;
}

/**
 * Counts that the page of a share was opened.
 *
 * @param origin of the page that embeds it
 */
export async function countOpening(service: Service, key: string, origin?: string): Promise<void> {
  const counted = { $inc: { opened_count: 1 }, $max: { last_opened: new Date() } };
  await ShareStore.updateOne(unrestricted(service), { key }, counted);
  if (origin === undefined) return;
  const embedding = { key, 'embeddings.origin': origin };
  await ShareStore.updateOne(unrestricted(service), embedding, { $inc: { 'embeddings.$.opened_count': 1 } });
}

async function openStored(service: Service, which: Partial<StoredShare>, isEmbedded: boolean): Promise<OpenedShare> {
  const share = await ShareStore.findOne(unrestricted(service), which);
  const accessScope = share && (await creatorsAccessScope(service, share));
  if (!accessScope || (isEmbedded && share.embed_secret_hash === null)) return null;
  const { key, vehicle_key, trip_key, account_key, created, expires, ends_with_trip } = share;
  const vehicle = await VehicleStore.findOne(accessScope, { key: vehicle_key }, 'key nickname');
  if (!vehicle) return null;
  const trip = trip_key === null ? null : await findTripOf(vehicle, trip_key, accessScope);
  if (trip_key !== null && !trip) return null;
  const isOver = ends_with_trip && !trip?.recording?.open;
  if (isOver || expires.getTime() <= Date.now()) return 'ended';
  const scope = {
    ...(trip_key === null && { gte: created.getTime() }),
    ...(isEmbedded && !share.embeds_live && { lt: await endOfEndedTrips(vehicle, accessScope) }),
  };
  const caller: ShareLink = {
    kind: 'share',
    ...{ account_key, share_key: key, vehicle_key, trip_key, scope, expires: expires.getTime() },
  };
  const isEnded = trip !== null && !trip.recording?.open;
  return { caller, nickname: vehicle.nickname, isEnded, origins: share.embeddings.map(({ origin }) => origin) };
}

/** Number of the newest trips of which some may not have ended: one for each device of a vehicle, and a few more. */
const NEWEST_TRIPS = 20;

/** The instant before which all trips of a vehicle have ended, in ms since 1970: after the last one, before one that has not. */
async function endOfEndedTrips(vehicle: { readonly key: string }, account: AccessScope): Promise<number> {
  const accessScope = vehicleAccessScope(account, vehicle);
  const newest = await TripStore.find(accessScope, { staged: false }, 'start_point.timestamp end_point.timestamp')
    .sort({ 'start_point.timestamp': -1, key: -1 })
    .limit(NEWEST_TRIPS);
  const isOpen = ({ end_point }: (typeof newest)[number]) => end_point.timestamp >= OPEN_END;
  const starts = newest.filter(isOpen).map(({ start_point }) => start_point.timestamp.getTime());
  const ends = newest.filter((trip) => !isOpen(trip)).map(({ end_point }) => end_point.timestamp.getTime() + 1);
  return Math.min(...starts, Math.max(0, ...ends));
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
