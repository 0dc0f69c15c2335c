import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { drivenPoints } from '../../fixtures/driven-points.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { ingestHost, recordingDevice, type SentPoint } from '../../hosts/ingest-host.ts';
import { account, vehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';
import { runSize } from '../../services/run-size.ts';
import { inRequests } from '../../services/sent-in-parts.ts';
import { pointAt, request } from '../places/visit-world.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let owner: Awaited<ReturnType<typeof account>>;
beforeAll(async () => {
  host = await ingestHost();
  owner = await account();
});
afterAll(() => host.app.close());

interface Span {
  readonly start_timestamp: string;
  readonly end_timestamp: string | null;
}

/** Reads all stays of a vehicle in pages from the end of the list. */
async function staysFromEnd(vehicle_key: string, size: number, window: string): Promise<[number, number][]> {
  const found: Span[] = [];
  for (let cursor = ''; ; ) {
    const page = `nodes { start_timestamp end_timestamp } page_info { has_previous_page start_cursor }`;
    const source = `{ stays(vehicle_key: "${vehicle_key}", last: ${size}${window}${cursor}) { ${page} } }`;
    const { stays } = (await host.ask(source, owner.headers)) as {
      readonly stays: {
        readonly nodes: readonly Span[];
        readonly page_info: { readonly has_previous_page: boolean; readonly start_cursor: string };
      };
    };
    found.unshift(...stays.nodes);
    if (!stays.page_info.has_previous_page) return spansOf(found);
    cursor = `, before: "${stays.page_info.start_cursor}"`;
  }
}

/** Reads all stays of a vehicle in pages. */
async function staysOf(vehicle_key: string, size: number, query = ''): Promise<[number, number][]> {
  const found: Span[] = [];
  for (let cursor = ''; ; ) {
    const page = `/stays?vehicle_key=${vehicle_key}&size=${size}${query}${cursor}`;
    const { body } = await request(host, 'GET', page, owner.headers);
    found.push(...(body.stays as Span[]));
    if (body.cursor === undefined) break;
    cursor = `&cursor=${body.cursor}`;
  }
  return spansOf(found);
}

function spansOf(stays: readonly Span[]): [number, number][] {
  return stays.map(({ start_timestamp, end_timestamp }) => [
    Date.parse(start_timestamp),
    end_timestamp === null ? Infinity : Date.parse(end_timestamp),
  ]);
}

/** The spans of whole seconds that no trip covers, newest first, found by looking at each end of a trip. */
function expectedStays(trips: readonly { readonly from: number; readonly until: number }[]): [number, number][] {
  const ends = [...new Set(trips.map(({ until }) => until))].sort((a, b) => b - a);
  return ends.flatMap((end): [number, number][] => {
    if (trips.some(({ from, until }) => from <= end && end < until)) return [];
    const next = Math.min(...trips.map(({ from }) => from).filter((from) => from >= end && from !== end), Infinity);
    // A trip that begins where another ends leaves no time between them.
    return trips.some(({ from }) => from === end) ? [] : [[end, next]];
  });
}

const HOUR = 3_600_000;
const START = drivenPoints(1, 1).time[0] ?? 0;

test('stays are the times in which no trip is under way, in pages of any size and windows', async () => {
  const trips = fc.array(fc.record({ hour: fc.nat({ max: 30 }), hours: fc.integer({ min: 1, max: 6 }) }), {
    maxLength: 9,
  });
  const bound = fc.option(fc.nat({ max: 36 }), { nil: null });
  await fc.assert(
    fc.asyncProperty(trips, bound, bound, fc.integer({ min: 1, max: 4 }), async (driven, after, before, size) => {
      const vehicle_key = await vehicle(owner.key);
      for (const [seed, { hour, hours }] of driven.entries()) {
        const { length, ...points } = drivenPoints(2, seed + 1);
        points.time = points.time.map((_, at) => START + hour * HOUR + at * hours * HOUR);
        await storeTrip({ account_key: owner.key, vehicle_key, points: { ...points, length } });
      }
      const spans = driven.map(({ hour, hours }) => ({
        from: START + hour * HOUR,
        until: START + (hour + hours) * HOUR,
      }));
      const written = (write: (instant: string) => string, hour: number | null) =>
        hour === null ? '' : write(new Date(START + hour * HOUR).toISOString());
      const isWithin = ([start]: readonly [number, number]) =>
        (after === null || start >= START + after * HOUR) && (before === null || start < START + before * HOUR);
      const query = written((at) => `&after=${at}`, after) + written((at) => `&before=${at}`, before);
      const expected = expectedStays(spans).filter(isWithin);
      expect(await staysOf(vehicle_key, size, query)).toEqual(expected);
      const window =
        written((at) => `, started_after: "${at}"`, after) + written((at) => `, started_before: "${at}"`, before);
      expect(await staysFromEnd(vehicle_key, size, window)).toEqual(expected);
    }),
    { numRuns: runSize(15, 400) },
  );
}, 600_000);

const recording: fc.Arbitrary<SentPoint[]> = fc
  .array(
    fc.record({
      after: fc.constantFrom(30, 60, 150, 299, 300, 30_000),
      east: fc.constantFrom(0, 0, 0, 1, 2, 3),
      events: fc.constantFrom([], [], [], ['engine_start'], ['engine_stop'], ['ignition_off']),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((steps) => {
    let seconds = 0;
    return steps.map(({ after, east, events }) => {
      seconds += after;
      return pointAt(seconds, east, ...events);
    });
  });

test('positions in any order, in any parts and sent again make the same stays, none within a trip', async () => {
  const delivered = recording.chain((points) =>
    fc.record({
      points: fc.constant(points),
      sent: fc.shuffledSubarray([...points, ...points.slice(0, 3)], { minLength: points.length }),
      sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(delivered, async ({ points, sent, sizes }) => {
      const [inOrder, other] = [await recordingDevice(owner), await recordingDevice(owner)];
      await host.post(inOrder.secret, { points });
      for (const part of inRequests([...sent, ...points], sizes)) {
        expect(await host.post(other.secret, { points: part })).toMatchObject({ status: 200 });
      }
      const seen = await staysOf(inOrder.vehicle_key, 2);
      expect(await staysFromEnd(inOrder.vehicle_key, 2, '')).toEqual(seen);
      expect(await staysOf(other.vehicle_key, 3)).toEqual(seen);
      await leasedWorkEnded(testService);
      expect(await staysOf(other.vehicle_key, 3)).toEqual(seen);
      for (const [at, [start, end]] of seen.entries()) {
        expect(start).toBeLessThan(end);
        expect(end).toBeLessThanOrEqual(seen[at - 1]?.[0] ?? Infinity);
      }
    }),
    { numRuns: runSize(10, 200) },
  );
}, 600_000);
