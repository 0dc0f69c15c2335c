import { TRIP_LIMITS, type TripLimits } from '../../../models/trips/trip-limits.ts';
import type { Dice } from '../hostile/dice.ts';

import { type Fix, moved, type Rhythm } from './fixes.ts';
import type { DayPlan, Truth } from './truth.ts';

/** A kind of device, with what is wrong with it. */
export interface Device {
  readonly name: string;
  readonly rhythm: Rhythm;
  readonly day: DayPlan;
  /** Most fixes in a row that are not believed, so that nothing is known meanwhile; none if omitted. */
  readonly unbelieved?: number;
  /** Settings of the device in the service; the defaults if omitted. */
  readonly limits?: TripLimits;
  /** True if positions arrive after later ones: until all have, a trip that goes on may seem to have begun or ended. */
  readonly isLate?: true;
  /** The fixes that are sent in place of faultless ones, in the order in which it arrives. */
  readonly send: (fixes: readonly Fix[], dice: Dice, truth: Truth) => Fix[];
}

const MINUTE = 60;
const DAY: DayPlan = { trips: 3, drivesPerTrip: 1, stay: 8 * MINUTE, maxStay: 90 * MINUTE };
const LONG_STAYS: DayPlan = { ...DAY, stay: 20 * MINUTE, maxStay: 180 * MINUTE };
const SLEEPING: Rhythm = { every: 10, parked: null, scatter: 5 };
const AWAKE: Rhythm = { every: 10, parked: 60, scatter: 10 };

const asTheyAre = (fixes: readonly Fix[]) => [...fixes];

/** Fixes with a state of the ignition each. */
function withIgnition(state: (fix: Fix, dice: Dice, truth: Truth) => boolean | null): Device['send'] {
  return (fixes, dice, truth) => fixes.map((fix) => ({ ...fix, ignition: state(fix, dice, truth) }));
}

/** Runs of fixes that are changed together, each beginning with a probability and up to so long. */
function inRuns(
  fixes: readonly Fix[],
  dice: Dice,
  chance: number,
  maxLength: number,
  change: (run: Fix[]) => Fix[],
): Fix[] {
  const sent: Fix[] = [];
  for (let i = 0; i < fixes.length; ) {
    const length = i > 0 && dice.chance(chance) ? 1 + dice.below(maxLength) : 0;
    if (length > 0) sent.push(...change(fixes.slice(i, i + length)));
    sent.push(...fixes.slice(i + length, i + length + 4));
    i += length + 4;
  }
  return sent;
}

/** A direction, and a distance between two in meters, short ones as often as long ones. */
function somewhere(dice: Dice, least: number, most: number): readonly [east: number, north: number] {
  const meters = least * (most / least) ** (dice.below(1000) / 1000);
  const angle = dice.below(360) * (Math.PI / 180);
  return [meters * Math.cos(angle), meters * Math.sin(angle)];
}

/** Messages at each change of the ignition, each followed by one with the state before. */
const statesBefore: Device['send'] = (fixes, _, truth) => {
  const changes = truth.trips.flatMap(({ start, end }) => [
    { at: start, ignition: true },
    { at: end, ignition: false },
  ]);
  return fixes.flatMap((fix, i) => {
    const before = fixes[i - 1]?.at ?? -1;
    const change = changes.find(({ at }) => at > before && at <= fix.at);
    if (!change) return [fix];
    return [
      { ...fix, ignition: change.ignition },
      { ...fix, at: fix.at + 1, ignition: !change.ignition },
    ];
  });
};

/** Requests that arrive late: fixes in parts, parts in any order. */
const outOfOrder: Device['send'] = (fixes, dice) => {
  const parts: Fix[][] = [];
  for (let i = 0; i < fixes.length; ) {
    const size = 1 + dice.below(40);
    parts.push(fixes.slice(i, i + size));
    i += size;
  }
  return parts
    .map((part, i) => ({ part, rank: i + dice.below(12) }))
    .toSorted((a, b) => a.rank - b.rank)
    .flatMap(({ part }) => (dice.chance(0.3) ? part.toReversed() : part));
};

