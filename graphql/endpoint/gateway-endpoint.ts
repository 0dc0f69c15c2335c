import { findSignedInUser } from '../../auth/oauth/browser-session.ts';
import { identify, readCredentials } from '../../auth/identify.ts';
import { networkOf } from '../../auth/network-of.ts';
import { gatewaySchema } from '../../resolvers/gateway-schema.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { EARLIER_TRIPS_MAP_OPERATIONS, TRIPS_MAP_OPERATIONS } from '../../schema/trips/trips-map-operations.ts';
import { TRIP_DAYS_QUERY } from './trip-days-query.ts';

import { graphqlEndpoint } from './graphql-endpoint.ts';
import { readDocuments } from './read-documents.ts';
import { TrustedDocuments } from './trusted-documents.ts';
import type { Service } from '../../models/store/service.ts';

/** Settings of the documents that are executed. */
interface DocumentSettings {
  readonly trustedDocuments: string | null;
  readonly trustedDocumentsOnly: boolean;
  readonly automaticPersistedQueries: boolean;
}

/** Operations of the service's own pages and component, its saved copies included, which are always trusted. */
const OWN_DOCUMENTS = [...TRIPS_MAP_OPERATIONS, ...EARLIER_TRIPS_MAP_OPERATIONS, TRIP_DAYS_QUERY];

/**
 * The gateway's schema at `{graphql_url}`, and at `{auth_url}/graphql`, where pages of that origin also act for the user who is
 * signed in. Other pages cannot: there, a cookie counts for nothing.
 *
 * @param issuer `{auth_url}` as special-purpose tokens name it
 * @throws ConfigError naming a document of TRUSTED_DOCUMENTS that is not one operation of the schema
 */
export async function gatewayEndpoint(
  service: Service,
  graphqlUrl: URL,
  issuer: string,
  {
    trustedDocuments = null,
    trustedDocumentsOnly = false,
    automaticPersistedQueries = false,
  }: Partial<DocumentSettings>,
): Promise<Endpoint> {
  const rules = { endpoint: 'graphql', issuer, origin: graphqlUrl.origin } as const;
  const console = new URL(`${issuer}/graphql`);
  const schema = await gatewaySchema();
  const sources = trustedDocuments === null ? [] : await readDocuments(trustedDocuments);
  return graphqlEndpoint(service, {
    schema,
    path: graphqlUrl.pathname,
    ownPath: console.pathname,
    documents: {
      trusted: new TrustedDocuments(schema, sources, OWN_DOCUMENTS),
      trustedOnly: trustedDocumentsOnly,
      automatic: automaticPersistedQueries,
    },
    contextOf: async (request) => {
      const { raw, server } = request;
      const { admission } = server;
      const isConsole = request.routeOptions.url === console.pathname;
      const identifyAgain = async () => {
        const caller = await identify(service, readCredentials(raw.rawHeaders), rules);
        if (caller.kind !== 'visitor' || !isConsole) return caller;
        return (await findSignedInUser(service, raw.headers, console.origin)) ?? caller;
      };
      const caller = await admission.identify(request, identifyAgain);
      return {
        service,
        caller,
        identifyAgain,
        work: admission.meter(request, caller),
        network: networkOf(request.ip),
        origin: request.headers.origin,
        issuer,
      };
    },
  });
}
