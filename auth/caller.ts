import type { AccountPlan } from '../models/account/account.ts';
import { type AccessScope, accountAccessScope } from '../models/store/tenancy.ts';
import type { SendingDevice } from '../models/vehicles/device-tail.ts';
import type { IngestAccount } from '../models/vehicles/ingest-key.ts';
import type { HidingZone } from '../models/vehicles/privacy-zone.ts';
import type { AccountRole } from '../schema/account/user.ts';
import { ServiceError } from '../schema/service-error.ts';
import { isScope, type Scope } from './scopes/scope.ts';
import type { TripScope } from './scopes/trip-scope.ts';
import type { Service } from '../models/store/service.ts';

/** An anonymous request. */
export interface Visitor {
  readonly kind: 'visitor';
}

/** The owner of an account, by API key. */
export interface Owner {
  readonly kind: 'owner';
  readonly account_key: string;
  readonly plan: AccountPlan;
  /** Key of the API key; absent where no request proved it. */
  readonly api_key?: string;
}

/** The command line, on the data of one account. */
export interface Operator {
  readonly kind: 'operator';
  readonly account_key: string;
}

/** A third-party app that acts for a user, by OAuth access token. */
export interface AppForUser {
  readonly kind: 'app';
  readonly account_key: string;
  readonly user_key: string;
  /** When its token expires, in ms since 1970. */
  readonly expires?: number;
  readonly client_id: string;
  readonly grant_hash: string;
  readonly scopes: ReadonlySet<string>;
  /** The user's: an app that acts for it may do no more than the user. */
  readonly role: AccountRole;
  /** Groups to which the user is restricted; null means unrestricted. */
  readonly group_keys: readonly string[] | null;
}

/** A user who is signed in, by the session of a browser: known at `{auth_url}/graphql`, to pages of that origin alone. */
export interface SignedInUser {
  readonly kind: 'user';
  readonly account_key: string;
  readonly user_key: string;
  readonly role: AccountRole;
  /** Groups to which the user is restricted; null means unrestricted. */
  readonly group_keys: readonly string[] | null;
  /** When the user last entered the password, in ms since 1970. */
  readonly signed_in: number;
  /** When the session expires, in ms since 1970. */
  readonly expires: number;
}

/** A map embedded in a page, by special-purpose token: one vehicle, one window. */
export interface Embed {
  readonly kind: 'embed';
  readonly account_key: string;
  /** The app that issued the token, and the grant that it came from. */
  readonly client_id: string;
  /** When its token expires, in ms since 1970. */
  readonly expires?: number;
  readonly grant_hash: string;
  readonly group_keys: readonly string[] | null;
  readonly vehicle_key: string;
  readonly scope: TripScope;
  /**
   * Names the state in which the vehicle's trips and the account's privacy zones were, or an earlier one: while it is the
   * same, so are the answers to the same questions with the same scope. Null if a zone hides whole trips: which of them
   * are seen is then told by positions that are not.
   */
  readonly trips_state: string | null;
  /** The account's privacy zones in that state, so that they are read once; absent if they have not been read. */
  readonly zones?: readonly HidingZone[];
}

/**
 * A viewer with the link of a share, by a token that the page of the link has: one vehicle or those of a group, from the creation
 * of the share on, or one trip.
 */
export interface ShareLink {
  readonly kind: 'share';
  readonly account_key: string;
  readonly share_key: string;
  /** The vehicles that it shows now: one, or those of the group. */
  readonly vehicle_keys: readonly string[];
  /** The group that is shared; null if a vehicle or a trip is. */
  readonly group_key: string | null;
  /** The one trip that is shared; null if all of the vehicles are. */
  readonly trip_key: string | null;
  readonly scope: TripScope;
  /** When the share ends, or its token expires before, in ms since 1970. */
  readonly expires: number;
}

/** A user of the developer website, by application password: known at `/wp-json`, and nowhere else. */
export interface WebsiteUser {
  readonly kind: 'website';
  readonly user_id: number;
  readonly login: string;
  readonly roles: readonly string[];
  /** Capabilities that the roles grant; `may` of `content/access/capabilities.ts` reads them. */
  readonly capabilities: ReadonlySet<string>;
}

/** A device, by its own key: it adds positions to itself. */
export interface DeviceItself extends IngestAccount {
  readonly kind: 'device';
  readonly account_key: string;
  readonly device_key: string;
  /** The device as it was when it was identified. */
  readonly device: SendingDevice;
}

