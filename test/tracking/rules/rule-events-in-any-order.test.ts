import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { ingestHost, recordingDevice, type SentPoint } from '../../hosts/ingest-host.ts';
import { runSize } from '../../services/run-size.ts';
import { inRequests } from '../../services/sent-in-parts.ts';
import { atTime } from '../../resolvers/places/visit-world.ts';
import { drivenAt, expectedEvents, type MadeRule, rule, ruleEventsOf } from '../../resolvers/rules/rule-world.ts';

useDatabase();

/** When everybody has been silent for long, in seconds after noon: by the clock, after all requests. */
const LATER = Math.ceil(Date.now() / 1000 - Date.UTC(2026, 2, 1, 12) / 1000) + 200 * 86_400;

let host: Awaited<ReturnType<typeof ingestHost>>;
let owner: Awaited<ReturnType<typeof account>>;
let rules: MadeRule[];
/** Two limits of each kind, one of which is made while vehicles drive. */
beforeAll(async () => {
  host = await ingestHost();
  owner = await account();
  const limits = [
    [{ speed_limit: 50 }, -3600],
    [{ speed_limit: 70 }, 500],
    [{ silent_minutes: 15 }, -3600],
    [{ silent_minutes: 60 }, 500],
  ] as const;
  rules = [];
  for (const [limit, since] of limits) rules.push(await rule(host, owner.headers, limit, since));
});
afterAll(() => host.app.close());

const EVENTS = [[], [], [], [], [], ['engine_start'], ['engine_stop'], ['ignition_off']] as const;

const recording: fc.Arbitrary<SentPoint[]> = fc
  .array(
    fc.record({
      after: fc.constantFrom(1, 30, 150, 299, 899, 900, 20_000),
      speed: fc.constantFrom(0, 30, 55, 60, 75),
      events: fc.constantFrom(...EVENTS),
    }),
    { minLength: 1, maxLength: 16 },
  )
  .map((steps) => {
    let seconds = 0;
    return steps.map(({ after, speed, events }) => {
      seconds += after;
      return drivenAt(seconds, speed, ...events);
    });
  });

/** The same positions in requests: in any order, in any parts, some of them again, and at some time nothing for months. */
const delivered = recording.chain((points) =>
  fc.record({
    points: fc.constant(points),
    isInOrder: fc.boolean(),
    shuffled: fc.shuffledSubarray(points, { minLength: points.length }),
    again: fc.subarray(points),
    sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
    silentAfter: fc.nat(4),
  }),
);

test('positions in any order, in any parts and sent again make the same events of rules', async () => {
  await fc.assert(
    fc.asyncProperty(delivered, async ({ points, isInOrder, shuffled, again, sizes, silentAfter }) => {
      const device = await recordingDevice(owner);
      const sent = isInOrder ? points : [...shuffled, ...again];
      for (const [number, part] of inRequests(sent, sizes).entries()) {
        expect(await host.post(device.secret, { points: part })).toMatchObject({ status: 200 });
        if (number !== silentAfter) continue;
        await leasedWorkEnded(testService);
        await atTime(LATER, () => closeOfflineTrips(testService));
      }
      await leasedWorkEnded(testService);
      await atTime(LATER, () => closeOfflineTrips(testService));
      const isAsExpected = async () =>
        expect(await ruleEventsOf(host, device)).toEqual(await expectedEvents(host, device, points, rules, true));
      await isAsExpected();

      await host.post(device.secret, { points });
      await isAsExpected();
    }),
    { numRuns: runSize(12, 300) },
  );
}, 600_000);

test('two requests at once make the events that follow from all positions', async () => {
  for (let round = 0; round < runSize(2, 20); round++) {
    const device = await recordingDevice(owner);
    const points = Array.from({ length: 30 }, (_, at) => drivenAt(at * 20, at % 7 < 3 ? 60 : 40));
    const parts = [0, 1, 2].map((part) => points.filter((_, at) => at % 3 === part));
    const answers = await Promise.all(parts.map((part) => host.post(device.secret, { points: part })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const expected = await expectedEvents(host, device, points, rules, false);
    expect(expected.length).toBeGreaterThan(3);
    expect(await ruleEventsOf(host, device)).toEqual(expected);
  }
});
