import { expect, test } from 'vitest';

import { DEMO_FLEET, DEMO_GROUPS, RESTRICTED_GROUP } from '../../../server/demo/fleet.ts';
import { simulatedTrips } from '../../../server/demo/simulated-trips.ts';
import { haversineMeters } from '../../../tracking/geometry/haversine.ts';

/** A Friday evening. */
const UNTIL = new Date('2026-11-20T21:00:00Z');
const DAY_MS = 86_400_000;

test('vehicles say that they are simulated, and belong to groups that there are', () => {
  const names = DEMO_GROUPS.map(({ name }) => name);
  for (const { nickname, group } of DEMO_FLEET) {
    expect(nickname).toMatch(/ \(simulated\)$/);
    expect(names).toContain(group);
  }
  expect(names).toContain(RESTRICTED_GROUP);
});

test.each(DEMO_FLEET.map((car) => [car.nickname, car] as const))('%s drives on the days up to the moment', (_, car) => {
  const trips = [...simulatedTrips(car, UNTIL)];
  const days = new Set(trips.map(({ time }) => Math.floor((time[0] ?? 0) / DAY_MS)));
  expect(days.size).toBe(car.schedule.onWeekends ? 14 : 10);
  expect(Math.max(...days)).toBe(Math.floor(UNTIL.getTime() / DAY_MS));
  let last = 0;
  for (const { time } of trips) {
    expect(time[0]).toBeGreaterThan(last);
    last = time.at(-1) ?? 0;
  }
  expect(last).toBeLessThanOrEqual(UNTIL.getTime());
});

test.each(DEMO_FLEET.map((car) => [car.nickname, car] as const))('%s drives as a car can', (_, car) => {
  for (const { length, time, lat, lon, speed, events } of simulatedTrips(car, UNTIL)) {
    expect(length).toBeGreaterThan(60);
    expect(events.get(0)).toEqual(['engine_start']);
    expect(events.get(length - 1)).toEqual(['engine_stop']);
    let driven = 0;
    let reported = 0;
    const steps = new Set<number>();
    let fastest = 0;
    let hardest = 0;
    for (let i = 1; i < length; i++) {
      const seconds = ((time[i] ?? 0) - (time[i - 1] ?? 0)) / 1000;
      const meters = haversineMeters(lat[i - 1] ?? 0, lon[i - 1] ?? 0, lat[i] ?? 0, lon[i] ?? 0);
      steps.add(seconds);
      fastest = Math.max(fastest, meters / seconds);
      hardest = Math.max(hardest, Math.abs((speed[i] ?? 0) - (speed[i - 1] ?? 0)) / seconds);
      driven += meters;
      reported += (((speed[i] ?? 0) + (speed[i - 1] ?? 0)) / 2) * seconds;
    }
    expect([...steps]).toEqual([3]);
    expect(fastest).toBeLessThan(36);
    expect(hardest).toBeLessThan(4);
    expect(reported / driven).toBeCloseTo(1, 1);
    expect([speed[0], speed[length - 1]]).toEqual([0, 0]);
  }
});

test('the same moment gives the same trips, which an interrupted start relies upon', () => {
  const [car] = DEMO_FLEET;
  if (!car) throw new Error('There is no vehicle');
  expect([...simulatedTrips(car, UNTIL)]).toEqual([...simulatedTrips(car, UNTIL)]);
});

test('an earlier moment has fewer trips, and the same ones on the days that both have', () => {
  const [car] = DEMO_FLEET;
  if (!car) throw new Error('There is no vehicle');
  const noon = [...simulatedTrips(car, new Date('2026-11-20T10:00:00Z'))];
  const evening = [...simulatedTrips(car, UNTIL)];
  expect(noon.length).toBeLessThan(evening.length);
  expect(evening.slice(0, noon.length)).toEqual(noon);
});
