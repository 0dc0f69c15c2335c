import { DEFAULT_SCOPES, isScope, type Scope, SCOPES } from '../../auth/scopes/scope.ts';
import { hashSecret, newSecret } from '../../auth/secrets/secrets.ts';
import { type Actor, OPERATOR, recordSecurityEvent } from '../../auth/security-events.ts';
import { AppStore } from '../../models/account/app.ts';
import { AppRegistrationCountStore } from '../../models/account/app-registration-count.ts';
import { isDuplicateKey } from '../../models/store/duplicate-key.ts';
import { newKey } from '../../models/key.ts';
import type { AppCredentials } from '../../schema/account/app.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { existingAccountScope } from '../../models/lookup/any-record.ts';
import type { Service } from '../../models/store/service.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { checkName } from '../../schema/check-name.ts';
import { parseUrl } from '../../schema/parse-url.ts';
import { parsePlainUrl } from '../../schema/plain-url.ts';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

const MAX_REDIRECT_URIS = 20;
/** Maximum length of a redirect address, in characters. */
const MAX_REDIRECT_URI_LENGTH = 2000;

/** A domain in reverse as a scheme, followed by a path without an authority (RFC 8252, section 7.1). */
const PRIVATE_USE = /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+:\/(?!\/)/;

/**
 * Checks the addresses to which a browser may be sent after sign-in: https, or http on this machine (for development,
 * and for native apps), or for a public app a private-use scheme such as `com.example.app:/callback`. None has an
 * encoded host, user info, fragment (RFC 6749, section 3.1.2), wildcard or white space.
 * @returns the addresses as given, without repetitions, since requests must repeat them exactly (RFC 9700, section
 * 4.1.3); only the port of a native app's loopback address may differ (RFC 8252, section 7.3)
 * @throws ServiceError BAD_REQUEST naming `redirect_uris`
 */
export function checkRedirectUris(given: readonly string[], isPublic: boolean): string[] {
  const uris = [...new Set(given)];
  if (uris.length === 0) throw new ServiceError('BAD_REQUEST', 'redirect_uris must have at least one address');
  if (uris.length > MAX_REDIRECT_URIS) {
    throw new ServiceError('BAD_REQUEST', `redirect_uris must have at most ${MAX_REDIRECT_URIS} addresses`);
  }
  for (const uri of uris) checkRedirectUri(uri, isPublic);
  return uris;
}

function checkRedirectUri(text: string, isPublic: boolean): void {
  if (text.length > MAX_REDIRECT_URI_LENGTH) {
    throw new ServiceError(
      'BAD_REQUEST',
      `redirect_uris must be addresses of at most ${MAX_REDIRECT_URI_LENGTH} characters`,
    );
  }
  const isPrivateUse = isPublic && PRIVATE_USE.test(text);
  const parse = isPrivateUse ? parseUrl : parsePlainUrl;
  const url = /^[\x21-\x7e]+$/.test(text) ? parse(text) : null;
  const isSafe =
    isPrivateUse || url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname));
  if (!url || !isSafe || /[#*\\]/.test(text) || url.username !== '' || url.password !== '') {
    throw new ServiceError(
      'BAD_REQUEST',
      'redirect_uris must be https URLs without a fragment or wildcard, or http ones on localhost; a public app may also use a private scheme such as com.example.app:/callback',
    );
  }
  if (isPublic && url.protocol === 'https:' && LOOPBACK_HOSTS.includes(url.hostname)) {
    throw new ServiceError('BAD_REQUEST', 'redirect_uris of a public app on this machine must be http, not https');
  }
}

/** The service's name, which no app may have in its own. */
const SERVICE_NAME = 'waybridge';

/** Characters that are not seen, or that change how others are shown: control, format, bidi, private use, separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Scripts whose letters are taken for each other's, so that no word may mix them (Unicode TR 39, section 5.2). */
const LOOKALIKE_SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);

