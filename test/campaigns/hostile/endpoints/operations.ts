import type { Dice } from '../dice.ts';
import type { Draft } from '../hostile-request.ts';
import type { Fields } from '../world.ts';
import { nastyQuery } from '../nasty-values.ts';

const PATHS = [
  '/healthz',
  '/readyz',
  '/livez',
  '/metrics',
  '/api/v2/openapi.json',
  '/api/v2/docs',
  '/api/v2/docs/',
  '/api/v2/docs/../openapi.json',
  '/api/v2/',
  '/api/v2',
  '/api/v1/devices',
  '/graphql/',
  '/GRAPHQL',
];
const FORWARDED: Fields = [
  ['X-Forwarded-For', '127.0.0.1'],
  ['Forwarded', 'for=127.0.0.1;proto=http'],
  ['CF-Connecting-IP', '127.0.0.1'],
  ['X-Real-IP', '::1'],
  ['X-Forwarded-Proto', 'http'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Request-Id', 'x'.repeat(3000)],
  ['X-Request-Id', '"\\'],
  ['Authorization', 'Bearer x'],
  ['Authorization', 'Bearer'],
  ['Traceparent', '00-0-0-0'],
];

/** Requests for health, metrics, and the description of the API. */
export function operationsRequest(dice: Dice): Draft {
  const method = dice.weighted([
    [8, 'GET'],
    [2, 'HEAD'],
    [1, 'OPTIONS'],
    [1, 'POST'],
  ]);
  const target = dice.pick(PATHS) + (dice.chance(0.3) ? nastyQuery(dice, ['name[]', 'x']) : '');
  const headers: Fields = dice.some(2, () => dice.pick(FORWARDED));
  return { caller: 'visitor', method, target, headers, ...(method === 'POST' && { body: 'x' }) };
}
