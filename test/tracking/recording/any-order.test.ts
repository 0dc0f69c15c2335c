import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { account, SHORT_TRIPS } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost, recordingDevice, type SentPoint, seenTrips } from '../../hosts/ingest-host.ts';
import { runSize } from '../../services/run-size.ts';
import { inRequests } from '../../services/sent-in-parts.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

const EVENTS = [[], [], [], [], ['engine_start'], ['engine_stop'], ['ignition_off'], ['harsh_brake']] as const;

/** A position that is off its way by so many degrees: a jump, unless there is time to drive there. */
const movedNorth = (sent: SentPoint, north: number): SentPoint => ({
  ...sent,
  point: { ...sent.point, lat: sent.point.lat + north },
});

/** A recording: positions with some of these intervals. */
const recordingOf = (intervals: readonly number[], maxLength: number): fc.Arbitrary<SentPoint[]> =>
  fc
    .array(
      fc.record({
        after: fc.constantFrom(...intervals),
        events: fc.constantFrom(...EVENTS),
        north: fc.constantFrom(0, 0, 0, 0, 0.01),
      }),
      {
        minLength: 1,
        maxLength,
      },
    )
    .map((steps) => {
      let seconds = 0;
      return steps.map(({ after, events, north }) => {
        seconds += after;
        return movedNorth(at(seconds, ...events), north);
      });
    });

/** The same positions in requests: in any order, in any parts, some of them again. */
const deliveredOf = (recording: fc.Arbitrary<SentPoint[]>) =>
  recording.chain((points) =>
    fc.record({
      points: fc.constant(points),
      requests: fc
        .tuple(
          fc.shuffledSubarray(points, { minLength: points.length }),
          fc.subarray(points),
          fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
        )
        .map(([shuffled, again, sizes]) => inRequests([...shuffled, ...again], sizes)),
    }),
  );

test.each([
  { about: 'the gap that is set', gap_seconds: 300, intervals: [1, 30, 150, 299, 300, 400, 30_000], max: 14 },
  { about: 'a usual gap', gap_seconds: null, intervals: [30, 400, 1000, 1000, 1200, 1800, 3500, 3600], max: 40 },
])('positions in any order, in parts and sent again make the trips of one request: $about', async (row) => {
  const owner = await account({ trip_settings: { ...SHORT_TRIPS, gap_seconds: row.gap_seconds } });
  const delivered = deliveredOf(recordingOf(row.intervals, row.max));
  await fc.assert(
    fc.asyncProperty(delivered, async ({ points, requests }) => {
      const atOnce = await recordingDevice(owner);
      const inParts = await recordingDevice(owner);
      expect((await host.post(atOnce.secret, { points })).body).toMatchObject({
        accepted: points.length,
        duplicates: 0,
      });
      let accepted = 0;
      for (const part of requests) {
        const { body } = await host.post(inParts.secret, { points: part });
        accepted += (body as { accepted: number }).accepted;
      }
      expect(accepted).toBe(points.length);
      const trips = await seenTrips(host, atOnce);
      expect(await seenTrips(host, inParts)).toEqual(trips);

      await silently(() => closeOfflineTrips(testService));
      expect(await seenTrips(host, inParts)).toEqual(trips);
      expect(await seenTrips(host, atOnce)).toEqual(trips);
      const again = { accepted: 0, duplicates: points.length, refused: null };
      expect((await host.post(inParts.secret, { points })).body).toEqual(again);
      expect(await seenTrips(host, inParts)).toEqual(trips);
    }),
    { numRuns: runSize(4, 20) },
  );
});

/** Does something 16 minutes later. */
async function silently(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}
