import { ApiError, AuthError } from './load-failure.ts';

/** An answer of the service as GraphQL has it. */
export interface ServiceAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message?: string; readonly extensions?: { readonly code?: string } }[];
}

/** An operation with its variables. */
export interface ServiceOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Address of the GraphQL endpoint, and the special-purpose token with which it is asked. */
export interface ServiceAccess {
  readonly serviceUrl: string;
  readonly token: string;
}

/**
 * Sends an operation; its answer may be a stream, if `accept` is `text/event-stream`.
 *
 * @throws ApiError if the service cannot be reached
 */
export async function sendOperation(
  { serviceUrl, token }: ServiceAccess,
  operation: ServiceOperation,
  signal: AbortSignal,
  accept = 'application/json',
): Promise<Response> {
  try {
    return await fetch(serviceUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept },
      body: JSON.stringify(operation),
      credentials: 'omit',
      signal,
    });
  } catch (cause) {
    throw new ApiError('The service could not be reached', { cause });
  }
}

/**
 * Sends an operation and reads its answer.
 *
 * @throws AuthError if the token is rejected, ApiError for any other failure
 */
export async function askService<Data>(
  access: ServiceAccess,
  operation: ServiceOperation,
  signal: AbortSignal,
): Promise<Data | null | undefined> {
  const response = await sendOperation(access, operation, signal);
  const answer = (await response.json().catch(() => null)) as ServiceAnswer<Data> | null;
  throwFault(answer, response);
  return answer?.data;
}

/**
 * Throws the error that an answer reports.
 *
 * @throws AuthError if the token is rejected, ApiError for any other failure
 */
export function throwFault(
  answer: ServiceAnswer<unknown> | null,
  { status, ok }: Pick<Response, 'status' | 'ok'>,
): void {
  const fault = answer?.errors?.[0];
  const code = fault?.extensions?.code;
  if (status === 401 || status === 403 || code === 'UNAUTHENTICATED' || code === 'FORBIDDEN') {
    throw new AuthError(fault?.message ?? 'The service rejected the token');
  }
  if (fault || !ok) throw new ApiError(fault?.message ?? `The service answered with status ${status}`);
}
