import { Dice } from '../hostile/dice.ts';

import { DEVICES, type Device } from './devices.ts';
import type { Drive } from './drives.ts';
import { type Fix, fixesOf } from './fixes.ts';
import { foundIn, type Outcome, type Score, scoreOf, sumOf, toleranceOf } from './score.ts';
import { dayOf } from './truth.ts';

/** Requests into which a recording is divided to see what is shown meanwhile. */
const REQUESTS = 40;

/** A row of the table: a kind of device, and its score. */
export interface Row extends Score {
  readonly device: string;
  /** Seconds within which starts and ends are right. */
  readonly within: number;
}

/** A day of a device: what is true, and what it sends. */
export type Day = Omit<Outcome, 'found' | 'shown'> & { readonly sent: readonly Fix[]; readonly dice: Dice };

/** The same day for the same seed. */
export function makeDay(device: Device, drives: readonly Drive[], seed: string): Day {
  const dice = new Dice(`${device.name} ${seed}`);
  const truth = dayOf(dice, drives, device.day);
  const fixes = fixesOf(dice, truth, device.rhythm);
  return { device, truth, fixes, sent: device.send(fixes, dice, truth), dice };
}

/** Cuts each day after each request, without a service. */
export function outcomeOf({ sent, ...day }: Day): Outcome {
  const size = Math.ceil(sent.length / REQUESTS);
  const shown = Array.from({ length: REQUESTS }, (_, i) => foundIn(sent.slice(0, (i + 1) * size), day.device.limits));
  return { ...day, found: shown.at(-1) ?? [], shown };
}

/** Simulates days of each kind of device. */
export function runCampaign(drives: readonly Drive[], days: number, seed: string, devices = DEVICES): Row[] {
  return devices.map((device) => {
    const scores = Array.from({ length: days }, (_, day) =>
      scoreOf(outcomeOf(makeDay(device, drives, `${seed} ${day}`))),
    );
    return { device: device.name, within: toleranceOf(device), ...sumOf(scores) };
  });
}
