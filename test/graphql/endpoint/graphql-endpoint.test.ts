import { getIntrospectionQuery } from 'graphql';
import { describe, expect, onTestFinished, test } from 'vitest';

import { gatewayEndpoint } from '../../clients/graphql-client.ts';
import { openHost } from '../../hosts/open-host.ts';
import { connectTls } from '../../clients/raw-client.ts';
import { signal } from '../../processes/signal.ts';
import { listen } from '../../hosts/test-host.ts';
import { API_KEY, ask, graphqlHost, tinySchema } from '../../hosts/graphql-host.ts';

describe('an operation', () => {
  test('is answered', async () => {
    const answer = await ask(await graphqlHost(), '{ greeting(name: "you") }');
    expect(answer).toMatchObject({ status: 200, body: { data: { greeting: 'Hello you' } } });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('introspects without credentials', async () => {
    const answer = await ask(await graphqlHost(), getIntrospectionQuery(), { headers: {} });
    expect(answer.status).toBe(200);
    expect(answer.body).toHaveProperty('data.__schema.queryType.name', 'Query');
  });

  test('may come by GET, whose answer no cache keeps', async () => {
    const { app } = await graphqlHost();
    const query = { query: '{ greeting(name: "you") }' };
    const answer = await app.inject({ url: '/graphql', query, headers: { 'service-api-key': API_KEY } });
    expect(answer.json()).toEqual({ data: { greeting: 'Hello you' } });
    expect(answer.headers['cache-control']).toBe('private, no-store');
  });

  test('leaves the resolvers of the schema as they are', async () => {
    const schema = tinySchema();
    const resolvers = () => Object.values(schema.getQueryType()?.getFields() ?? {}).map(({ resolve }) => resolve);
    const before = resolvers();
    await ask(await graphqlHost(schema), '{ public }');
    expect(resolvers()).toEqual(before);
  });
});

describe('the order of refusals', () => {
  test.each([
    [
      'method before credentials',
      { method: 'PUT', headers: { 'service-api-key': 'wrong' } },
      405,
      'METHOD_NOT_ALLOWED',
    ],
    [
      'credentials before form',
      { method: 'POST', headers: { 'service-api-key': 'wrong', 'content-type': 'application/json' }, payload: '{"cut' },
      401,
      'UNAUTHENTICATED',
    ],
    [
      'credentials before size',
      { method: 'POST', headers: { 'service-api-key': 'wrong' }, payload: { query: 'x'.repeat(2 ** 20) } },
      401,
      'UNAUTHENTICATED',
    ],
    [
      'size',
      { method: 'POST', headers: { 'service-api-key': API_KEY }, payload: { query: 'x'.repeat(2 ** 20) } },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'size of what proves nobody',
      { method: 'POST', payload: { query: 'x'.repeat(2 ** 16) } },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['form', { method: 'POST', headers: { 'content-type': 'application/json' }, payload: '{"cut' }, 400, 'BAD_REQUEST'],
    [
      'depth of the body',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'service-api-key': API_KEY },
        payload: `{"query":"{public}","variables":${'['.repeat(2 ** 20 - 100)}`,
      },
      400,
      'BAD_REQUEST',
    ],
    [
      'permission before variables',
      { method: 'POST', payload: { query: 'query ($name: String!) { greeting(name: $name) }' } },
      401,
      'UNAUTHENTICATED',
    ],
    [
      'plan before variables',
      {
        method: 'POST',
        headers: { 'service-api-key': 'poor' },
        payload: { query: 'query ($name: String!) { ...F } fragment F on Query { greeting(name: $name) }' },
      },
      403,
      'FORBIDDEN',
    ],
  ] as const)('%s', async (_, request, status, code) => {
    const { app } = await graphqlHost();
    const answer = await app.inject({ url: '/graphql', ...request });
    expect(answer.statusCode).toBe(status);
    expect(answer.json().errors).toMatchObject([{ message: expect.any(String), extensions: { code } }]);
  });

  test.each(['DELETE', 'HEAD', 'PROPFIND', 'TRACE'])('%s is answered with the allowed methods', async (method) => {
    const { app } = await graphqlHost();
    const client = await connectTls(await listen(app));
    client.send(`${method} /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    const answer = await client.ended();
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/\r\nallow: GET, POST, OPTIONS\r\n/);
    expect(answer.includes('METHOD_NOT_ALLOWED')).toBe(method !== 'HEAD');
  });

  test.each(['*/*', 'text/event-stream', 'application/json, text/event-stream'])(
    'a mutation by GET with Accept: %s is 405 and changes nothing',
    async (accept) => {
      const schema = tinySchema();
      const { rename } = schema.getMutationType()?.getFields() ?? {};
      if (rename) rename.resolve = () => expect.unreachable();
      const { app } = await graphqlHost(schema);
      const query = { query: 'mutation { rename(name: "a") }' };
      const headers = { accept, 'service-api-key': API_KEY };
      const answer = await app.inject({ url: '/graphql', query, headers });
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, POST, OPTIONS']);
      expect(answer.json().errors).toMatchObject([{ message: expect.stringContaining('GET requests') }]);
    },
  );

  test('OPTIONS names the methods', async () => {
    const { app } = await graphqlHost();
    const options = await app.inject({ method: 'OPTIONS', url: '/graphql' });
    expect(options.headers.allow).toBe('GET, POST, OPTIONS');
  });
});

describe('the body of a request that proves nobody', () => {
  const padded = (bytes: number) => `{"query":"{ public }"}`.padEnd(bytes);
  const headers = { 'content-type': 'application/json' };

  test('has 64 KiB, where others have 1 MiB', async () => {
    const { app } = await graphqlHost();
    const post = async (bytes: number, more = {}) =>
      (await app.inject({ method: 'POST', url: '/graphql', payload: padded(bytes), headers: { ...headers, ...more } }))
        .statusCode;
    expect([await post(2 ** 16), await post(2 ** 16 + 1)]).toEqual([200, 413]);
    const known = { 'service-api-key': API_KEY };
    expect([await post(2 ** 20, known), await post(2 ** 20 + 1, known)]).toEqual([200, 413]);
  });

  test('is refused as soon as it is longer, where its length was not announced', async () => {
    const { app } = await graphqlHost();
    const client = await connectTls(await listen(app));
    const lines = 'Host: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
    client.send(`POST /graphql HTTP/1.1\r\n${lines}\r\n10001\r\n${padded(2 ** 16 + 1)}\r\n`);
    expect(await client.received('PAYLOAD_TOO_LARGE')).toMatch(/^HTTP\/1\.1 413 /);
    client.leave();
  });

  test('is refused before it is sent, where the client asks', async () => {
    const { app } = await graphqlHost();
    const client = await connectTls(await listen(app));
    const lines = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${2 ** 16 + 1}\r\n`;
    client.send(`POST /graphql HTTP/1.1\r\n${lines}Expect: 100-continue\r\n\r\n`);
    expect(await client.ended()).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('401', () => {
  test('challenges a client without credentials barely', async () => {
    const answer = await ask(await graphqlHost(), '{ node { name } }', { headers: {} });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="waybridge"');
  });

  test.each([{ 'service-api-key': 'wrong' }, { 'service-api-key': 'x', authorization: 'Bearer abc' }])(
    'tells %o that its credentials did not do',
    async (headers) => {
      const answer = await ask(await graphqlHost(), '{ public }', { headers });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="waybridge", error="invalid_token"');
      expect(answer.body.errors).toEqual([
        { message: 'The credentials are not valid', extensions: { code: 'UNAUTHENTICATED' } },
      ]);
    },
  );
});

describe('an error', () => {
  test.each([
    ['a refusal', '{ refused }', 400, 'BAD_REQUEST', 'size must be a number'],
    ['an absent object', '{ missing }', 404, 'NOT_FOUND', 'No such device'],
    ['an unknown field', '{ nothing }', 400, 'GRAPHQL_VALIDATION_FAILED', /Cannot query field/],
    ['no GraphQL', '{ cut', 400, 'GRAPHQL_PARSE_FAILED', /Syntax Error/],
    [
      'a variable of a wrong type',
      'query ($name: String!) { greeting(name: $name) }',
      400,
      'BAD_USER_INPUT',
      /Variable "\$name"/,
    ],
    [
      'a variable that is missing inside',
      'query ($name: String = "a") { greeting(name: $name) }',
      400,
      'BAD_USER_INPUT',
      /must not be null/,
    ],
    [
      'an unknown operation',
      'query A { public } query B { public }',
      400,
      'OPERATION_RESOLUTION_FAILURE',
      /operation name/,
    ],
    ['a fault', '{ fault }', 500, 'INTERNAL_SERVER_ERROR', 'Internal server error'],
    ['a result that does not fit the schema', '{ number }', 500, 'INTERNAL_SERVER_ERROR', 'Internal server error'],
    ['too few file descriptors', '{ crowded }', 503, 'SERVICE_UNAVAILABLE', /try again later/],
    ['an unknown field of their name', '{ EMFILE }', 400, 'GRAPHQL_VALIDATION_FAILED', /Cannot query field/],
    ['an unreachable database', '{ unreachable }', 503, 'SERVICE_UNAVAILABLE', /try again later/],
  ])('of kind "%s" is shown by status, code and message', async (_, query, status, code, message) => {
    const answer = await ask(await graphqlHost(), query, {
      headers: { 'service-api-key': API_KEY },
      variables: { name: null },
    });
    expect(answer.status).toBe(status);
    expect(answer.body.errors).toHaveLength(1);
    expect(answer.body.errors?.[0]?.extensions).toEqual({ code });
    expect(answer.body.errors?.[0]?.message).toMatch(message);
  });

  test.each([
    ['of one of two root fields', '{ missing public }', 200, { missing: null, public: 'open' }],
    ['of all root fields', '{ missing other: missing }', 404, { missing: null, other: null }],
    ['of all root fields, with several codes', '{ missing refused }', 200, { missing: null, refused: null }],
    ['beside a root field that is null', '{ missing empty }', 200, { missing: null, empty: null }],
    ['below a root field', '{ group { missing } }', 200, { group: { missing: null } }],
    ['of a permission', '{ forbidden public }', 200, { forbidden: null, public: 'open' }],
    ['of a list that cannot be null', '{ listed public }', 404, null],
    ['of the credentials', '{ stranger public }', 401, null],
    ['that is a fault', '{ fault public }', 500, { fault: null, public: 'open' }],
    ['of an unreachable database', '{ unreachable public }', 503, { unreachable: null, public: 'open' }],
  ])('%s leaves what it can', async (_, query, status, data) => {
    const answer = await ask(await graphqlHost(), query);
    expect([answer.status, answer.body.data]).toEqual([status, data]);
  });

  test('that is a fault is logged once, under the request id, and shows nothing of its cause', async () => {
    const host = await graphqlHost();
    const answer = await ask(host, '{ fault }');
    expect(JSON.stringify(answer.body)).not.toMatch(/engine|stack|at /);
    const causes = host.lines.filter((line) => line.includes('the engine is on fire'));
    expect(causes).toHaveLength(1);
    expect(JSON.parse(String(causes[0])).requestId).toBe(answer.headers['x-request-id']);
  });

  test('that is a refusal is not logged', async () => {
    const host = await graphqlHost();
    await ask(host, '{ refused }');
    expect(host.lines.filter((line) => line.includes('"level":50'))).toEqual([]);
  });

  test('of a database that cannot tell who asks is 503 with Retry-After', async () => {
    const host = await graphqlHost();
    for (const answer of [
      await ask(host, '{ public }', { headers: { 'service-api-key': 'unreachable' } }),
      await ask(host, '{ unreachable }'),
    ]) {
      expect(answer).toMatchObject({
        status: 503,
        body: { errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] },
      });
      expect(answer.headers['retry-after']).toBe('10');
      expect(JSON.stringify(answer.body)).not.toContain('10.0.0.5');
    }
    expect(host.lines.filter((line) => line.includes('ECONNREFUSED'))).toHaveLength(2);
  });
});

describe('a request that GraphQL cannot take', () => {
  test.each([
    [
      'of a content type that pages may send unasked',
      { headers: { 'content-type': 'text/plain' }, payload: '{"query":"{public}"}' },
      /POST body missing, invalid Content-Type/,
    ],
    ['in a batch', { payload: [{ query: '{ public }' }, { query: '{ public }' }] }, /batching disabled/],
    [
      'of another content type',
      { headers: { 'content-type': 'application/graphql' }, payload: '{ public }' },
      /POST body missing/,
    ],
    ['with an operation name that is no text', { payload: { query: '{ public }', operationName: 1 } }, /operationName/],
    ['without a query', { payload: { operationName: 'A' } }, /non-empty `query`/],
  ])('%s is 400', async (_, request, message) => {
    const { app } = await graphqlHost();
    const answer = await app.inject({ method: 'POST', url: '/graphql', ...request });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toMatchObject([
      { message: expect.stringMatching(message), extensions: { code: 'BAD_REQUEST' } },
    ]);
  });

  test.each(['[]', '[1]', '""', '"{}"', '1', 'true'])('with variables %s is 400 and names them', async (variables) => {
    const { app } = await graphqlHost();
    const payload = { query: '{ public }', variables: JSON.parse(variables) };
    for (const request of [
      { method: 'POST', payload },
      { method: 'GET', query: { ...payload, variables } },
    ] as const) {
      const answer = await app.inject({ url: '/graphql', ...request });
      expect([answer.statusCode, answer.json().errors]).toMatchObject([
        400,
        [{ message: expect.stringContaining('variables') }],
      ]);
    }
  });

  test.each([
    'subscription { plan { name } }',
    'subscription S { key }',
    'query Q { account { key } } subscription S { anything }',
  ])('%s is 400: there is nothing to subscribe to', async (query) => {
    const app = await openHost([await gatewayEndpoint()]);
    onTestFinished(() => app.close());
    const payload = { query, ...(query.includes(' S ') && { operationName: 'S' }) };
    const answer = await app.inject({ method: 'POST', url: '/graphql', payload });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { errors: [{ message: expect.stringMatching(/subscription/i), extensions: { code: expect.any(String) } }] },
    ]);
  });

  test('is rejected, since nothing is stored for it', async () => {
    const { app } = await graphqlHost();
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    const answer = await app.inject({ method: 'POST', url: '/graphql', payload: { extensions } });
    expect(answer.json().errors).toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }]);
  });
});

test('an operation in flight is answered when the host closes', async () => {
  const closing = signal();
  const schema = tinySchema();
  const field = schema.getQueryType()?.getFields().public;
  const arrived = signal();
  if (field !== undefined) {
    field.resolve = async () => {
      arrived.give();
      await closing.given;
      return 'late';
    };
  }
  const { app } = await graphqlHost(schema);
  app.addHook('preClose', async () => closing.give());
  const client = await connectTls(await listen(app));
  const body = JSON.stringify({ query: '{ public }' });
  client.send('POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
  client.send(`Content-Length: ${body.length}\r\n\r\n${body}`);
  await arrived.given;
  await app.close();
  expect(await client.ended()).toContain('{"data":{"public":"late"}}');
});
