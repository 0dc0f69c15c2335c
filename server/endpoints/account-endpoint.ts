import type { FastifyRequest } from 'fastify';

import { accessOf } from '../../auth/access.ts';
import { type EndpointRules, identify, type KeyPlaces, readCredentials } from '../../auth/identify.ts';
import { networkOf } from '../../auth/network-of.ts';
import type { Caller, RequestContext } from '../../auth/caller.ts';
import { findSignedInUser } from '../../auth/oauth/browser-session.ts';
import { terseErrorResponse } from '../../http/answers/error-response.ts';
import { StaticFile } from '../../http/answers/static-file.ts';
import type { JsonSchema } from '../../rest-bridge/open-api-schemas.ts';
import { openApi } from '../../rest-bridge/open-api.ts';
import { membersOf } from '../../rest-bridge/read-arguments.ts';
import type { RestEndpoint } from '../../rest-bridge/rest-bridge.ts';
import type { MergedEndpoints } from '../../rest-bridge/specified-paths.ts';
import { SCOPES } from '../../auth/scopes/scope.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { queryOf } from '../../http/requests/utf8.ts';

import type { ApiDescription } from '../../pages/documentation/api-reference.ts';
import { accountPaths, builtInPaths } from './account-paths.ts';
import { API_TAGS } from './api-tags.ts';
import { bodyOf, restEndpoint } from './rest-endpoint.ts';
import type { Service } from '../../models/store/service.ts';

/** Version of the API. Specification: "Versioning". */
const API_VERSION = '2.1';

/**
 * The account REST API under `{base_url}`, with its description at `openapi.json`; and the imports of files at
 * `{auth_url}/console`, where pages of that origin send them for the user who is signed in. Specification: section A.
 *
 * @param paths those of the table alone by default
 */
export async function accountEndpoint(
  service: Service,
  baseUrl: URL,
  authUrl: URL,
  paths?: MergedEndpoints,
): Promise<Endpoint> {
  const prefix = baseUrl.pathname.replace(/\/$/, '');
  const issuer = authUrl.href.replace(/\/$/, '');
  const { endpoints, warnings } = paths ?? (await accountPaths());
  const contextOf = async (request: FastifyRequest, identifyAgain: () => Promise<Caller>): Promise<RequestContext> => {
    const { admission } = request.server;
    const caller = await admission.identify(request, identifyAgain);
    const work = admission.meter(request, caller);
    return { service, caller, identifyAgain, work, network: networkOf(request.ip), issuer };
  };
  const shared = { reject: terseErrorResponse, callers: 'identified' } as const;
  const endpoint = restEndpoint({
    ...shared,
    name: 'account API',
    endpoints,
    prefix,
    pagesMaySend: ['Service-Api-Key', 'Authorization', 'If-None-Match'],
    contextOf: (request, endpoint) =>
      contextOf(request, () =>
        identify(service, readCredentials(request.raw.rawHeaders, keyPlacesOf(request, endpoint)), rulesOf(endpoint)),
      ),
  });
  const imports = restEndpoint({
    ...shared,
    name: 'imports of the console',
    endpoints: (await builtInPaths()).filter(({ route }) => route.file !== undefined),
    prefix: `${new URL(issuer).pathname.replace(/\/$/, '')}/console`,
    pagesMaySend: null,
    contextOf: (request) =>
      contextOf(
        request,
        async () => (await findSignedInUser(service, request.headers, authUrl.origin)) ?? { kind: 'visitor' },
      ),
  });
  const description = new StaticFile(JSON.stringify(describe(baseUrl, issuer, endpoints)), {
    type: 'application/json; charset=utf-8',
    cacheControl: 'public, max-age=300',
    shared: true,
  });
  return {
    name: endpoint.name,
    register: async (app) => {
      for (const warning of warnings) app.log.warn(warning);
      await endpoint.register(app);
      await app.register((scope) => imports.register(scope));
      app.get(`${prefix}/openapi.json`, { compress: false }, (request, reply) => description.send(request, reply));
    },
  };
}

/** Describes the account API of an installation (OpenAPI 3.1). */
export async function accountDescription(
  { baseUrl, authUrl }: { readonly baseUrl: string; readonly authUrl: string },
  paths?: MergedEndpoints,
) {
  const { endpoints } = paths ?? (await accountPaths());
  return describe(new URL(baseUrl), authUrl.replace(/\/$/, ''), endpoints) as unknown as ApiDescription;
}

function rulesOf({ field, route }: RestEndpoint): EndpointRules {
  if (route.deviceKey !== undefined) return { endpoint: 'app' };
  return { endpoint: accessOf(field)?.includes('ingest') ? 'ingest' : 'rest' };
}

function keyPlacesOf(request: FastifyRequest, { route: { deviceKey } }: RestEndpoint): KeyPlaces | undefined {
  if (deviceKey === undefined || deviceKey === 'bearer') return undefined;
  if (deviceKey === 'basic') return { basic: true, keys: [] };
  const message = { search: queryOf(request.raw.url), body: bodyOf(request) };
  return { basic: false, keys: membersOf(deviceKey, message) };
}

function describe(baseUrl: URL, issuer: string, endpoints: readonly RestEndpoint[]): JsonSchema {
  return openApi(
    {
      title: 'Waybridge account API',
      version: API_VERSION,
      description:
        'Accounts, users, subscriptions, devices, groups, and positions from devices. New properties may appear in any response at any time.',
      server: baseUrl.href.replace(/\/$/, ''),
      authorizationUrl: `${issuer}/authorize`,
      tokenUrl: `${issuer}/oauth/token`,
      scopes: SCOPES,
      tags: API_TAGS,
    },
    endpoints,
  );
}
