import { pageData } from './page-data.ts';
import { t } from './texts.ts';

/** A GraphQL operation. */
export interface Operation<Variables extends object = Record<string, never>, Data = unknown> {
  readonly query: string;
  /** Types of the variables and of the answer; nothing has this member. */
  readonly types?: [Variables, Data];
}

/** Declares an operation with the types of its answer and its variables. */
export function operation<Data, Variables extends object = Record<string, never>>(
  query: string,
): Operation<Variables, Data> {
  return { query };
}

/** A request that a page has made. */
export interface ShownRequest {
  readonly query: string;
  readonly variables: object;
}

/** Event of {@link shownRequests} when there is a new one. */
export const REQUEST_EVENT = 'request';

/** The latest request of the page. */
class ShownRequests extends EventTarget {
  latest: ShownRequest | null = null;

  note(request: ShownRequest): void {
    this.latest = request;
    this.dispatchEvent(new Event(REQUEST_EVENT));
  }
}

/** The requests of the page that {@link ask} has sent. */
export const shownRequests = new ShownRequests();

/** Failure of a request, with a message for the user. */
export class AskError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

/**
 * Sends an operation as the user who is signed in. If nobody is, the browser is sent to sign-in, and then back.
 *
 * @param isQuiet true for a request that repeats by itself, which {@link ShownRequest} omits
 * @throws AskError; REAUTHENTICATION_REQUIRED if the password must be entered again
 */
export async function ask<Data, Variables extends object>(
  { query }: Operation<Variables, Data>,
  variables: Variables,
  isQuiet = false,
): Promise<Data> {
  if (!isQuiet) shownRequests.note({ query, variables });
  const answer = await send<Data>({ query, variables });
  const [error] = answer.errors ?? [];
  if (error) {
    const code = error.extensions?.code ?? 'INTERNAL_SERVER_ERROR';
    if (code === 'UNAUTHENTICATED') location.assign(signInAddress());
    throw new AskError(code, code === 'REAUTHENTICATION_REQUIRED' ? t.passwordNeeded : sentence(error.message));
  }
  if (!answer.data) throw new AskError('INTERNAL_SERVER_ERROR', t.unreachable);
  return answer.data;
}

/** Address of the sign-in form, which leads back to the present page. */
export function signInAddress(): string {
  const { pathname, search } = location;
  return `${pageData().root}/sign-in?${new URLSearchParams({ to: pathname + search })}`;
}

async function send<Data>(body: object): Promise<Answer<Data>> {
  const { endpoint } = pageData();
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  try {
    const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as Answer<Data>;
  } catch {
    throw new AskError('UNREACHABLE', t.unreachable);
  }
}

/** Writes a message of the service, which has no period, as a sentence; it may begin with the name of a field. */
export function sentence(message: string): string {
  return /^\w+_/.test(message) ? `${message}.` : `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
