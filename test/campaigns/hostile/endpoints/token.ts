import type { Dice } from '../dice.ts';
import type { Draft } from '../hostile-request.ts';
import { brokenJson, nastyJson, nastyQuery, nastyText, nastyValue } from '../nasty-values.ts';
import { ACCOUNT_CALLERS, type World } from '../world.ts';

/** Requests for special-purpose tokens, and for the keys that verify them. */
export function tokenRequest(dice: Dice, world: World): Draft {
  const caller = dice.weighted(ACCOUNT_CALLERS.map((name) => [name === 'app' ? 6 : 1, name]));
  const headers = world.callers[caller] ?? [];
  if (dice.chance(0.1)) {
    const target = `/.well-known/jwks.json${nastyQuery(dice, ['kid', 'x'])}`;
    return { caller, method: dice.pick(['GET', 'HEAD', 'OPTIONS']), target, headers };
  }
  const { app, trip } = world;
  const fields: Record<string, unknown> = {
    client_id: app.client_id,
    client_secret: app.client_secret,
    sub: `vehicle:${trip.vehicle_key}`,
    aud: dice.pick([
      'https://www.example.com',
      'https://a%2Aexample',
      'https://0x7f.1',
      'https://www.example.com:99999',
    ]),
    roles: 'service://<service-trips-map />',
    scope: dice.pick([
      'loc-past',
      'loc-past-gte:2026-03-01',
      'loc-past-lt:+275760-09-13',
      'loc-past-gte:',
      `loc-past-lt:${nastyText(dice)}`,
    ]),
  };
  for (const name of Object.keys(fields)) {
    if (dice.chance(0.15)) fields[name] = nastyValue(dice);
    if (dice.chance(0.05)) delete fields[name];
  }
  const body = dice.weighted<() => string | Buffer>([
    [8, () => JSON.stringify(fields)],
    [1, () => nastyJson(dice, Object.keys(fields))],
    [1, () => brokenJson(dice)],
  ])();
  const type = dice.chance(0.9)
    ? 'application/json'
    : dice.pick(['application/x-www-form-urlencoded', 'text/html', '']);
  const target = `/api/special-purpose/v1/token${dice.chance(0.1) ? nastyQuery(dice, Object.keys(fields)) : ''}`;
  return { caller, method: 'POST', target, headers: [...headers, ['Content-Type', type]], body };
}
