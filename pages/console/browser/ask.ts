import { ask as askService, type ServiceAccess } from '../../../client/service/service-request.ts';
import { pageData } from './page-data.ts';

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

/** The service, asked as the user who is signed in: `fetch` sends the cookie of the session. If it has ended, sign-in is next. */
export const sessionService: ServiceAccess = {
  get url() {
    return pageData().serviceUrl;
  },
  credentials: { headers: async () => ({}), renew: async () => location.assign(signInAddress()) },
};

/**
 * Sends an operation as the user who is signed in. If nobody is, the browser is sent to sign-in, and then back.
 *
 * @param isQuiet true for a request that repeats by itself, which {@link ShownRequest} omits
 * @throws RequestError; REAUTHENTICATION_REQUIRED if the password must be entered again
 */
export function ask<Data, Variables extends object>(
  { query }: Operation<Variables, Data>,
  variables: Variables,
  isQuiet = false,
): Promise<Data> {
  if (!isQuiet) shownRequests.note({ query, variables });
  return askService<Data>(sessionService, query, variables);
}

/** Address of the sign-in form, which leads back to the present page. */
export function signInAddress(): string {
  const { pathname, search } = location;
  return `${pageData().root}/sign-in?${new URLSearchParams({ to: pathname + search })}`;
}
