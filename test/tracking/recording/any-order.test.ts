import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { account, SHORT_TRIPS } from '../../services/account-fixture.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost, recordingDevice, type SentPoint, seenTrips } from '../../hosts/ingest-host.ts';
import { canSay, INGEST_PATHS, pointOf } from '../../hosts/ingest-paths.ts';
import { storedPositions } from '../../hosts/stored-positions.ts';
import { runSize } from '../../services/run-size.ts';
import { inRequests } from '../../services/sent-in-parts.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

const START = Date.UTC(2026, 2, 1, 12);

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

const PATHS = Object.keys(INGEST_PATHS);

/** Messages of a device, each on any path that can say it, and the numbers of the messages in any order. */
const saidOnPaths = fc
  .array(
    fc.record({
      after: fc.constantFrom(10, 30, 70, 150, 400),
      meters: fc.constantFrom(0, 20, 300, 300),
      hasFix: fc.constantFrom(true, true, true, false),
      ignition: fc.constantFrom(undefined, true, false),
      alarm: fc.constantFrom(undefined, undefined, undefined, 'sos', 'tow'),
      path: fc.constantFrom(...PATHS),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((steps) => {
    let [time, east] = [START, 0];
    return steps.map(({ after, meters, hasFix, path, ignition, alarm }) => {
      time += after * 1000;
      east += meters;
      const place = hasFix ? ([53, 8 + east / 67_000] as const) : null;
      const given = { ...(ignition !== undefined && { ignition }), ...(alarm !== undefined && { alarm }) };
      const saying = { at: new Date(time), place, ...given };
      return { path: canSay(path, saying) ? path : 'Traccar', saying };
    });
  })
  .chain((said) => fc.tuple(fc.constant(said), fc.shuffledSubarray([...said.keys()], { minLength: said.length })));

test('messages on any paths, in any order, make the trips, stays, events and positions of one sorted request', async () => {
  await fc.assert(
    fc.asyncProperty(saidOnPaths, async ([said, order]) => {
      const [atOnce, inParts] = [await recordingDevice(), await recordingDevice()];
      const { secret } = await issueIngestKey(testService, { account_key: inParts.owner.key, device_key: null });
      await host.post(atOnce.secret, { points: said.map(({ saying }) => pointOf(saying)) });
      for (const number of order) {
        const { path = '', saying } = said[number] ?? {};
        const answer = saying && (await INGEST_PATHS[path]?.(host, inParts, saying, secret));
        expect(answer).toMatchObject({ status: 200 });
      }
      await leasedWorkEnded(testService);
      expect(await seenTrips(host, inParts)).toEqual(await seenTrips(host, atOnce));
      expect(await eventsOf(inParts)).toEqual(await eventsOf(atOnce));
      expect(await staysOf(inParts)).toEqual(await staysOf(atOnce));
      // Where a message has no fix, its place is the last known one when it came.
      const readings = async (device: typeof atOnce) =>
        (await storedPositions(device)).map(({ place, words, ...facts }) => ({
          ...facts,
          words: words.toSorted(),
          ...(!words.includes('!invalid') && { place }),
        }));
      expect(await readings(inParts)).toEqual(await readings(atOnce));
    }),
    { numRuns: runSize(10, 100) },
  );
});

/** The events of the account of a device: names and times. */
async function eventsOf({ owner }: Awaited<ReturnType<typeof recordingDevice>>) {
  const { events } = await host.ask('{ events(first: 1000) { nodes { event timestamp } } }', owner.headers);
  return (events as { nodes: { event: string; timestamp: string }[] }).nodes
    .map(({ event, timestamp }) => `${timestamp} ${event}`)
    .toSorted();
}

/** The stays of the vehicle of a device. */
async function staysOf({ owner, vehicle_key }: Awaited<ReturnType<typeof recordingDevice>>) {
  const fields = 'start_timestamp end_timestamp duration_seconds point { lat lon }';
  return (await host.ask(`{ stays(vehicle_key: "${vehicle_key}") { nodes { ${fields} } } }`, owner.headers)).stays;
}

/** Does something 16 minutes later. */
async function silently(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}
