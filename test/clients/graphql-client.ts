import type { Endpoint } from '../../http/endpoint.ts';
import { gatewayEndpoint as servedGatewayEndpoint } from '../../graphql/endpoint/gateway-endpoint.ts';
import { openHost } from '../hosts/open-host.ts';
import { testService } from '../services/database.ts';

/** Address under which the tests' hosts count as reached. */
export const ORIGIN = 'https://localhost';

/** Answer to a GraphQL request. */
export interface GraphqlAnswer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

/** Sends a query with its variables and headers. */
export type AskGraphql = (
  query: string,
  headers?: Readonly<Record<string, string>>,
  variables?: Readonly<Record<string, unknown>>,
) => Promise<GraphqlAnswer>;

/** The gateway as `waybridge serve` composes it, with settings of documents if given. */
export function gatewayEndpoint(settings: Parameters<typeof servedGatewayEndpoint>[3] = {}): Promise<Endpoint> {
  return servedGatewayEndpoint(testService, new URL(`${ORIGIN}/graphql`), ORIGIN, settings);
}

/** A client of a gateway of its own, without sockets. */
export async function graphqlClient(): Promise<AskGraphql> {
  const app = await openHost([await gatewayEndpoint()]);
  return async (query, headers = {}, variables = {}) => {
    const payload = { query, variables };
    const response = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { host: 'localhost', ...headers },
      payload,
    });
    return response.json();
  };
}
