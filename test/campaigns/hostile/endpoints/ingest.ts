import type { Dice } from '../dice.ts';
import type { Draft } from '../hostile-request.ts';
import { brokenJson, nastyText, nastyValue } from '../nasty-values.ts';
import { ACCOUNT_CALLERS, type World } from '../world.ts';

const SENDERS: readonly string[] = ['device key', 'forwarder key'];
/** Times at the edges of what a date may be, in milliseconds since 1970. */
const EDGES = [0, -1, 1, 8.64e15, -8.64e15, 8.64e15 + 1, 253_402_300_799_999, -62_135_596_800_000, 1e300, -1e300];
const DAY_MS = 86_400_000;

/** Positions by devices and Traccar servers, in all the forms in which they come. */
export function ingestRequest(dice: Dice, world: World): Draft {
  const caller = dice.weighted(ACCOUNT_CALLERS.map((name) => [SENDERS.includes(name) ? 8 : 1, name]));
  const body = dice.weighted<() => string | Buffer>([
    [8, () => JSON.stringify({ points: points(dice), ...(dice.chance(0.3) && { serial: serial(dice, world) }) })],
    [
      6,
      () =>
        JSON.stringify({ position: position(dice), device: device(dice, world), ...(dice.chance(0.1) && event(dice)) }),
    ],
    [4, () => JSON.stringify({ batch: odd(dice, batch(dice, world)) })],
    [2, () => JSON.stringify({ ...event(dice), device: device(dice, world) })],
    [1, () => JSON.stringify({ points: points(dice), position: position(dice), device: device(dice, world) })],
    [2, () => JSON.stringify({ points: nastyValue(dice), device: nastyValue(dice), position: nastyValue(dice) })],
    [2, () => brokenJson(dice)],
  ])();
  const type = dice.chance(0.9) ? 'application/json' : dice.pick(['text/plain', '', 'application/json;charset=latin1']);
  const headers = [...(world.callers[caller] ?? []), ['Content-Type', type] as const];
  return { caller, method: 'POST', target: '/api/v2/ingest', headers, body };
}

function batch(dice: Dice, world: World): unknown {
  return Array.from({ length: dice.below(5) }, () =>
    odd(dice, { serial: serial(dice, world), points: points(dice) }, 0.05),
  );
}

function points(dice: Dice): unknown {
  const count = dice.weighted([
    [10, dice.below(8)],
    [1, 60],
    [0.1, 1000],
    [0.05, 1001],
  ]);
  const start = moment(dice);
  return Array.from({ length: count }, (_, index) => {
    const point = {
      point: odd(dice, { lat: latitude(dice), lon: longitude(dice) }),
      timestamp: odd(dice, new Date(clamped(start + index * dice.below(9000))).toISOString()),
      ...(dice.chance(0.5) && { speed: odd(dice, dice.below(120)) }),
      ...(dice.chance(0.5) && { heading: odd(dice, dice.below(400)) }),
      ...(dice.chance(0.3) && {
        events: odd(dice, [dice.pick(['engine_start', 'engine_stop', 'x', nastyText(dice)])]),
      }),
    };
    return odd(dice, point, 0.01);
  });
}

function position(dice: Dice): unknown {
  return odd(dice, {
    latitude: odd(dice, latitude(dice)),
    longitude: odd(dice, longitude(dice)),
    fixTime: odd(dice, new Date(clamped(moment(dice))).toISOString()),
    speed: odd(dice, dice.below(80)),
    course: odd(dice, dice.below(360)),
    valid: odd(dice, true),
    attributes: odd(dice, { ignition: odd(dice, dice.chance(0.5)) }),
  });
}

function event(dice: Dice): { readonly event: unknown } {
  return { event: odd(dice, { type: dice.pick(['ignitionOn', 'deviceMoving', nastyText(dice)]) }, 0.2) };
}

function device(dice: Dice, world: World): unknown {
  return odd(dice, { uniqueId: odd(dice, serial(dice, world), 0.1) });
}

function serial(dice: Dice, { known }: World): string {
  return dice.chance(0.8) ? dice.pick(known.serial ?? []) : nastyText(dice);
}

function moment(dice: Dice): number {
  return dice.chance(0.1) ? dice.pick(EDGES) : Date.now() - dice.below(10 * DAY_MS) + (dice.chance(0.1) ? DAY_MS : 0);
}

function clamped(ms: number): number {
  return Math.min(Math.max(ms, -8.64e15), 8.64e15);
}

function latitude(dice: Dice): number {
  return dice.chance(0.9) ? 53 + dice.below(1000) / 1e4 : dice.pick([90, -90, 90.0000001, 0, -0, 1e-320, 91]);
}

function longitude(dice: Dice): number {
  return dice.chance(0.9) ? 8 + dice.below(1000) / 1e4 : dice.pick([180, -180, 180.0000001, 0, -0, 181]);
}

function odd(dice: Dice, value: unknown, probability = 0.01): unknown {
  return dice.chance(probability) ? nastyValue(dice) : value;
}
