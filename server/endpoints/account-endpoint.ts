import { accessOf } from '../../auth/access.ts';
import { identify, readCredentials } from '../../auth/identify.ts';
import { isPermitted, type Permission, type RequestContext } from '../../auth/caller.ts';
import { planOperation } from '../../resolvers/execution/plan-operation.ts';
import { restSchema } from '../../resolvers/gateway-schema.ts';
import { accountRoutes } from '../../rest-bridge/account-routes.ts';
import { terseErrorResponse } from '../../http/answers/error-response.ts';
import type { JsonSchema } from '../../rest-bridge/open-api-responses.ts';
import { openApi } from '../../rest-bridge/open-api.ts';
import { type RestEndpoint, restBridge } from '../../rest-bridge/rest-bridge.ts';
import { SCOPES } from '../../auth/scope.ts';
import type { Endpoint } from '../../http/endpoint.ts';

import { addApiDescription } from './api-description.ts';
import { restEndpoint } from './rest-endpoint.ts';

/** Version of the API. Specification: "Versioning". */
const API_VERSION = '2.1';

/** The account REST API under `{base_url}`, with `openapi.json` and a page at `docs`. Specification: section A. */
export async function accountEndpoint(baseUrl: URL, authUrl: URL): Promise<Endpoint> {
  const prefix = baseUrl.pathname.replace(/\/$/, '');
  const endpoints = await restBridge(await restSchema(), accountRoutes, {
    plan: planOperation,
    reject: terseErrorResponse,
    maySee: (context, permissions) =>
      isPermitted((context as RequestContext).caller, permissions as readonly Permission[]),
  });
  const endpoint = restEndpoint({
    name: 'account API',
    endpoints,
    prefix,
    pagesMaySend: ['Service-Api-Key', 'Authorization'],
    reject: terseErrorResponse,
    callers: 'identified',
    contextOf: async (request, { field }) => {
      const rules = { endpoint: accessOf(field)?.includes('ingest') ? 'ingest' : 'rest' } as const;
      const { admission } = request.server;
      const caller = await admission.identify(request, () => identify(readCredentials(request.raw.rawHeaders), rules));
      return { caller, work: admission.meter(request, caller) };
    },
  });
  const description = describe(baseUrl, authUrl, endpoints);
  return {
    name: endpoint.name,
    register: async (app) => {
      await endpoint.register(app);
      await addApiDescription(app, prefix, description);
    },
  };
}

function describe(baseUrl: URL, authUrl: URL, endpoints: readonly RestEndpoint[]): JsonSchema {
  const auth = authUrl.href.replace(/\/$/, '');
  return openApi(
    {
      title: 'Waybridge account API',
      version: API_VERSION,
      description:
        'Accounts, subscriptions, devices, groups, and positions from devices. New properties may appear in any answer at any time.',
      server: baseUrl.href.replace(/\/$/, ''),
      authorizationUrl: `${auth}/authorize`,
      tokenUrl: `${auth}/oauth/token`,
      scopes: SCOPES,
    },
    endpoints,
  );
}
