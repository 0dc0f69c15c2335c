import { rm } from 'node:fs/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { runSize } from '../services/run-size.ts';

import { type Fleet, makeFleet } from './virtual/fleet.ts';
import { simulateDay } from './virtual/simulate-day.ts';

const DAYS = runSize(2, 20);

let fleet: Fleet;
beforeAll(async () => {
  fleet = await makeFleet();
});
afterAll(() => rm(fleet.folder, { recursive: true }));

test('simulated days of faults lose, double and reorder nothing, and each answers in time', async () => {
  for (let day = 1; day <= DAYS; day++) {
    const { findings, counts } = await simulateDay(fleet, String(day));
    expect({ day, findings }).toEqual({ day, findings: [] });
    expect([...counts.keys()].some((name) => name.startsWith('fault: kill'))).toBe(true);
  }
}, 600_000);

test('the same seed is the same day', async () => {
  const [one, other, third] = [
    await simulateDay(fleet, '1'),
    await simulateDay(fleet, '1'),
    await simulateDay(fleet, '2'),
  ];
  expect([other.trace, other.happened]).toEqual([one.trace, one.happened]);
  expect(third.trace).not.toBe(one.trace);
}, 600_000);
