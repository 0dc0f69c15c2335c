import { describe, expect, test } from 'vitest';

import { graphqlHost } from '../../hosts/graphql-host.ts';

const ORIGIN = 'https://fleet.example.com';

describe('a preflight', () => {
  test('from an https origin is answered with what it may send', async () => {
    const { app } = await graphqlHost();
    const answer = await app.inject({
      method: 'OPTIONS',
      url: '/graphql',
      headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
    });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers).toMatchObject({
      vary: 'Origin',
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-headers':
        'authorization, content-type, last-event-id, apollographql-client-name, apollographql-client-version',
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

describe('pages of', () => {
  test.each([ORIGIN, 'https://localhost:8444'])('%s may read answers and refusals', async (origin) => {
    const { app } = await graphqlHost();
    for (const request of [
      { payload: { query: '{ public }' } },
      { payload: { query: '{ node { name } }' } },
      { payload: { query: '{ fault }' } },
      { payload: { query: 'x'.repeat(2 ** 16) } },
      { payload: { query: '{ public }' }, headers: { authorization: 'Bearer wrong', 'service-api-key': 'wrong' } },
    ]) {
      const headers = { ...request.headers, origin };
      const answer = await app.inject({ method: 'POST', url: '/graphql', ...request, headers });
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      expect(answer.headers.vary).toContain('Origin');
    }
  });

  test.each([
    'http://fleet.example.com',
    'null',
    'https://fleet.example.com/',
    'https://user@fleet.example.com',
    'https://*.example.com',
    "https://a';b.example.com",
    'https://FLEET.example.com',
    '',
  ])('%j may not', async (origin) => {
    const { app } = await graphqlHost();
    for (const method of ['OPTIONS', 'POST'] as const) {
      const answer = await app.inject({ method, url: '/graphql', headers: { origin } });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(answer.headers.vary).toContain('Origin');
    }
  });
});
