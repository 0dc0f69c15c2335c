import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf, type Caller } from '../../auth/caller.ts';
import { countOpening, openEmbed } from '../../auth/shares.ts';
import { issuedTripToken, shareClaims } from '../../auth/trip-token.ts';
import { madeBy, makerOf } from '../../auth/maker.ts';
import { GroupStore } from '../../models/account/group.ts';
import { ShareStore, type StoredShare } from '../../models/shares/share.ts';
import { Deletion } from '../../schema/deletion.ts';
import { type Page, PageArgs } from '../../schema/page.ts';
import { RedeemedShare } from '../../schema/shares/share.ts';
import {
  IssuedShare,
  MAX_SHARED_VEHICLES,
  Share,
  ShareConnection,
  ShareEndInput,
  ShareInput,
} from '../../schema/shares/share.ts';
import { shownRecord } from '../../models/lookup/shown-record.ts';
import { creationPage } from '../../models/lists/creation-page.ts';
import { hashSecret, newSecret } from '../../auth/secrets/secrets.ts';
import { actorIn, recordSecurityEvent } from '../../auth/security-events.ts';
import { newKey } from '../../models/key.ts';
import { vehicleAccessScope } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { parseDateTime } from '../../schema/date-time.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { vehicleOfTrip } from '../../tracking/visibility/trip-visibility.ts';
import { httpsOriginOf } from '../tokens/trip-token-resolver.ts';
import type { Service } from '../../models/store/service.ts';

const KEY = 'Key of the share.';

/** Links to vehicles, groups and trips: those of the account, and for an app those that it has made for its user. */
@Resolver()
export class ShareResolver {
  @Access('account_activity.read')
  @Query(() => ShareConnection, {
    description: 'Shares, in order of creation. Shares that have ended stay in the list for 30 days.',
  })
  shares(@Args(() => PageArgs) page: PageArgs, @Ctx() { service, caller }: RequestContext): Promise<Page<Share>> {
    return creationPage(ShareStore, {
      accessScope: accessScopeOf({ service, caller }),
      search: madeBy(caller),
      ...page,
    });
  }

