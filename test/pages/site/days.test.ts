import { afterEach, beforeEach, expect, test } from 'vitest';

import { parseDateTime } from '../../../schema/date-time.ts';

/** Exports of the page's script, which is served as written and has no types. */
interface Days {
  dayOf(moment: Date): string;
  startOfDay(day: string): string;
}

const MODULE: string = '../../../pages/site/browser/days.js';
const zone = process.env.TZ;
let days: Days;

beforeEach(async () => {
  days = (await import(MODULE)) as Days;
});
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test.each([
  ['Europe/Berlin', '2026-11-21', '2026-11-21T00:00:00+01:00'],
  ['Europe/Berlin', '2026-07-01', '2026-07-01T00:00:00+02:00'],
  ['America/St_Johns', '2026-01-31', '2026-01-31T00:00:00-03:30'],
  ['Asia/Kathmandu', '2028-02-29', '2028-02-29T00:00:00+05:45'],
  ['UTC', '2026-01-01', '2026-01-01T00:00:00+00:00'],
])('in %s, %s begins at %s', (name, day, start) => {
  process.env.TZ = name;
  expect(days.startOfDay(day)).toBe(start);
  const instant = parseDateTime(start)?.instant ?? Number.NaN;
  expect(days.dayOf(new Date(instant))).toBe(day);
  expect(days.dayOf(new Date(instant - 1))).not.toBe(day);
});
