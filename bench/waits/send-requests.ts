import type { LoadRequest } from '../https-load.ts';

/** An account at a service. */
export interface Sender {
  /** Address of the service, without a path. */
  readonly base: string;
  readonly apiKey: string;
}

const GET = { method: 'GET', headers: { 'accept-encoding': 'br, gzip' }, body: '', count: 0, concurrency: 1 } as const;

/** A GET by anyone. */
export function pageRequest({ base }: Pick<Sender, 'base'>, path: string): LoadRequest {
  return { ...GET, url: base + path };
}

/** A GET of the account API. */
export function restRequest({ base, apiKey }: Sender, path: string): LoadRequest {
  return { ...GET, url: `${base}/api/v2${path}`, headers: { ...GET.headers, 'service-api-key': apiKey } };
}

/** A query by GraphQL. */
export function graphqlRequest({ base, apiKey }: Sender, query: string): LoadRequest {
  const headers = { ...GET.headers, 'service-api-key': apiKey, 'content-type': 'application/json' };
  return { ...GET, method: 'POST', url: `${base}/graphql`, headers, body: JSON.stringify({ query }) };
}
