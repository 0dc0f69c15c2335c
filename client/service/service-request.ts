import type { Credentials } from './credentials.ts';
import { RequestError } from './request-error.ts';

/** A service, and the credentials with which it is asked. */
export interface ServiceAccess {
  /** Address of the service, such as `https://fleet.example.com`. */
  readonly url: string;
  readonly credentials: Credentials;
  /** Sends requests in place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** A result of GraphQL. */
export interface Result<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

/** Time after which a request counts as lost; the service waits for at most 30 seconds. */
const TIMEOUT_MS = 60_000;

/**
 * Executes an operation of GraphQL.
 *
 * @throws RequestError if the service cannot be reached, or the result has an error
 */
export async function ask<Data>(
  service: ServiceAccess,
  query: string,
  variables: object = {},
  signal?: AbortSignal,
): Promise<Data> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  const response = await send(service, query, variables, signal ? AbortSignal.any([signal, limit]) : limit);
  const result = await resultOf<Data>(response);
  const failure = errorOf(result, response);
  if (failure || !result?.data) throw failure ?? new RequestError('The service sent no data', { status: 0 });
  return result.data;
}

/**
 * Sends an operation, and once more if the service rejects the credentials and there are others.
 *
 * @throws RequestError if the service cannot be reached
 */
export async function send(
  { url, credentials, fetch = globalThis.fetch }: ServiceAccess,
  query: string,
  variables: object,
  signal: AbortSignal,
  accept = 'application/json',
): Promise<Response> {
  const body = JSON.stringify({ query, variables });
  for (let isRenewed = false; ; isRenewed = true) {
    const identity = await credentials.headers();
    const headers = { ...identity, 'content-type': 'application/json', accept };
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body, signal }).catch((cause) => {
      throw new RequestError('The service could not be reached', { status: 0, cause });
    });
    if (response.status !== 401 || isRenewed || !credentials.renew) return response;
    await response.body?.cancel();
    await credentials.renew(identity);
  }
}

/** Reads a response; null if it is not JSON, as that of a proxy. */
export async function resultOf<Data>(response: Response): Promise<Result<Data> | null> {
  try {
    return (await response.json()) as Result<Data>;
  } catch (cause) {
    if (response.ok) throw new RequestError('The response was cut off', { status: 0, cause });
    return null;
  }
}

/** Returns the error of a result or a status; null if there is none. */
export function errorOf(result: Result<unknown> | null, { status, ok, headers }: Response): RequestError | null {
  const [error] = result?.errors ?? [];
  if (ok && !error) return null;
  const retryAfter = Number(headers.get('retry-after') ?? 0) * 1000 || 0;
  const message = error?.message ?? `The service answered with status ${status}`;
  return new RequestError(message, { status, code: error?.extensions?.code, retryAfter });
}
