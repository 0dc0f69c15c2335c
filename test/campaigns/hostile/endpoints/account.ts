import { accountRoutes } from '../../../../rest-bridge/account-routes.ts';
import type { Dice } from '../dice.ts';
import type { Draft } from '../hostile-request.ts';
import { brokenJson, escapeText, nastyJson, nastyQuery, nastyText, nastyValue } from '../nasty-values.ts';
import { ACCOUNT_CALLERS, type World } from '../world.ts';

const FIELDS = [
  'nickname',
  'external_id',
  'street',
  'city',
  'state',
  'zipcode',
  'name',
  'parent_group_key',
  'key',
  'input',
  'subscription_status',
  '__proto__',
];
const PARAMETERS = ['q', 'size', 'cursor', 'group_keys', 'show_inactive', 'x', 'first', 'after'];
const ROUTES = Object.keys(accountRoutes).filter((route) => !route.endsWith('/ingest'));
const TYPES = ['', 'text/plain', 'application/json; charset=utf-16', 'application/x-www-form-urlencoded', '////'];

/** Requests to the account API. */
export function accountRequest(dice: Dice, world: World): Draft {
  const [method = 'GET', path = '/'] = dice.pick(ROUTES).split(' ');
  const caller = dice.weighted(ACCOUNT_CALLERS.map((name) => [name === 'owner' ? 6 : 1, name]));
  const value = () => (dice.chance(0.3) ? knownValue(dice, world) : nastyText(dice));
  const filled = path.replace(/\{(\w+)\}/g, () => escapeText(dice, value()));
  const query = method === 'GET' || dice.chance(0.1) ? nastyQuery(dice, PARAMETERS, value) : '';
  const target = `/api/v2${filled}${query}`;
  const headers = world.callers[caller] ?? [];
  if (method === 'GET') return { caller, method, target, headers };
  const type = dice.chance(0.9) ? 'application/json' : dice.pick(TYPES);
  return { caller, method, target, headers: [...headers, ['Content-Type', type]], body: bodyOf(dice, world) };
}

/** A value that means something to the service. */
export function knownValue(dice: Dice, { known }: World): string {
  return dice.pick(dice.pick(Object.values(known).filter((values) => values.length > 0)));
}

function bodyOf(dice: Dice, world: World): string | Buffer {
  if (dice.chance(0.2)) return brokenJson(dice);
  return nastyJson(dice, FIELDS, () => {
    if (dice.chance(0.2)) return knownValue(dice, world);
    return dice.chance(0.1) ? dice.pick(['canceled', 'active', 'none']) : nastyValue(dice);
  });
}
