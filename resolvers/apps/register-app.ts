import { DEFAULT_SCOPES, isScope, SCOPES, type Scope } from '../../auth/scopes/scope.ts';
import { hashSecret, newSecret } from '../../auth/secrets/secrets.ts';
import { type Actor, OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';
import { AppStore } from '../../models/account/app.ts';
import { AppRegistrationCountStore } from '../../models/account/app-registration-count.ts';
import { isDuplicateKey } from '../../models/store/duplicate-key.ts';
import { newKey } from '../../models/key.ts';
import type { AppCredentials } from '../../schema/account/app.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { checkAppName } from './check-app-name.ts';
import { checkRedirectUris } from './check-redirect-uri.ts';
import { existingAccountScope } from '../input/any-record.ts';
import type { Service } from '../../models/store/service.ts';
import { unrestricted } from '../../models/store/tenancy.ts';

/** A new app, as its developer or the operator describes it. */
interface AppRequest {
  readonly account: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** The default and the ceiling of what it may be granted; read only unless given. */
  readonly scopes?: readonly string[] | undefined;
  /** It runs where no secret can be kept, so it gets none and must use PKCE (RFC 6749, section 2.1). */
  readonly isPublic?: boolean;
  /** True where an app with a secret must use PKCE as well (RFC 9700, section 2.1.1); the default. */
  readonly requiresPkce?: boolean;
  /** The user who registers it on the developer platform. */
  readonly registeredBy?: string;
  /** Whoever registers it, for the security log; the operator unless given. */
  readonly actor?: Actor;
  /** True where the operator registers it, and has thereby reviewed it. */
  readonly isReviewed?: boolean;
}

/** Registers a third-party application with an account. This is the only time that its secret is seen. */
export async function registerApp(service: Service, request: AppRequest): Promise<AppCredentials> {
  const name = checkAppName(request.name);
  const redirect_uris = checkRedirectUris(request.redirectUris, request.isPublic === true);
  const scopes = checkScopes(request.scopes ?? DEFAULT_SCOPES);
  const { account_key } = await existingAccountScope(service, request.account);
  const client_id = newKey();
  const client_secret = request.isPublic === true ? null : newSecret('wb_secret_');
  const created = new Date();
  await AppStore.create(unrestricted(service), {
    client_id,
    name,
    redirect_uris,
    scopes,
    created,
    reviewed: request.isReviewed === true ? created : null,
    account_key,
    secret_hash: client_secret && hashSecret(client_secret),
    registered_by: request.registeredBy ?? null,
    pkce: request.requiresPkce ?? true,
  });
  const { actor = OPERATOR } = request;
  await recordSecurityEvent(service, { kind: 'app_registered', actor, account_key, subject: client_id });
  return { client_id, client_secret };
}

/**
 * Checks names of scopes, and drops repetitions.
 *
 * @throws ServiceError BAD_REQUEST naming the first unknown `scope`
 */
export function checkScopes(scopes: readonly string[]): Scope[] {
  return [...new Set(scopes)].map((scope) => {
    if (isScope(scope)) return scope;
    throw new ServiceError(
      'BAD_REQUEST',
      `scope ${JSON.stringify(scope)} is unknown; the scopes are ${Object.keys(SCOPES).join(', ')}`,
    );
  });
}

/** Maximum apps that an account may try to register in an hour of the clock. */
const MAX_REGISTRATIONS = 30;

const HOUR_MS = 3_600_000;

/**
 * Registers an app for an account's own people, who are limited, unlike the operator.
 * @throws ServiceError TOO_MANY_REQUESTS after {@link MAX_REGISTRATIONS} in an hour; BAD_REQUEST naming the parameter
 */
export async function registerOwnApp(
  service: Service,
  request: AppRequest,
  now: Date = new Date(),
): Promise<AppCredentials> {
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  if ((await countRegistration(service, request.account, hour)) > MAX_REGISTRATIONS) {
    const minutes = Math.ceil((hour.getTime() + HOUR_MS - now.getTime()) / 60_000);
    throw new ServiceError(
      'TOO_MANY_REQUESTS',
      `At most ${MAX_REGISTRATIONS} apps can be registered in an hour; try again in ${minutes} minutes`,
    );
  }
  return registerApp(service, request);
}

/** Counts a registration before it is looked at, so that many at once are counted as well. */
async function countRegistration(service: Service, account_key: string, hour: Date): Promise<number> {
  const counted = { $inc: { count: 1 }, $setOnInsert: { expires_at: new Date(hour.getTime() + 2 * HOUR_MS) } };
  for (;;) {
    try {
      const options = { upsert: true, returnDocument: 'after' } as const;
      const found = await AppRegistrationCountStore.findOneAndUpdate(service, { account_key, hour }, counted, options);
      return found?.count ?? 1;
    } catch (error) {
      // Of two who insert at once, the other was quicker.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
