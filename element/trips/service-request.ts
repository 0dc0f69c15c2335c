import { ApiError, AuthError } from './load-failure.ts';
import { SESSION } from './service-token.ts';
import { type TokenFault, tokenFault } from './token-fault.ts';

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

/** Address of the GraphQL endpoint, and the special-purpose token with which it is asked; null for what needs none. */
export interface ServiceAccess {
  readonly serviceUrl: string;
  readonly token: string | null;
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
  const policy = watchPolicy();
  try {
    return await fetch(serviceUrl, {
      method: 'POST',
      headers: {
        ...(token !== null && token !== SESSION && { authorization: `Bearer ${token}` }),
        ...{ 'content-type': 'application/json', accept },
      },
      body: JSON.stringify(operation),
      credentials: token === SESSION ? 'same-origin' : 'omit',
      signal,
    });
  } catch (cause) {
    throw new ApiError(await policy.reasonFor(serviceUrl), { cause });
  } finally {
    policy.end();
  }
}

/** Watches violations of the page's policy, to explain failed requests. */
function watchPolicy() {
  const blocked: SecurityPolicyViolationEvent[] = [];
  const note = (event: SecurityPolicyViolationEvent): void => {
    blocked.push(event);
  };
  document.addEventListener('securitypolicyviolation', note);
  return {
    async reasonFor(serviceUrl: string): Promise<string> {
      // The event comes in a separate task.
      await new Promise((resolve) => setTimeout(resolve));
      const { origin, protocol } = new URL(serviceUrl, location.href);
      const violation = blocked.find(({ blockedURI }) => blockedURI.startsWith(origin));
      if (violation) {
        return `The page's Content-Security-Policy blocks the service: allow \`${violation.effectiveDirective} ${origin}\``;
      }
      if (protocol === 'http:' && location.protocol === 'https:') {
        return `A page loaded over https cannot use a service over http: ${origin}`;
      }
      return 'The service could not be reached';
    },
    end: () => document.removeEventListener('securitypolicyviolation', note),
  };
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
  const { vehicle_key } = operation.variables;
  const { token } = access;
  const look = () => (token === null ? null : tokenFault(token, String(vehicle_key), location.origin));
  throwFault(answer, response, look);
  return answer?.data;
}

/**
 * Throws the error that an answer reports; `look` finds what is wrong with the token as far as the page can tell.
 *
 * @throws AuthError if the token is rejected, ApiError for any other failure
 */
export function throwFault(
  answer: ServiceAnswer<unknown> | null,
  { status, ok }: Pick<Response, 'status' | 'ok'>,
  look: () => TokenFault | null = () => null,
): void {
  const fault = answer?.errors?.[0];
  const code = fault?.extensions?.code;
  const isForbidden = status === 403 || code === 'FORBIDDEN';
  if (status === 401 || code === 'UNAUTHENTICATED' || isForbidden) {
    const message = fault?.message ?? 'The service rejected the token';
    const seen = look();
    throw new AuthError(seen ? `${message}: ${seen.reason}` : message, {
      signInHelps: seen?.signInHelps ?? !isForbidden,
    });
  }
  if (!fault && ok) return;
  const isRequest = code === 'BAD_REQUEST' || code === 'NOT_FOUND' || status === 400 || status === 404;
  const message = fault?.message ?? `The service answered with status ${status}`;
  throw new ApiError(isRequest ? withAttributes(message) : message, { retryHelps: !isRequest });
}

/** Names parameters of the service by the attributes from which they come: `started-after` for `started_after`. */
function withAttributes(message: string): string {
  return message.replace(/\b(vehicle|trip|started)_(key|after|before)\b/g, '$1-$2');
}
