import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { holderOfToken } from '../../auth/grants.ts';
import { hashSecret, isSecret } from '../../auth/secrets/secrets.ts';
import { publicKeySet } from '../../auth/signing-keys.ts';
import { parseTripScope } from '../../auth/scopes/trip-scope.ts';
import { issuedTripToken, opensTrips, TRIP_TOKEN_ROLES, vehicleOf } from '../../auth/trip-token.ts';
import { AppStore } from '../../models/account/app.ts';
import { findHeldTokenOfApp, type HeldTokenOfApp } from '../../models/sign-in/held-grant.ts';
import { isAccessible, unrestricted } from '../../models/store/tenancy.ts';
import { IssuedToken } from '../../schema/account/issued-token.ts';
import { JsonWebKeySet } from '../../schema/account/json-web-key-set.ts';
import { parsePlainUrl } from '../../schema/plain-url.ts';
import { type ErrorCode, ServiceError } from '../../schema/service-error.ts';
import { Untyped } from '../../schema/untyped.ts';
import type { Service } from '../../models/store/service.ts';

/** Context of a request to the token endpoint. */
export interface TripTokenContext extends RequestContext {
  /** Token of the `Authorization: bearer` header, null if there is none. */
  readonly bearer: string | null;
  /** Issuer, `{auth_url}`. */
  readonly issuer: string;
}

type TripTokenRequest = Readonly<Record<'client_id' | 'client_secret' | 'sub' | 'aud' | 'roles' | 'scope', unknown>>;

/** A row of the specification's error table: when it applies, and what is then answered. */
type Fault = readonly [
  ErrorCode,
  message: string,
  applies: (request: TripTokenRequest, bearer: string | null) => boolean,
];

/** The 400 rows of "Token endpoint errors", in the specification's order; they need the request alone, no look-ups. */
const MALFORMED: readonly Fault[] = [
  ['BAD_REQUEST', 'Missing client credentials', (body) => isAbsent(body.client_id) || isAbsent(body.client_secret)],
  ['BAD_REQUEST', 'Missing auth token', (_, bearer) => bearer === null],
  [
    'BAD_REQUEST',
    'Missing required claims',
    (body) => [body.aud, body.roles, body.scope, body.sub].some((claim) => isAbsent(claim)),
  ],
  ['BAD_REQUEST', 'Invalid aud', (body) => httpsOriginOf(body.aud) === null],
  ['BAD_REQUEST', 'Invalid roles', (body) => body.roles !== TRIP_TOKEN_ROLES],
  ['BAD_REQUEST', 'Invalid sub', (body) => typeof body.sub !== 'string' || vehicleOf(body.sub) === null],
  ['BAD_REQUEST', 'Invalid scope', (body) => typeof body.scope !== 'string' || parseTripScope(body.scope) === null],
];

/** Stands in for the hash of an unknown client, so that rejecting it takes as long as a wrong secret. */
const NOBODYS_HASH = 'A'.repeat(43);

/** Issues tokens that open the trips of one vehicle to one page origin. Specification: section C. */
@Resolver()
export class TripTokenResolver {
  @Access('visitor')
  @Mutation(() => IssuedToken, {
    description: 'Issues a token for the trips of one vehicle on the pages of one origin.',
  })
  async issueTripToken(
    @Arg('client_id', () => Untyped, { nullable: true, description: "The app's client id." }) client_id: unknown,
    @Arg('client_secret', () => Untyped, { nullable: true, description: "The app's secret." }) client_secret: unknown,
    @Arg('sub', () => Untyped, { nullable: true, description: '`vehicle:<vehicle_key>`.' }) sub: unknown,
    @Arg('aud', () => Untyped, { nullable: true, description: 'Origin of the page, an https URL.' }) aud: unknown,
    @Arg('roles', () => Untyped, { nullable: true, description: `Exactly \`${TRIP_TOKEN_ROLES}\`.` }) roles: unknown,
    @Arg('scope', () => Untyped, {
      nullable: true,
      description: '`loc-past`, `loc-past-gte:<timestamp>` or `loc-past-lt:<timestamp>`.',
    })
    scope: unknown,
    @Ctx() { service, bearer, issuer }: TripTokenContext,
  ): Promise<IssuedToken> {
    const request: TripTokenRequest = { client_id, client_secret, sub, aud, roles, scope };
    for (const [code, message, applies] of MALFORMED) {
      if (applies(request, bearer)) throw new ServiceError(code, message);
    }
    if (typeof client_id !== 'string' || typeof client_secret !== 'string') throw invalidClient();
    const held = await findHeldTokenOfApp(service, hashSecret(bearer ?? ''), vehicleOf(String(sub)) ?? '');
    if (!isSecret(client_secret, await secretHashOf(service, client_id, held))) throw invalidClient();
    const grant = grantOf(service, held, client_id);
    if (grant === null) throw new ServiceError('UNAUTHENTICATED', 'Invalid token');
    return issuedTripToken(service, issuer, {
      sub: String(sub),
      aud: httpsOriginOf(aud) ?? '',
      scope: String(scope),
      client_id,
      grant,
    });
  }
}

/** Public keys that verify special-purpose tokens. */
@Resolver()
export class PublicKeyResolver {
  @Access('visitor')
  @Query(() => JsonWebKeySet, { description: 'The public keys with which special-purpose tokens are verified.' })
  publicKeySet(@Ctx() { service }: RequestContext): Promise<JsonWebKeySet> {
    return publicKeySet(service);
  }
}

/** Absent means missing, null or empty. Decisions: "Errors". */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** The origin of an https URL with a plain host, without user info, wildcards or white space; null for anything else. */
export function httpsOriginOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.includes('*') || !/^https:\/\//i.test(value)) return null;
  const url = parsePlainUrl(value);
  return url?.username === '' && url.password === '' && !value.slice(8).split(/[/?#]/, 1)[0]?.includes('@')
    ? url.origin
    : null;
}

function invalidClient(): ServiceError {
  return new ServiceError('UNAUTHENTICATED', 'Invalid client credentials');
}

/**
 * Hash of a client's secret: found with the access token if that is the client's, which saves a command. Otherwise the client
 * is looked up, whether it exists or not.
 */
async function secretHashOf(service: Service, clientId: string, held: HeldTokenOfApp | undefined): Promise<string> {
  const app =
    held?.grant.client_id === clientId
      ? held.grant.app
      : await AppStore.findOne(unrestricted(service), { client_id: clientId }, { secret_hash: 1 });
  return app?.secret_hash ?? NOBODYS_HASH;
}

/** Hash of the grant behind an access token of the app's that may see the vehicle's trips; null otherwise. */
function grantOf(service: Service, held: HeldTokenOfApp | undefined, clientId: string): string | null {
  const holder = holderOfToken(held);
  if (!held?.vehicle || !holder || !opensTrips(holder, clientId)) return null;
  return isAccessible(accessScopeOf({ service, caller: holder }), held.vehicle) ? holder.grant_hash : null;
}