/** A server that forwards for devices, by an account's forwarder key: it adds positions to devices named by serial. */
export interface Forwarder extends IngestAccount {
  readonly kind: 'forwarder';
  readonly account_key: string;
  /** True if unknown devices are created, each in a new vehicle. */
  readonly creates_devices: boolean;
}

/** Identity that a request has proved. */
export type Caller =
  | Visitor
  | Owner
  | Operator
  | AppForUser
  | SignedInUser
  | Embed
  | ShareLink
  | WebsiteUser
  | DeviceItself
  | Forwarder;

/** Everything that a request carries through the resolvers. */
export interface RequestContext {
  readonly service: Service;
  readonly caller: Caller;
  /** Identifies the caller again, for a request that waits; throws as for a new request. Absent if it cannot. */
  readonly identifyAgain?: () => Promise<Caller>;
  /** Absent if work is not limited. */
  readonly work?: WorkMeter | undefined;
  /** Returns true if the client has gone, so that what is read for it is no longer needed; absent if it never leaves. */
  readonly isClientGone?: () => boolean;
  /** Origin of the page that sent the request; absent if no page did. */
  readonly origin?: string | undefined;
  /** Called with what an operation has cost when it ends, in the unit of the limit of GraphQL operations. */
  readonly noteCost?: (cost: number) => void;
  /** Network that the request comes from, as `networkOf` names it, for the security log. */
  readonly network?: string;
  /** `{auth_url}`, the base of the pages that answers link to. */
  readonly issuer?: string;
  /** Of a stream. */
  readonly progress?: StreamProgress;
}

/** Progress of a stream: if it begins again, it continues from there. */
export class StreamProgress {
  /** Times of the newest positions, by vehicle, in ms since 1970. */
  readonly positions = new Map<string, number>();
  /** The `end_cursor` of the last changes; null before. */
  cursor: string | null = null;
  /** The `id` of the last event that the client has, if it connects again. */
  readonly lastEventId: string | null;

  constructor(lastEventId: string | null = null) {
    this.lastEventId = lastEventId;
  }
}

/**
 * A scope of an app, or one of: `owner` (no app), `embed` (a trip map, a share), `ingest` (a device or a
 * forwarder only), `visitor` (anyone). Together with others, `unrestricted` excludes users who are restricted to groups,
 * `driver` admits users who are drivers, whom nothing else does, `drivers-only` admits these and excludes other users, and
 * `recent-sign-in` requires a signed-in user to have entered the password within {@link RECENT_SIGN_IN_MS}.
 */
export type Permission =
  | Scope
  | 'owner'
  | 'embed'
  | 'ingest'
  | 'visitor'
  | 'unrestricted'
  | 'driver'
  | 'drivers-only'
  | 'recent-sign-in';

/** Time after which a signed-in user must enter the password again for what is dangerous, in milliseconds. */
export const RECENT_SIGN_IN_MS = 15 * 60_000;

/** The error of what needs credentials, for a visitor. */
export function credentialsRequired(): ServiceError {
  return new ServiceError('UNAUTHENTICATED', 'Credentials are required');
}

/** Returns the access scope of a caller. */
export function accessScopeOf({ service, caller }: Pick<RequestContext, 'service' | 'caller'>): AccessScope {
  switch (caller.kind) {
    case 'visitor':
      throw credentialsRequired();
    case 'owner':
    case 'operator':
    case 'device':
    case 'forwarder':
      return accountAccessScope(service, caller.account_key);
    case 'app':
    case 'user':
      return {
        service,
        account_key: caller.account_key,
        group_keys: caller.group_keys,
        ...(caller.role === 'driver' && { driver_key: caller.user_key }),
      };
    case 'embed':
      return { service, account_key: caller.account_key, group_keys: caller.group_keys };
    case 'share':
      return {
        ...accountAccessScope(service, caller.account_key),
        ...(caller.group_key !== null && { group_keys: [caller.group_key] }),
        vehicle_keys: caller.vehicle_keys,
        ...(caller.trip_key !== null && { trip_key: caller.trip_key }),
      };
    case 'website':
      throw new ServiceError('FORBIDDEN', 'Users of the website cannot see accounts');
  }
}

