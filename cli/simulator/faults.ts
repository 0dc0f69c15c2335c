import { storedDegrees } from '../../models/trips/trip-points-codec.ts';
import { Random } from '../../server/demo/random.ts';
import { METERS_PER_DEGREE } from '../../server/demo/route.ts';

import type { Delivery, SimulatedPoint, SimulatedVehicle } from './recordings.ts';

/** Choices of `--faults`. */
export const FAULTS = ['none', 'default'] as const;

/** A choice of `--faults`. */
export type Faults = (typeof FAULTS)[number];

/** Shares of positions with each fault. */
const LATE = 0.03;
const REPEATED = 0.02;
const JUMPING = 0.005;
/** Share of the positions after which a device is silent, and for how many positions. */
const SILENT = 0.002;
const SILENT_POSITIONS = [10, 60] as const;
/** Share of the drives whose end is not reported, as when the battery is disconnected. */
const WITHOUT_STOP = 0.05;
/** Number of positions after which a late one is sent. */
const LATE_BY = [1, 12] as const;
/** Meters by which a receiver errs when it jumps. */
const JUMP_METERS = [200, 3000] as const;

/**
 * Delivers recordings as real devices do: some late, after later ones; some repeated; some a few hundred meters beside the
 * road; some never, in a stretch of silence; and some drives without their `engine_stop`. The same for the same vehicle.
 */
export function* withFaults(
  recordings: Iterable<Delivery>,
  { seed, number, everySeconds }: SimulatedVehicle,
): Generator<Delivery> {
  const random = new Random(`${seed} faults of ${number}`);
  let silent = 0;
  for (const { due: recorded, point } of recordings) {
    if (random.next() < SILENT) silent = Math.floor(random.between(...SILENT_POSITIONS));
    if (silent > 0) {
      silent--;
      continue;
    }
    const sent = withoutStop(random.next() < JUMPING ? jumped(point, random) : point, random);
    const lateBy = random.next() < LATE ? Math.floor(random.between(...LATE_BY)) : 0;
    const due = recorded + lateBy * everySeconds * 1000;
    yield { due, point: sent };
    if (random.next() < REPEATED) yield { due: due + everySeconds * 1000, point: sent };
  }
}

function jumped(sent: SimulatedPoint, random: Random): SimulatedPoint {
  const off = random.between(...JUMP_METERS) / METERS_PER_DEGREE;
  const { lat, lon } = sent.point;
  const moved = { lat: storedDegrees(lat + off * random.around()), lon: storedDegrees(lon + off * random.around()) };
  return { ...sent, point: moved };
}

function withoutStop(sent: SimulatedPoint, random: Random): SimulatedPoint {
  if (!sent.events?.includes('engine_stop') || random.next() >= WITHOUT_STOP) return sent;
  const { events: _events, ...rest } = sent;
  return rest;
}
