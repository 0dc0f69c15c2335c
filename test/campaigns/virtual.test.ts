import { rm } from 'node:fs/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { runSize } from '../services/run-size.ts';

import { type Fleet, makeFleet } from './virtual/fleet.ts';
import { simulateDay } from './virtual/simulate-day.ts';

/** Days, and the busy times of each. */
const [DAYS, BUSY_TIMES] = runSize([1, 1], [10, 4]);

let fleet: Fleet;
beforeAll(async () => {
  fleet = await makeFleet();
});
afterAll(() => rm(fleet.folder, { recursive: true }));

test('simulated days of faults lose, double and reorder nothing, and are the same for the same seed', async () => {
  const traces = new Set<string>();
  for (let day = 1; day <= DAYS; day++) {
    const { findings, counts, trace } = await simulateDay(fleet, String(day), BUSY_TIMES);
    expect({ day, findings }).toEqual({ day, findings: [] });
    expect([...counts.keys()].filter((name) => name.startsWith('fault: ')).length).toBeGreaterThan(2);
    traces.add(trace);
  }
  expect(traces.size).toBe(DAYS);
  expect(traces).toContain((await simulateDay(fleet, '1', BUSY_TIMES)).trace);
}, 900_000);