/**
 * Requires one of the permissions.
 *
 * @throws ServiceError UNAUTHENTICATED for a visitor, REAUTHENTICATION_REQUIRED for a user who signed in too long ago, else
 * FORBIDDEN
 */
export function demand(caller: Caller, permissions: readonly Permission[]): void {
  if (permissions.includes('visitor')) return;
  if (isPermitted(caller, permissions)) {
    if (caller.kind === 'user' && permissions.includes('recent-sign-in')) demandRecent(caller);
    return;
  }
  throw caller.kind === 'visitor'
    ? credentialsRequired()
    : new ServiceError('FORBIDDEN', 'These credentials do not allow this', missingScope(caller, permissions));
}

function demandRecent({ signed_in }: SignedInUser): void {
  if (Date.now() - signed_in <= RECENT_SIGN_IN_MS) return;
  throw new ServiceError('REAUTHENTICATION_REQUIRED', 'Sign in again: this needs a password entered within 15 minutes');
}

/** The scope with which an app would hold one of the permissions; undefined if it lacks something else, too. */
function missingScope(caller: Caller, permissions: readonly Permission[]): Scope | undefined {
  if (caller.kind !== 'app') return undefined;
  const withScope = (scope: Scope) => ({ ...caller, scopes: new Set([...caller.scopes, scope]) });
  return permissions.filter(isScope).find((scope) => isPermitted(withScope(scope), permissions));
}

/** Returns true if a caller holds one of the permissions. Specification: "Authentication"; decisions: "Who may do what". */
export function isPermitted(caller: Caller, permissions: readonly Permission[]): boolean {
  switch (caller.kind) {
    case 'visitor':
    case 'website':
      return false;
    case 'owner':
      return caller.plan === 'premium' && !permissions.includes('ingest');
    case 'operator':
      return !permissions.includes('ingest');
    case 'app':
      return isPermittedUser(caller, permissions, (permission) => caller.scopes.has(permission));
    case 'user':
      return actsAsOwner(caller) ? !permissions.includes('ingest') : isPermittedUser(caller, permissions, isScope);
    case 'embed':
    case 'share':
      return permissions.includes('embed');
    case 'device':
    case 'forwarder':
      return permissions.includes('ingest');
  }
}

/** Returns true if a caller may do what the owner of the account may: an API key, the operator, an unrestricted administrator. */
export function actsAsOwner(caller: Caller): caller is Owner | Operator | SignedInUser {
  if (caller.kind === 'user') return caller.role === 'administrator' && caller.group_keys === null;
  return caller.kind === 'owner' || caller.kind === 'operator';
}

function isPermittedUser(
  { role, group_keys }: AppForUser | SignedInUser,
  permissions: readonly Permission[],
  holds: (permission: Permission) => boolean,
): boolean {
  return (
    permissions.some((permission) => holds(permission) && isWithinRole(role, permission)) &&
    isForRole(role, permissions) &&
    (group_keys === null || !permissions.includes('unrestricted'))
  );
}

/** Returns true if a caller sees the trips of its vehicles alone: a map with a token of an app, or of a share. */
export function isTripMap(caller: Caller): caller is Embed | ShareLink {
  return caller.kind === 'embed' || caller.kind === 'share';
}

/** Keys of the vehicles whose trips a trip map sees. */
export function vehicleKeysOf(map: Embed | ShareLink): readonly string[] {
  return map.kind === 'share' ? map.vehicle_keys : [map.vehicle_key];
}

function isForRole(role: AccountRole, permissions: readonly Permission[]): boolean {
  if (role !== 'driver') return !permissions.includes('drivers-only');
  return permissions.includes('driver') || permissions.includes('drivers-only');
}

/** Returns true if a user may make use of a scope: only administrators change anything. Fleet API: "Records", User. */
function isWithinRole(role: AccountRole, scope: Permission): boolean {
  return role === 'administrator' || !scope.endsWith('.manage');
}

/** Meter of the work that one request costs, in positions that are read, and again if they are simplified. */
export interface WorkMeter {
  /**
   * Rejects a caller whose budget is used up.
   *
   * @throws ServiceError TOO_MANY_REQUESTS
   */
  demand(): Promise<void>;
  /**
   * Charges work in advance.
   *
   * @throws ServiceError TOO_MANY_REQUESTS if the budget has been used up meanwhile
   */
  charge(points: number): Promise<void>;
}
