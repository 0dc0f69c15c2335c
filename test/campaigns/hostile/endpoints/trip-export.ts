import type { Dice } from '../dice.ts';
import type { Draft } from '../hostile-request.ts';
import { escapeText, nastyQuery, nastyText } from '../nasty-values.ts';
import { ACCOUNT_CALLERS, type World } from '../world.ts';

const FORMATS = ['gpx', 'geojson', 'GPX', 'gpx.gpx', 'json', ''];

/** Requests for trips as files. */
export function tripExportRequest(dice: Dice, world: World): Draft {
  const caller = dice.weighted(ACCOUNT_CALLERS.map((name) => [name === 'owner' ? 6 : 1, name]));
  const trips = world.known.trip_key ?? [];
  const key = dice.chance(0.4) && trips.length > 0 ? dice.pick(trips) : escapeText(dice, nastyText(dice));
  const format = dice.chance(0.8) ? dice.pick(FORMATS.slice(0, 2)) : dice.pick(FORMATS);
  const method = dice.pick(['GET', 'GET', 'GET', 'HEAD', 'OPTIONS']);
  const target = `/api/v2/trip/${key}.${format}${dice.chance(0.2) ? nastyQuery(dice, ['format', 'x']) : ''}`;
  return { caller, method, target, headers: world.callers[caller] ?? [] };
}
