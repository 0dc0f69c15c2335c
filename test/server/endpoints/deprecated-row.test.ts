import { expect, onTestFinished, test } from 'vitest';

import { planOperation } from '../../../graphql/execution/plan-operation.ts';
import { terseErrorResponse } from '../../../http/answers/error-response.ts';
import { restSchema } from '../../../resolvers/gateway-schema.ts';
import { openApi } from '../../../rest-bridge/open-api.ts';
import { restBridge } from '../../../rest-bridge/rest-bridge.ts';
import { restEndpoint } from '../../../server/endpoints/rest-endpoint.ts';
import { openHost } from '../../hosts/open-host.ts';
import { account } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

const INFO = {
  title: 'API',
  version: '2.1',
  description: 'An API.',
  server: 'https://localhost',
  tags: {},
  scopes: {},
};

test('a deprecated row says since when, until when at least, and what replaces it, also where it rejects', async () => {
  const deprecated = { since: '2026-11-29', until: '2027-06-01T00:00:00Z', use: '/vehicles' };
  const table = { 'GET /cars': { query: 'vehicles', root: 'cars', deprecated } };
  const rules = { plan: planOperation, reject: terseErrorResponse, maySee: () => true };
  const endpoints = await restBridge(await restSchema(), table, rules);
  const { key: account_key } = await account();
  const app = await openHost([
    restEndpoint({
      ...{ name: 'old paths', prefix: '/api/v2', endpoints, pagesMaySend: null, callers: 'identified' },
      reject: terseErrorResponse,
      contextOf: async () => ({ service: testService, caller: { kind: 'owner', account_key, plan: 'premium' } }),
    }),
  ]);
  onTestFinished(() => app.close());
  for (const [query, status] of [
    ['', 200],
    ['?size=none', 400],
  ] as const) {
    const { statusCode, headers } = await app.inject({ url: `/api/v2/cars${query}`, headers: { host: 'localhost' } });
    expect(statusCode).toBe(status);
    expect(headers).toMatchObject({
      deprecation: `@${Date.UTC(2026, 10, 29) / 1000}`,
      sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
      link: '</api/v2/vehicles>; rel="successor-version"',
    });
  }
  const described = openApi({ ...INFO, authorizationUrl: '/authorize', tokenUrl: '/token' }, endpoints);
  expect(described.paths).toMatchObject({ '/cars': { get: { deprecated: true } } });
});
