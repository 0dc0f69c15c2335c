import { GroupStore } from '../models/account/group.ts';
import { type StoredShare, ShareStore } from '../models/shares/share.ts';
import { type AccessScope, unrestricted, vehicleAccessScope } from '../models/store/tenancy.ts';
import { OPEN_END, TripStore } from '../models/trips/trip.ts';
import { VehicleStore } from '../models/vehicles/vehicle.ts';
import { MAX_SHARED_VEHICLES } from '../schema/shares/share.ts';

import { accessScopeOf, isPermitted, type ShareLink } from './caller.ts';
import { makerNow } from './maker-now.ts';
import { hashSecret } from './secrets/secrets.ts';
import type { Service } from '../models/store/service.ts';

/** View that a share gives. */
export interface SharedView {
  readonly caller: ShareLink;
  /** Name of the vehicle or the group. */
  readonly name: string | null;
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
  /** Of the token: see {@link subjectOf}. */
  readonly subject: string;
  /** True if a page embeds the share. */
  readonly isEmbedded: boolean;
  /** Origin of the page. */
  readonly origin: string;
}

/** Finds the caller of a token that came from a share; null if the share has ended, was revoked or shows something else, or is for another page. */
export async function findShare(
  service: Service,
  { key, subject, isEmbedded, origin }: SharedToken,
): Promise<ShareLink | null> {
  const opened = await openStored(service, { key }, isEmbedded);
  if (opened === null || opened === 'ended' || subjectOf(opened.caller) !== subject) return null;
  const isOwnPage = origin === new URL(service.settings.siteUrl).origin;
  return !isEmbedded || isOwnPage || opened.origins.includes(origin) ? opened.caller : null;
}

/** The subject of tokens for a share: `vehicle:<vehicle_key>`, or `group:<group_key>`. */
export function subjectOf({ group_key, vehicle_keys }: Pick<ShareLink, 'group_key' | 'vehicle_keys'>): string {
  return group_key === null ? `vehicle:${vehicle_keys[0]}` : `group:${group_key}`;
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
  const { key, group_key, trip_key, account_key, created, expires, ends_with_trip } = share;
  const shown = await (group_key === null ? vehicleOf(share, accessScope) : vehiclesOf(group_key, accessScope));
  if (!shown) return null;
  const { name, vehicle_keys } = shown;
  const trip = trip_key === null ? null : await findTripOf(share, trip_key, accessScope);
  if (trip_key !== null && !trip) return null;
  const isOver = ends_with_trip && !trip?.recording?.open;
  if (isOver || expires.getTime() <= Date.now()) return 'ended';
  const scope = {
    ...(trip_key === null && { gte: created.getTime() }),
    ...(isEmbedded && !share.embeds_live && { lt: await endOfEndedTrips(vehicle_keys, accessScope) }),
  };
  const caller: ShareLink = {
    kind: 'share',
    ...{ account_key, share_key: key, vehicle_keys, group_key, trip_key, scope, expires: expires.getTime() },
  };
  const isEnded = trip !== null && !trip.recording?.open;
  return { caller, name, isEnded, origins: share.embeddings.map(({ origin }) => origin) };
}

/** The vehicle of a share, with its name, if its creator sees it now. */
async function vehicleOf({ vehicle_key }: StoredShare, accessScope: AccessScope) {
  const vehicle = await VehicleStore.findOne(accessScope, { key: vehicle_key }, 'key nickname');
  return vehicle && { name: vehicle.nickname, vehicle_keys: [vehicle.key] };
}

/** The vehicles that are in a group now, those first that were created first, if the creator of the share sees the group. */
async function vehiclesOf(group_key: string, accessScope: AccessScope) {
  const group = await GroupStore.findOne(accessScope, { key: group_key }, 'name');
  if (!group) return null;
  const vehicles = await VehicleStore.find(accessScope, { group_path: group_key }, 'key')
    .sort({ _id: 1 })
    .limit(MAX_SHARED_VEHICLES);
  return { name: group.name, vehicle_keys: vehicles.map(({ key }) => key) };
}

/** Number of the newest trips of which some may not have ended: one for each device of a vehicle, and a few more. */
const NEWEST_TRIPS = 20;

/** The instant before which all trips of vehicles have ended, in ms since 1970: after the last one, before one that has not. */
async function endOfEndedTrips([key = '', ...others]: readonly string[], account: AccessScope): Promise<number> {
  if (others.length > 0) throw new TypeError('Embedded maps of several vehicles are live');
  const accessScope = vehicleAccessScope(account, { key });
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

function findTripOf({ vehicle_key }: StoredShare, key: string, account: AccessScope) {
  const accessScope = vehicleAccessScope(account, { key: String(vehicle_key) });
  return TripStore.findOne(accessScope, { key, staged: false }, 'recording.open');
}
