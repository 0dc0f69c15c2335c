import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { ingestHost, recordingDevice, type SentPoint } from '../../hosts/ingest-host.ts';
import { runSize } from '../../services/run-size.ts';
import { inRequests } from '../../services/sent-in-parts.ts';
import {
  atTime,
  type Border,
  circle,
  expectedStays,
  inOrder,
  type MadeCircle,
  pointAt,
  request,
  stays,
  visitsOf,
} from '../../resolvers/places/visit-world.ts';

useDatabase();

/** When a circle is made late, another is moved, in seconds after noon. */
const LATE = 700;

let host: Awaited<ReturnType<typeof ingestHost>>;
let owner: Awaited<ReturnType<typeof account>>;
let circles: MadeCircle[];
/** Circles that overlap, with borders, one that is made while vehicles drive, and one that is moved then. */
beforeAll(async () => {
  host = await ingestHost();
  owner = await account();
  const made = async (east: number, since: number, border: Partial<Border> = {}) => ({
    key: await circle(host, owner.headers, east, since, border),
    ...{ east, since, ...border },
  });
  const moved = await made(8, -3600, { border_meters: 150, border_seconds: 0, dwell_seconds: 150 });
  circles = [
    await made(0, -3600),
    await made(0, -3600, { border_meters: 0 }),
    await made(2, -3600, { border_meters: 100, border_seconds: 200, dwell_seconds: 60 }),
    await made(4, LATE, { border_meters: 100 }),
  ];
  const input = { point: pointAt(0, 6).point };
  await atTime(LATE, () => request(host, 'POST', `/place/${moved.key}`, owner.headers, input));
  // One place by two circles: a stay may go on from one to the other.
  circles.push({ ...moved, until: LATE }, { ...moved, east: 6, since: LATE });
});
afterAll(() => host.app.close());

const EVENTS = [[], [], [], [], [], ['engine_start'], ['engine_stop'], ['ignition_off']] as const;

const recording: fc.Arbitrary<SentPoint[]> = fc
  .array(
    fc.record({
      after: fc.constantFrom(1, 30, 150, 299, 300, 30_000),
      east: fc.constantFrom(-5, 0, 1, 2, 3, 4, 7),
      events: fc.constantFrom(...EVENTS),
    }),
    { minLength: 1, maxLength: 16 },
  )
  .map((steps) => {
    let seconds = 0;
    return steps.map(({ after, east, events }) => {
      seconds += after;
      return pointAt(seconds, east, ...events);
    });
  });

/** The same positions in requests: in any order, in any parts, some of them again. */
const delivered = recording.chain((points) =>
  fc.record({
    points: fc.constant(points),
    isInOrder: fc.boolean(),
    shuffled: fc.shuffledSubarray(points, { minLength: points.length }),
    again: fc.subarray(points),
    sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
  }),
);

test('positions in any order, in any parts and sent again make the visits that follow from the trips', async () => {
  await fc.assert(
    fc.asyncProperty(delivered, async ({ points, isInOrder, shuffled, again, sizes }) => {
      const device = await recordingDevice(owner);
      const sent = isInOrder ? points : [...shuffled, ...again];
      for (const part of inRequests(sent, sizes)) {
        expect(await host.post(device.secret, { points: part })).toMatchObject({ status: 200 });
      }
      const seen = async () => inOrder(stays(await visitsOf(host, device)));
      const expected = await expectedStays(host, device, circles);
      expect(await seen()).toEqual(expected);
      const keys = (await visitsOf(host, device)).map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);

      await leasedWorkEnded(testService);
      await atTime(200 * 86_400, () => closeOfflineTrips(testService));
      expect(await seen()).toEqual(expected);
      await host.post(device.secret, { points });
      expect(await seen()).toEqual(expected);
    }),
    { numRuns: runSize(25, 300) },
  );
}, 600_000);

test('two requests at once make the visits that follow from the trips', async () => {
  for (let round = 0; round < runSize(3, 20); round++) {
    const device = await recordingDevice(owner);
    const points = Array.from({ length: 30 }, (_, at) => pointAt(at * 20, at % 7 < 3 ? 0 : -5));
    const parts = [0, 1, 2].map((part) => points.filter((_, at) => at % 3 === part));
    const answers = await Promise.all(parts.map((part) => host.post(device.secret, { points: part })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const expected = await expectedStays(host, device, circles);
    expect(expected.length).toBeGreaterThan(3);
    expect(inOrder(stays(await visitsOf(host, device)))).toEqual(expected);
  }
});
