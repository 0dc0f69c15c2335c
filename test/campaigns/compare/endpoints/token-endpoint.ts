import type { Draft, Comparison } from '../comparison.ts';
import { BAD_BODIES, BAD_VALUES } from './bad-values.ts';

const PATH = '/api/special-purpose/v1/token';

/** A request that is right, of the app of the seed for its owner. */
const GOOD: Readonly<Record<string, unknown>> = {
  client_id: '{{client_id}}',
  client_secret: '{{client_secret}}',
  sub: 'vehicle:{{van}}',
  aud: 'https://www.example.com',
  roles: 'service://<service-trips-map />',
  scope: 'loc-past',
};

/** The endpoint of special-purpose tokens: rights, each wrong value, and several at once. */
export async function tokenEndpoint(comparison: Comparison, size: number): Promise<void> {
  const post = (change: Readonly<Record<string, unknown>>, as = 'app', rest: Partial<Draft> = {}): Draft => ({
    method: 'POST',
    path: PATH,
    as,
    json: { ...GOOD, ...change },
    ...rest,
  });
  const good: Draft[] = [
    post({}),
    ...[
      'loc-past-gte:2026-01-01',
      'loc-past-lt:2026-01-01T00:00:00Z',
      'loc-past-gte:2026-01-01T00:00:00+05:30',
      'loc-future',
    ].map((scope) => post({ scope })),
    ...[
      'https://bücher.example',
      'https://[::1]:8443',
      'https://Fleet.example:443/map?a=1',
      'http://fleet.example',
      'https://*.example',
    ].map((aud) => post({ aud })),
    ...['lorry', 'spare', 'north'].flatMap((name) =>
      ['app', 'restricted_app', 'narrow_app'].map((as) => post({ sub: `vehicle:{{${name}}}` }, as)),
    ),
    ...['visitor', 'owner', 'device', 'trip_map', 'two_credentials', 'unknown'].map((as) => post({}, as)),
    post({ client_id: '{{plain_client_id}}', client_secret: '{{plain_client_secret}}' }),
    post({ client_secret: '{{plain_client_secret}}' }),
    post({}, 'app', { headers: { origin: 'https://www.example.com' } }),
    { method: 'GET', path: PATH, as: 'app' },
    { method: 'OPTIONS', path: PATH },
    ...BAD_BODIES.map((bad): Draft => ({ method: 'POST', path: PATH, as: 'app', ...bad })),
  ];
  for (const draft of good) await comparison.ask(draft);
  const names = Object.keys(GOOD);
  const wrong = names.flatMap((name) => [
    post({ [name]: undefined }),
    ...BAD_VALUES.map((value) => post({ [name]: value })),
    ...names.map((other) => post({ [name]: 'wrong', [other]: undefined })),
  ]);
  for (const draft of comparison.random.sample(wrong, size - good.length)) await comparison.ask(draft);
}