/** Letters and digits that pass for a Latin letter of the service's name (Unicode TR 39, `confusables.txt`). */
const LOOKALIKES: Readonly<Record<string, readonly string[]>> = {
  a: ['4', '@', 'а', 'α', 'ɑ'],
  b: ['8', 'ь', 'ƅ', 'Ꮟ', 'в', 'β'],
  d: ['ԁ', 'ɗ', 'Ꮷ'],
  e: ['3', 'е', 'ҽ', 'ε', 'є'],
  g: ['9', '6', 'ɡ', 'ց', 'ԍ'],
  i: ['1', 'l', '!', '|', 'і', 'ı', 'ι', 'ɩ', 'ӏ'],
  r: ['г', 'ᴦ', 'ꭇ'],
  w: ['ԝ', 'ѡ', 'ω', 'ա', 'ɯ', 'ш', 'vv'],
  y: ['у', 'ү', 'γ', 'ʏ', 'ყ'],
};

/**
 * Checks and trims the name of an app, which people see who are asked for access: one line of visible characters that
 * cannot pass for the service's own.
 *
 * @throws ServiceError BAD_REQUEST naming `name`
 */
export function checkAppName(text: string): string {
  if (INVISIBLE.test(text.trim())) {
    throw new ServiceError('BAD_REQUEST', 'name must not have control, format or other invisible characters');
  }
  const name = checkName('name', text);
  for (const [word] of name.normalize('NFKC').matchAll(WORD)) {
    if (LOOKALIKE_SCRIPTS.filter((script) => script.test(word)).length > 1) {
      throw new ServiceError('BAD_REQUEST', `name must not mix alphabets in one word: ${word}`);
    }
  }
  if (skeletonOf(name).includes(SERVICE_NAME)) {
    throw new ServiceError('BAD_REQUEST', 'name must not look like the name of this service');
  }
  return name;
}

/** The Latin letters that a text looks like, without marks, spaces and punctuation. */
function skeletonOf(text: string): string {
  let skeleton = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  for (const [letter, lookalikes] of Object.entries(LOOKALIKES)) {
    for (const lookalike of lookalikes) skeleton = skeleton.replaceAll(lookalike, letter);
  }
  return skeleton.replace(/[^a-z]/g, '');
}

/** A new app, as its developer or the operator describes it. */
interface AppRequest {
  readonly account: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** The default and the ceiling of what it may be granted; read only unless given. */
  readonly scopes?: readonly string[] | undefined;
  /** It runs where no secret can be kept, so it gets none and must use PKCE (RFC 6749, section 2.1). */
  readonly isPublic?: boolean;
  /** True if an app with a secret must use PKCE as well (RFC 9700, section 2.1.1); the default. */
  readonly requiresPkce?: boolean;
  /** The user who registers it on the developer platform. */
  readonly registeredBy?: string;
  /** The party that registers it, for the security log; the operator unless given. */
  readonly actor?: Actor;
  /** True if the operator registers it, and has thereby reviewed it. */
  readonly isReviewed?: boolean;
}

/** Registers a third-party application with an account. This is the only time that its secret is seen. */
export async function registerApp(service: Service, request: AppRequest): Promise<AppCredentials> {
  const name = checkAppName(request.name);
  const redirect_uris = checkRedirectUris(request.redirectUris, request.isPublic === true);
  const scopes = checkScopes(request.scopes ?? DEFAULT_SCOPES);
  const { account_key } = await existingAccountScope(service, request.account);
  const client_id = newKey();
  const secret = request.isPublic === true ? null : newSecret('wb_secret_');
  const created = new Date();
  await AppStore.create(unrestricted(service), {
    client_id,
    name,
    redirect_uris,
    scopes,
    created,
    reviewed: request.isReviewed === true ? created : null,
    account_key,
    secret_hash: secret && hashSecret(secret),
    registered_by: request.registeredBy ?? null,
    pkce: request.requiresPkce ?? true,
  });
  const { actor = OPERATOR } = request;
  await recordSecurityEvent(service, { kind: 'app_registered', actor, account_key, subject: client_id });
  return { client_id, secret };
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
export async function registerOwnApp(service: Service, request: AppRequest): Promise<AppCredentials> {
  const now = Date.now();
  const hour = new Date(Math.floor(now / HOUR_MS) * HOUR_MS);
  if ((await countRegistration(service, request.account, hour)) > MAX_REGISTRATIONS) {
    const minutes = Math.ceil((hour.getTime() + HOUR_MS - now) / 60_000);
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
