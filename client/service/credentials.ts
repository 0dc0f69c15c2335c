import { RequestError } from './request-error.ts';

/** Headers by name. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** Identity of the caller for the service. */
export interface Credentials {
  /** Headers of the next request. */
  headers(): Promise<RequestHeaders>;
  /** Replaces credentials that the service rejected, if there are others; the request is then sent once more. */
  renew?(rejected: RequestHeaders): Promise<void>;
}

/** Credentials of an API key, for programs of the account's owner; browsers cannot send it from pages of other origins. */
export function apiKey(key: string): Credentials {
  return { headers: async () => ({ 'service-api-key': key }) };
}

/**
 * Credentials of a bearer token: an access token, or a function that returns one, which is called for the first request and
 * when the service has rejected the token. Calls for the same purpose are made once.
 */
export function bearer(token: string | (() => Promise<string>)): Credentials {
  if (typeof token === 'string') return { headers: async () => headerOf(token) };
  let current: Promise<RequestHeaders> | null = null;
  const headers = () => {
    current ??= token()
      .then(headerOf)
      .catch((cause: unknown) => {
        current = null;
        throw new RequestError('The function returned no token', { status: 0, cause });
      });
    return current;
  };
  return {
    headers,
    renew: async ({ authorization }) => {
      if ((await current)?.authorization === authorization) current = null;
      await headers();
    },
  };
}

/** Header of a bearer token (RFC 6750, section 2.1). */
export function headerOf(token: string): RequestHeaders & { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}
