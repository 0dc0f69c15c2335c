import { type KeyObject, sign } from 'node:crypto';

import { type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';

import { findHeldVehicle, type HeldVehicle } from '../models/sign-in/held-grant.ts';
import { newKey } from '../models/key.ts';
import { hidesTrips, stateOfZones } from '../models/vehicles/privacy-zone.ts';
import { isAccessible } from '../models/store/tenancy.ts';
import type { IssuedToken } from '../schema/account/issued-token.ts';

import { type AppForUser, type Embed, accessScopeOf, type ShareLink } from './caller.ts';
import { holderOf } from './grants.ts';
import { findShare, subjectOf } from './shares.ts';
import { currentSigningKey, findSigningKey, SIGNATURE_ALGORITHM } from './signing-keys.ts';
import { parseTripScope } from './scopes/trip-scope.ts';
import { perService, type Service } from '../models/store/service.ts';

/** Seconds that a special-purpose token lives. Specification: "Limits". */
export const TRIP_TOKEN_LIFETIME = 3600;

/** The only value of `roles`. Specification: "Special-purpose token endpoint". */
export const TRIP_TOKEN_ROLES = 'service://<service-trips-map />';

/** The media type in a token's header, so that no other JWT can pass for one (RFC 8725, section 3.11). */
const TRIP_TOKEN_TYPE = 'trips+jwt';

/** Claims of a special-purpose token. */
export interface TripTokenClaims {
  /** The vehicle, `vehicle:<vehicle_key>`. */
  readonly sub: string;
  /** Origin of the page that may use it. */
  readonly aud: string;
  /** One of the allowed scope forms, as requested. */
  readonly scope: string;
  readonly client_id: string;
  /** The grant that it came from; the token ends with it. */
  readonly grant: string;
}

/** Claims of the token that the page of a share has; `sub` is `group:<group_key>` if a group is shared. */
interface ShareTokenClaims extends Pick<TripTokenClaims, 'sub' | 'aud'> {
  /** Key of the share; the token ends with it. */
  readonly share: string;
  /** True if a page embeds the share; absent for the page of its link. */
  readonly embed?: true;
}

/** Returns the claims of a token for a page that shows a share, at its own address or embedded in another. */
export function shareClaims(share: ShareLink, origin: string, isEmbedded: boolean): ShareTokenClaims {
  return { sub: subjectOf(share), aud: origin, share: share.share_key, ...(isEmbedded && { embed: true }) };
}

/** Issues a special-purpose token, in the form of the token endpoint's answer (specification, section C). */
export async function issuedTripToken(
  service: Service,
  issuer: string,
  claims: TripTokenClaims | ShareTokenClaims,
): Promise<IssuedToken> {
  return { token: await signTripToken(service, issuer, claims), expires_in: TRIP_TOKEN_LIFETIME, token_type: 'Bearer' };
}

/** Signs a special-purpose token that expires in {@link TRIP_TOKEN_LIFETIME} seconds. */
export async function signTripToken(
  service: Service,
  issuer: string,
  claims: TripTokenClaims | ShareTokenClaims,
  now: Date = new Date(),
): Promise<string> {
  const key = await currentSigningKey(service);
  const issuedAt = Math.floor(now.getTime() / 1000);
  const times = { iat: issuedAt, exp: issuedAt + TRIP_TOKEN_LIFETIME };
  return signJwt(
    { alg: SIGNATURE_ALGORITHM, typ: TRIP_TOKEN_TYPE, kid: key.kid },
    { roles: TRIP_TOKEN_ROLES, ...claims, iss: issuer, jti: newKey(), ...times },
    key.privateKey,
  );
}

/**
 * Writes a JWT in compact form (RFC 7515, section 7.1), signed with ES256. Signing in this thread takes a third of the time of
 * Web Crypto, which hands 40 microseconds of work to another thread.
 */
function signJwt(header: object, payload: object, key: KeyObject): string {
  const signed = `${base64urlOf(header)}.${base64urlOf(payload)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

function base64urlOf(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/**
 * Verifies a token, its page (`Origin`), its grant and the user's access, or its share, again at each use; null if anything
 * fails.
 */
export async function verifyTripToken(
  service: Service,
  token: string,
  issuer: string,
  origin: string | undefined,
): Promise<Embed | ShareLink | null> {
  const verified = await verifiedToken(service, token, issuer);
  if (!verified) return null;
  const { claims, kid } = verified;
  if (origin === undefined || claims.aud !== origin || claims.roles !== TRIP_TOKEN_ROLES) return null;
  const subject = String(claims.sub);
  if (claims.share !== undefined) {
    const isEmbedded = claims.embed === true;
    const caller = await findShare(service, { key: String(claims.share), subject, isEmbedded, origin });
    return caller && { ...caller, expires: Math.min(caller.expires, claims.exp * 1000) };
  }
  const vehicleKey = vehicleOf(subject);
  const scope = parseTripScope(String(claims.scope));
  if (vehicleKey === null || scope === null) return null;

  const found = await findHeldVehicle(service, String(claims.grant), vehicleKey, kid);
  const holder = holderOf(found);
  if (!found || !holder || !opensTrips(holder, claims.client_id)) return null;
  if (!isAccessible(accessScopeOf({ service, caller: holder }), found.vehicle)) return null;
  const { account_key, group_keys, client_id, grant_hash } = holder;
  const holderOfToken = { account_key, client_id, grant_hash, group_keys, vehicle_key: vehicleKey };
  const expires = claims.exp * 1000;
  return { kind: 'embed', ...holderOfToken, expires, scope, trips_state: stateOf(found), zones: found.zones };
}

/** Returns true if special-purpose tokens of an app may rest on a grant: it is the app's, shows it trips, and is no driver's. */
export function opensTrips(holder: AppForUser, clientId: unknown): boolean {
  return holder.role !== 'driver' && holder.client_id === clientId && holder.scopes.has('account_activity.read');
}

/** Names the visible state: see `Embed`. */
function stateOf({ vehicle, zones, trips_versions }: HeldVehicle): string | null {
  if (zones.some(hidesTrips)) return null;
  return JSON.stringify([vehicle.trips_revision ?? 0, stateOfZones(zones), ...[...trips_versions].sort()]);
}

/** The vehicle key of a subject `vehicle:<vehicle_key>`, or null if it has another form. */
export function vehicleOf(subject: string): string | null {
  return /^vehicle:([A-Za-z0-9_-]+)$/.exec(subject)?.[1] ?? null;
}

/** A token with a valid signature; a map sends the same one repeatedly. */
interface VerifiedToken {
  readonly claims: JWTPayload & { readonly exp: number };
  readonly kid: string;
}

const verifiedTokens = perService(() => new LRUCache<string, VerifiedToken>({ max: 10_000 }));

/** Returns the claims of a token that this service signed for trip maps and that has not expired; caches the signature check. */
async function verifiedToken(service: Service, token: string, issuer: string): Promise<VerifiedToken | null> {
  const known = verifiedTokens(service).get(token);
  if (known && known.claims.iss === issuer) {
    const isGood = known.claims.exp * 1000 > Date.now() && (await findSigningKey(service, known.kid)) !== null;
    return isGood ? known : null;
  }
  try {
    const { payload, protectedHeader } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? null : await findSigningKey(service, kid);
        if (!key) throw new TypeError('The token names an unknown key');
        return key.publicKey;
      },
      {
        algorithms: [SIGNATURE_ALGORITHM],
        typ: TRIP_TOKEN_TYPE,
        issuer,
        requiredClaims: ['iat', 'exp', 'sub', 'aud', 'jti'],
      },
    );
    const { iat = Infinity, exp = 0 } = payload;
    if (iat * 1000 > Date.now()) return null;
    const verified = { claims: { ...payload, exp }, kid: protectedHeader.kid ?? '' };
    verifiedTokens(service).set(token, verified);
    return verified;
  } catch (error) {
    if (isRejection(error)) return null;
    throw error;
  }
}

/** A rejected token, as opposed to an unreachable database. */
function isRejection(error: unknown): boolean {
  return (
    error instanceof TypeError || (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_J'))
  );
}