/** The kinds of devices that are simulated. */
export const DEVICES: readonly Device[] = [
  { name: 'faultless, 10 s', rhythm: SLEEPING, day: DAY, send: asTheyAre },
  { name: 'faultless, 1 s', rhythm: { ...SLEEPING, every: 1 }, day: DAY, send: asTheyAre },
  { name: 'ignition wire not connected', rhythm: AWAKE, day: DAY, send: withIgnition(() => false) },
  {
    name: 'flipping ignition',
    rhythm: AWAKE,
    day: DAY,
    send: withIgnition(({ at }, dice, truth) => (truth.isMoving(at) ? dice.chance(0.7) : dice.chance(0.1))),
  },
  { name: 'ignition followed by the state before', rhythm: SLEEPING, day: DAY, send: statesBefore },
  {
    name: 'phone that reports from home each 30 min',
    rhythm: { every: 10, parked: 30 * MINUTE, scatter: 30 },
    day: LONG_STAYS,
    send: asTheyAre,
  },
  {
    name: 'one fix each 10 min',
    rhythm: { every: 10 * MINUTE, parked: 10 * MINUTE, scatter: 10 },
    day: { trips: 3, drivesPerTrip: 3, stay: 25 * MINUTE, maxStay: 180 * MINUTE },
    send: asTheyAre,
  },
  {
    name: 'one fix each 30 min, with a gap of 40 min',
    rhythm: { every: 30 * MINUTE, parked: 30 * MINUTE, scatter: 10 },
    day: { trips: 2, drivesPerTrip: 6, stay: 75 * MINUTE, maxStay: 300 * MINUTE },
    limits: { ...TRIP_LIMITS, gap: 40 * MINUTE * 1000 },
    send: asTheyAre,
  },
  {
    name: 'parked, continues to report',
    rhythm: { ...AWAKE, scatter: 15 },
    day: { ...DAY, maxStay: 600 * MINUTE },
    send: (fixes, dice, truth) =>
      inRuns(fixes, dice, 0.01, 3, (run) => {
        const [east, north] = somewhere(dice, 40, 150);
        return run.map((fix) => (truth.isMoving(fix.at) ? fix : moved(fix, east, north)));
      }),
  },
  { name: 'out of order, in parts', rhythm: AWAKE, day: DAY, isLate: true, send: outOfOrder },
  {
    name: '0, 0 before the first fix',
    rhythm: SLEEPING,
    day: DAY,
    send: (fixes, dice) =>
      fixes.flatMap((fix, i) => {
        const isFirst = fix.at - (fixes[i - 1]?.at ?? -Infinity) > 5 * MINUTE;
        const zeros = isFirst
          ? dice.some(5, () => 0).map((_, n) => ({ ...fix, at: fix.at - 2 * n - 2, lat: 0, lon: 0 }))
          : [];
        return [...zeros.toReversed(), fix];
      }),
  },
  {
    name: 'fixes of cell towers',
    rhythm: AWAKE,
    day: DAY,
    unbelieved: 3,
    send: (fixes, dice) =>
      inRuns(fixes, dice, 0.05, 3, (run) => {
        const [east, north] = somewhere(dice, 500, 3000);
        return run.map((fix) => ({ ...moved(fix, east, north), accuracy: 1000 + dice.below(2000) }));
      }),
  },
  {
    name: 'one to three fixes that jump away',
    rhythm: SLEEPING,
    day: DAY,
    send: (fixes, dice) =>
      inRuns(fixes, dice, 0.05, 3, (run) => {
        const [east, north] = somewhere(dice, 1500, 500_000);
        return run.map((fix) => moved(fix, east, north));
      }),
  },
  {
    name: 'spikes of speed',
    rhythm: SLEEPING,
    day: DAY,
    send: (fixes, dice) =>
      inRuns(fixes, dice, 0.05, 1, (run) => run.map((fix) => ({ ...fix, speed: 80 + dice.below(120) }))),
  },
  { name: 'basement at both ends', rhythm: { ...SLEEPING, basement: 240 }, day: LONG_STAYS, send: asTheyAre },
  {
    name: 'sends everything again',
    rhythm: AWAKE,
    day: DAY,
    send: (fixes, dice) =>
      fixes.flatMap((fix, i) => [fix, ...(dice.chance(0.3) ? fixes.slice(Math.max(0, i - 5), i) : [])]),
  },
];