  @Access('account_activity.read')
  @Query(() => Share, { nullable: true, description: 'One share.' })
  async share(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<Share> {
    const filter = { key, ...madeBy(caller) };
    return shownRecord(ShareStore, { accessScope: accessScopeOf({ service, caller }), filter }, 'share');
  }

  @Access('account_activity.manage')
  @Mutation(() => IssuedShare, {
    description: 'Shares a vehicle or those of a group, from now on, or a trip. The link is shown only once.',
  })
  createShare(
    @Arg('input', () => ShareInput, { description: 'What to share, and until when.' }) input: ShareInput,
    @Ctx() context: RequestContext,
  ): Promise<IssuedShare> {
    return createShare(context, input);
  }

  @Access('visitor')
  @Mutation(() => RedeemedShare, {
    description:
      'Issues a token for the page that embeds a share, by the secret of its `embed_url`. The `Origin` of the request must be one of its `embed_origins`.',
  })
  redeemShare(
    @Arg('secret', () => String, { description: 'The part of `embed_url` between `/s/` and `/embed`.' }) secret: string,
    @Ctx() context: RequestContext,
  ): Promise<RedeemedShare> {
    return redeemShare(context, secret);
  }

  @Access('account_activity.manage')
  @Mutation(() => Share, { description: 'Changes when a share ends. A time in the past ends it now.' })
  updateShare(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Arg('input', () => ShareEndInput, { description: 'The fields to change.' }) input: ShareEndInput,
    @Ctx() context: RequestContext,
  ): Promise<Share> {
    return updateShare(context, key, input);
  }

  @Access('account_activity.manage')
  @Mutation(() => Deletion, { description: 'Revokes a share. Its page stops showing anything.' })
  async deleteShare(
    @Arg('key', () => String, { description: KEY }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await deleteShare(context, key);
    return { key, deleted: true };
  }
}

/** Shares that an account, or an app for one of its users, may have. */
const MAX_SHARES = 1000;
/** Origins whose pages may embed a share. */
const MAX_ORIGINS = 20;
const DAY_MS = 86_400_000;
/** Time after which a share ends that ends with its trip, unless the trip ends before or another time is given, in days. */
const TRIP_DAYS = 7;

/**
 * Shares a vehicle or those of a group, from now on, or a trip, by a link that is shown this once.
 * @throws ServiceError BAD_REQUEST naming the parameter, NOT_FOUND for a vehicle, group or trip that the caller does not see
 */
async function createShare(context: RequestContext, input: ShareInput): Promise<IssuedShare> {
  const { caller } = context;
  const { expires, ends_with_trip } = input;
  const embeds_live = input.embeds_live ?? false;
  const embeddings = checkOrigins(input.embed_origins ?? []);
  if (embeds_live && embeddings.length === 0) {
    throw new ServiceError('BAD_REQUEST', 'embeds_live requires embed_origins');
  }
  if (input.group_key != null && embeddings.length > 0 && !embeds_live) {
    throw new ServiceError('BAD_REQUEST', 'embed_origins with group_key requires embeds_live');
  }
  if (embeds_live && expires == null) throw new ServiceError('BAD_REQUEST', 'embeds_live requires expires');
  const accessScope = accessScopeOf(context);
  const shared = await findShared(accessScope.service, caller, input);
  const endsWithTrip = ends_with_trip ?? false;
  checkEndsWithTrip(endsWithTrip, shared.trip_key);
  if (expires == null && !endsWithTrip) throw new ServiceError('BAD_REQUEST', 'expires is required');
  const now = new Date();
  const ends = expires == null ? new Date(now.getTime() + TRIP_DAYS * DAY_MS) : checkExpires(expires);
  if (ends <= now) throw new ServiceError('BAD_REQUEST', 'expires must be in the future');
  const maker = makerOf(caller);
  const { client_id, user_key } = maker;
  if ((await ShareStore.countDocuments(accessScope, { client_id, user_key })) >= MAX_SHARES) {
    throw new ServiceError('BAD_REQUEST', `An account or an app has at most ${MAX_SHARES} shares`);
  }
  const secret = newSecret('wb_share_');
  const embedSecret = embeddings.length > 0 ? newSecret('wb_embed_') : null;
  const share = {
    ...{ key: newKey(), ...shared, expires: ends, ends_with_trip: endsWithTrip },
    ...{ embeddings, embeds_live, opened_count: 0, last_opened: null, created: now, updated: now },
  };
  const hidden = {
    ...{ account_key: accessScope.account_key, secret_hash: hashSecret(secret), ...maker },
    embed_secret_hash: embedSecret && hashSecret(embedSecret),
  };
  await ShareStore.create(accessScope, { ...share, ...hidden });
  await recordShare('share_created', context, share.key);
  const links = `${accessScope.service.settings.siteUrl.replace(/\/$/, '')}/s/`;
  return { ...share, url: links + secret, embed_url: embedSecret && `${links}${embedSecret}/embed` };
}

/** The origins that a request names, each once. @throws ServiceError BAD_REQUEST */
function checkOrigins(origins: readonly string[]): { readonly origin: string; readonly opened_count: number }[] {
  const read = origins.map(httpsOriginOf);
  if (read.length > MAX_ORIGINS || read.includes(null)) {
    throw new ServiceError('BAD_REQUEST', `embed_origins must be at most ${MAX_ORIGINS} https origins`);
  }
  return [...new Set(read)].map((origin) => ({ origin: String(origin), opened_count: 0 }));
}

/**
 * Issues a token for a page that embeds a share.
 * @throws ServiceError NOT_FOUND if there is no such share, or no longer; FORBIDDEN for pages of other origins
 */
async function redeemShare({ service, origin, issuer = '' }: RequestContext, secret: string): Promise<RedeemedShare> {
  const opened = await openEmbed(service, secret);
  if (opened === null || opened === 'ended') throw notFound('share');
  if (origin === undefined || !opened.origins.includes(origin)) {
    throw new ServiceError('FORBIDDEN', `Pages of ${origin ?? 'no origin'} may not embed this share`);
  }
  const { share_key, group_key, vehicle_keys, trip_key } = opened.caller;
  await countOpening(service, share_key, origin);
  const issued = await issuedTripToken(service, issuer, shareClaims(opened.caller, origin, true));
  return { ...issued, vehicle_key: group_key === null ? (vehicle_keys[0] ?? null) : null, trip_key };
}

/**
 * Changes when a share ends.
 * @throws ServiceError NOT_FOUND, or BAD_REQUEST naming the parameter
 */
async function updateShare(context: RequestContext, key: string, input: ShareEndInput): Promise<StoredShare> {
  const { caller } = context;
  const { expires, ends_with_trip } = input;
  const accessScope = accessScopeOf(context);
  const filter = { key, ...madeBy(caller) };
  const share = await ShareStore.findOne(accessScope, filter, 'trip_key');
  if (!share) throw notFound('share');
  checkEndsWithTrip(ends_with_trip ?? false, share.trip_key);
  const changed = {
    ...(expires != null && { expires: checkExpires(expires) }),
    ...(ends_with_trip != null && { ends_with_trip }),
    updated: new Date(),
  };
  const after = await ShareStore.findOneAndUpdate(accessScope, filter, changed, { returnDocument: 'after' });
  if (!after) throw notFound('share');
  if (changed.expires && changed.expires <= changed.updated) await recordShare('share_ended', context, key);
  return after;
}

/** Revokes a share: its page shows nothing any more. @throws ServiceError NOT_FOUND */
async function deleteShare(context: RequestContext, key: string): Promise<void> {
  const { caller } = context;
  const accessScope = accessScopeOf(context);
  const { deletedCount } = await ShareStore.deleteOne(accessScope, { key, ...madeBy(caller) });
  if (deletedCount === 0) throw notFound('share');
  await recordShare('share_ended', context, key);
}

function recordShare(kind: 'share_created' | 'share_ended', context: RequestContext, subject: string): Promise<void> {
  const { account_key } = accessScopeOf(context);
  const { user_key } = makerOf(context.caller);
  return recordSecurityEvent(context.service, { kind, actor: actorIn(context), account_key, user_key, subject });
}

/** The vehicle, group or trip that is shared, which the caller must see. */
async function findShared(
  service: Service,
  caller: Caller,
  { vehicle_key = null, trip_key = null, group_key = null }: ShareInput,
) {
  if ([vehicle_key, trip_key, group_key].filter((key) => key !== null).length !== 1) {
    throw new ServiceError('BAD_REQUEST', 'Send one of vehicle_key, trip_key and group_key');
  }
  const accessScope = accessScopeOf({ service, caller });
  if (group_key !== null) {
    if (!(await GroupStore.findOne(accessScope, { key: group_key }, 'key'))) throw notFound('group');
    const count = await VehicleStore.countDocuments(accessScope, { group_path: group_key });
    if (count <= MAX_SHARED_VEHICLES) return { vehicle_key, trip_key, group_key };
    const message = `group_key has ${count} vehicles, and a share shows at most ${MAX_SHARED_VEHICLES}`;
    throw new ServiceError('BAD_REQUEST', message);
  }
  const key = trip_key === null ? String(vehicle_key) : await vehicleOfTrip(service, caller, trip_key);
  const vehicle = await VehicleStore.findOneStored(accessScope, { key }, { projection: { key: 1 } });
  if (!vehicle) throw notFound(trip_key === null ? 'vehicle' : 'trip');
  if (trip_key !== null) {
    const ofVehicle = vehicleAccessScope(accessScope, { key });
    const trip = await TripStore.findOne(ofVehicle, { key: trip_key, staged: false }, 'key');
    if (!trip) throw notFound('trip');
  }
  return { vehicle_key: key, trip_key, group_key };
}

function checkEndsWithTrip(endsWithTrip: boolean, tripKey: string | null): void {
  if (endsWithTrip && tripKey === null) {
    throw new ServiceError('BAD_REQUEST', 'ends_with_trip requires trip_key');
  }
}

function checkExpires(text: string): Date {
  const read = parseDateTime(text);
  if (!read) throw new ServiceError('BAD_REQUEST', 'expires is not an ISO 8601 date-time');
  return new Date(read.instant);
}
