import { rm } from 'node:fs/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { fullTest, runSize } from '../services/run-size.ts';

import { type Fleet, makeFleet } from './virtual/fleet.ts';
import { failEachAccess, simulateDay } from './virtual/simulate-day.ts';

/** Days, and the busy times of each. */
const [DAYS, BUSY_TIMES] = runSize([1, 1], [10, 4]);
/** Accesses to the disk from one that fails to the next. */
const STEP = runSize(150, 7);

let fleet: Fleet;
beforeAll(async () => {
  fleet = await makeFleet();
});
afterAll(() => rm(fleet.folder, { recursive: true }));

test('simulated days of faults lose, double and reorder nothing, and each answers in time', async () => {
  for (let day = 1; day <= DAYS; day++) {
    const { findings, counts } = await simulateDay(fleet, String(day), BUSY_TIMES);
    expect({ day, findings }).toEqual({ day, findings: [] });
    expect([...counts.keys()].filter((name) => name.startsWith('fault: ')).length).toBeGreaterThan(2);
  }
}, 900_000);

test('a disk that fails once, at whichever access to it, loses, doubles and reorders nothing', async () => {
  const { findings, counts } = await failEachAccess(fleet, 5, STEP);
  expect(findings).toEqual([]);
  for (const fault of ['full write', 'broken write', 'broken read'])
    expect(counts.get(`fault: ${fault}`)).toBeGreaterThan(1);
}, 900_000);

fullTest('the same seed is the same day, once all modules have been used', async () => {
  const [one, other, third] = [
    await simulateDay(fleet, '1', 1),
    await simulateDay(fleet, '1', 1),
    await simulateDay(fleet, '2', 1),
  ];
  expect([other.trace, other.happened]).toEqual([one.trace, one.happened]);
  expect(third.trace).not.toBe(one.trace);
});
