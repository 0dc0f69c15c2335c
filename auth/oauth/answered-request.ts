import { AppStore } from '../../models/account/app.ts';
import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { flowSource } from './flow-cookies.ts';
import { OAUTH_PATHS } from './oauth-paths.ts';
import { derivedToken } from './storage/derived-tokens.ts';
import { findRecord, identityOf } from './storage/hashed-record.ts';
import type { Service } from '../../models/store/service.ts';

/** A request that its user has just answered. */
export interface AnsweredRequest {
  /** Name of the app. */
  readonly app: string;
  /** Address to which the browser goes again; null if the app has already redeemed the code. */
  readonly url: string | null;
}

/** Members of a stored request that its answer depends on. */
interface AnsweredDetails {
  readonly params: Readonly<Record<string, string>>;
  readonly result?: { readonly error?: string; readonly error_description?: string };
}

/**
 * Finds the answer to a request whose page is sent or shown again, while its code lives: the same code for the same address,
 * which is derived from the browser's cookie rather than stored. A request that was answered without a code, by a sign-in that
 * led to the next question or on a server that was killed, begins again.
 *
 * @param issuer `{auth_url}`
 * @returns null if the request is not answered, or has expired, or came from another browser
 */
export async function findAnswer(
  service: Service,
  issuer: string,
  uid: string,
  cookies: string | undefined,
): Promise<AnsweredRequest | null> {
  const source = flowSource(cookies, uid);
  if (source === null) return null;
  const answered = { ...identityOf('Interaction', uid), consumed: { $ne: null }, expires_at: { $gt: new Date() } };
  const request = await OauthRecordStore.findOne(service, answered);
  if (!request?.details) return null;
  const { params, result } = JSON.parse(request.details) as AnsweredDetails;
  const { client_id = '', redirect_uri = '', state } = params;
  const app = await AppStore.findOne(unrestricted(service), { client_id }, { name: 1 });
  if (!app) return null;
  const to = (answer: Readonly<Record<string, string | undefined>>) => ({
    app: app.name,
    url: withParameters(redirect_uri, { ...answer, state, iss: issuer }),
  });
  if (result?.error !== undefined) return to({ error: result.error, error_description: result.error_description });
  const code = derivedToken(source, 'AuthorizationCode');
  const issued = await findRecord(service, 'AuthorizationCode', code);
  if (!issued) return { app: app.name, url: withParameters(`${issuer}${OAUTH_PATHS.authorization}`, params) };
  return issued.consumed ? { app: app.name, url: null } : to({ code });
}

/** An address with further parameters in its query. */
function withParameters(address: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}
