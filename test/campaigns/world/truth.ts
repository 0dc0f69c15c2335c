import type { Dice } from '../hostile/dice.ts';

import { type Drive, type Moment, movedTo } from './drives.ts';

/** A drive that took place, in seconds since the beginning. */
export interface TrueTrip {
  readonly start: number;
  readonly end: number;
}

/** The drives and stays of a vehicle, as they really were. */
export interface Truth {
  readonly trips: readonly TrueTrip[];
  readonly end: number;
  readonly at: (seconds: number) => Moment;
  readonly isMoving: (seconds: number) => boolean;
}

/** The parts of a day. */
export interface DayPlan {
  readonly trips: number;
  /** Drives that follow each other in a trip, with pauses shorter than a stay. */
  readonly drivesPerTrip: number;
  /** The shortest stay, in seconds. */
  readonly stay: number;
  /** The longest stay, in seconds. */
  readonly maxStay: number;
}

/** Longest pause that belongs to a trip, in seconds: a barrier, a school, a jam. */
const MAX_PAUSE = 240;

/** Drives with stays of known length before, between and after them. */
export function dayOf(dice: Dice, drives: readonly Drive[], plan: DayPlan): Truth {
  const moments: Moment[] = [{ at: 0, east: 0, north: 0 }];
  const trips: TrueTrip[] = [];
  const now = (): Moment => moments.at(-1) ?? { at: 0, east: 0, north: 0 };
  const stand = (least: number, most: number) =>
    moments.push({ ...now(), at: now().at + least + dice.below(most - least) });
  stand(plan.stay, plan.maxStay);
  for (let trip = 0; trip < plan.trips; trip++) {
    const start = now().at;
    for (let drive = 0; drive < plan.drivesPerTrip; drive++) {
      if (drive > 0) stand(20, MAX_PAUSE);
      moments.push(...movedTo(dice.pick(drives), now(), dice.below(360) * (Math.PI / 180)).slice(1));
    }
    trips.push({ start, end: now().at });
    stand(plan.stay, plan.maxStay);
  }
  return {
    trips,
    end: now().at,
    at: (seconds) => momentAt(moments, seconds),
    isMoving: (seconds) => trips.some(({ start, end }) => seconds >= start && seconds < end),
  };
}

function momentAt(moments: readonly Moment[], at: number): Moment {
  let [low, high] = [0, moments.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((moments[middle]?.at ?? 0) <= at) low = middle;
    else high = middle;
  }
  const [from, to] = [moments[low], moments[high]];
  if (!from || !to) throw new RangeError('There is no moment');
  const part = to.at === from.at ? 0 : Math.min(1, Math.max(0, (at - from.at) / (to.at - from.at)));
  const between = (one: number, other: number) => one + (other - one) * part;
  return { at, east: between(from.east, to.east), north: between(from.north, to.north) };
}
