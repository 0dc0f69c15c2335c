import { expect, test } from 'vitest';

import { censor } from '../../../http/observing/censor.ts';
import { endpointOf, testHost } from '../../hosts/test-host.ts';

const API_KEY = 'q7Zs0dWmT1xYb3uKfPzR5hJ8vLcN2aEoGi4tQwMyU6A';
const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ2ZWhpY2xlOjEifQ.c2lnbmF0dXJl';
const PASSWORD = 'correct-horse';
const CREDENTIALS = [API_KEY, JWT, PASSWORD, 'c2lnbmF0dXJl'];

const endpoint = endpointOf((app) => {
  app.post('/sign-in', async () => ({}));
  app.post('/fault', async ({ headers, query, body }) => {
    throw new Error(`Cannot serve ${JSON.stringify({ headers, query, body })}`, {
      cause: new Error(`connect mongodb://root:${PASSWORD}@db.example.com/x?token=${JWT} with ${API_KEY}`),
    });
  });
});

test.each(['/sign-in', '/fault', '/nowhere'])('no credential of a request to %s reaches the log', async (path) => {
  const { app, lines } = await testHost([endpoint]);
  await app.inject({
    method: 'POST',
    url: `${path}?access_token=${JWT}&key=${API_KEY}`,
    headers: {
      authorization: `Bearer ${JWT}`,
      'service-api-key': API_KEY,
      cookie: `__Host-session=${API_KEY}; password=${PASSWORD}`,
    },
    payload: { email: 'a@example.com', password: PASSWORD, client_secret: API_KEY },
  });
  expect(lines.length).toBeGreaterThan(0);
  for (const credential of CREDENTIALS) {
    expect(lines.join('')).not.toContain(credential);
  }
});

test('writes one line a request, with its id, method, path, status, time and client', async () => {
  const { app, lines } = await testHost([endpoint]);
  const { headers } = await app.inject({ method: 'POST', url: '/sign-in?a=b', payload: {} });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(String(lines[0]))).toEqual({
    level: 30,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    requestId: headers['x-request-id'],
    method: 'POST',
    path: '/sign-in',
    status: 200,
    ms: expect.any(Number),
    client: '127.0.0.1',
    msg: 'request',
  });
});

test('writes no line for a health check that succeeds', async () => {
  const { app, lines } = await testHost([endpoint]);
  await app.inject('/healthz');
  expect(lines).toEqual([]);
});

test.each([
  ['Bearer abc.def', 'Bearer [hidden]'],
  ['mongodb+srv://u:p@host/db', 'mongodb+srv://[hidden]@host/db'],
  ['GET /x?a=b&c=d HTTP', 'GET /x?[hidden] HTTP'],
  ['{\\"password\\":\\"hunter2\\",\\"a\\":1}', '{\\"password\\":\\"[hidden]\\",\\"a\\":1}'],
  [`key ${API_KEY} end`, 'key [hidden] end'],
])('censors %j', (line, censored) => {
  expect(censor(line)).toBe(censored);
});

test.each([
  '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  'at Object.read (/srv/waybridge/build/server/host.js:10:5)',
  'Is it there? yes',
  '8f14e45f-ceea-467f-ab0c-1d2e3f4a5b6c',
])('leaves %j as it is', (line) => {
  expect(censor(line)).toBe(line);
});
