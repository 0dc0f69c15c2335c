import { createGrant, issueAccessToken } from '../../auth/grants.ts';
import { hashSecret, newSecret } from '../../auth/secrets/secrets.ts';
import { parseTripScope } from '../../auth/scopes/trip-scope.ts';
import { issuedTripToken } from '../../auth/trip-token.ts';
import { AccountStore } from '../../models/account/account.ts';
import { AppStore } from '../../models/account/app.ts';
import { insertIfAbsent } from '../../models/store/duplicate-key.ts';
import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { accountAccessScope, unrestricted } from '../../models/store/tenancy.ts';
import { UserStore } from '../../models/account/user.ts';
import type { IssuedToken } from '../../schema/account/issued-token.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { checkScopes } from '../apps/register-app.ts';
import { anyRecord } from '../../models/lookup/any-record.ts';
import { unknownKey } from '../../models/lookup/unknown-key.ts';
import { httpsOriginOf } from './trip-token-resolver.ts';
import type { Service } from '../../models/store/service.ts';

/** Request of the operator for a special-purpose token. */
export interface TrialTokenRequest {
  readonly vehicle: string;
  readonly origin: string;
  /** One of the allowed scope forms. */
  readonly scope: string;
  /** Issuer, `{auth_url}`. */
  readonly issuer: string;
}

const APP_NAME = 'Waybridge command line';
const SCOPES = ['account_activity.read'];

/**
 * Issues a special-purpose token for trying out, as the account's owner would get it from an app: each account has one
 * app of this name, and one grant of the owner to it, whose revocation ends all such tokens.
 */
export async function issueTrialToken(service: Service, request: TrialTokenRequest): Promise<IssuedToken> {
  const aud = httpsOriginOf(request.origin);
  if (aud === null) throw new ServiceError('BAD_REQUEST', 'Invalid aud: origin must be an https URL');
  if (parseTripScope(request.scope) === null) {
    throw new ServiceError(
      'BAD_REQUEST',
      'Invalid scope: it must be loc-past, loc-past-gte:<timestamp> or loc-past-lt:<timestamp>',
    );
  }
  const vehicle = await anyRecord(service, 'vehicle', request.vehicle);
  const client_id = await findOrRegisterApp(service, vehicle.account_key);
  const grant = await findOrCreateGrant(service, await activeOwner(service, vehicle.account_key), client_id);
  return issuedTripToken(service, request.issuer, {
    sub: `vehicle:${vehicle.key}`,
    aud,
    scope: request.scope,
    client_id,
    grant,
  });
}

/** The client id follows from the account, so that two at once make one app. Its secret is unknown to everyone. */
async function findOrRegisterApp(service: Service, accountKey: string): Promise<string> {
  const client_id = `command-line-${accountKey}`;
  const accessScope = accountAccessScope(service, accountKey);
  if ((await AppStore.countDocuments(accessScope, { client_id })) > 0) return client_id;
  const app = { client_id, name: APP_NAME, redirect_uris: [], scopes: SCOPES, account_key: accountKey };
  const secret_hash = hashSecret(newSecret(''));
  await insertIfAbsent(() => AppStore.create(accessScope, { ...app, created: new Date(), secret_hash }));
  return client_id;
}

async function findOrCreateGrant(service: Service, user_key: string, client_id: string): Promise<string> {
  const found = await OauthRecordStore.findOne(service, { kind: 'Grant', client_id, user_key });
  return (found ?? (await createGrant(service, { user_key, client_id, scopes: SCOPES }))).id_hash;
}

async function activeOwner(service: Service, accountKey: string): Promise<string> {
  const accessScope = accountAccessScope(service, accountKey);
  const account = await AccountStore.findOne(accessScope, {}, { owner_key: 1 });
  const owner = await UserStore.findOne(accessScope, { key: account?.owner_key ?? '' }, 'disabled key');
  if (!owner || owner.disabled) {
    throw new ServiceError(
      'BAD_REQUEST',
      'vehicle belongs to an account whose owner is disabled, so a token would not be valid',
    );
  }
  return owner.key;
}

/** Issues an OAuth access token as though the user had granted it; for development only. */
export async function issueTrialAccessToken(
  service: Service,
  request: { app: string; user: string; scopes?: readonly string[] },
): Promise<string> {
  const app = await AppStore.findOne(unrestricted(service), { client_id: request.app });
  if (!app) throw unknownKey('app', 'an app (its client_id)', request.app);
  const user = await UserStore.findOne(unrestricted(service), { key: request.user }, 'key disabled');
  if (!user) throw unknownKey('user', 'a user', request.user);
  if (user.disabled) throw new ServiceError('BAD_REQUEST', 'user is disabled, so a token would not be valid');
  const scopes = checkScopes(request.scopes ?? app.scopes);
  for (const scope of scopes) {
    if (!app.scopes.includes(scope)) {
      throw new ServiceError('BAD_REQUEST', `scope ${scope} has not been approved for the app; approve it first`);
    }
  }
  return issueAccessToken(
    service,
    await createGrant(service, { user_key: user.key, client_id: app.client_id, scopes }),
  );
}
