import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { unrestricted } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import type { FileOptions } from '../../../tracking/import/file-formats.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import { account, vehicle as newVehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

let folder: string;
let account_key: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-overlaps-'));
  account_key = (await account({ trip_settings: null })).key;
});
afterAll(() => rm(folder, { recursive: true }));

const START = Date.UTC(2026, 5, 15, 8);

interface Recorder {
  /** Seconds of the drive between which it records, and between two positions. */
  readonly from: number;
  readonly until: number;
  readonly each?: number;
  /** Degrees by which it is off to the east. */
  readonly off?: number;
  /** Seconds by which its clock is fast. */
  readonly clock?: number;
}

/** A GPX track of a drive to the north at 10 m/s, with a turn each minute. */
function track({ from, until, each = 10, off = 0, clock = 0 }: Recorder): string {
  const count = Math.floor((until - from) / each) + 1;
  const positions = Array.from({ length: count }, (_, i) => {
    const seconds = from + i * each;
    const east = 8.6 + (Math.floor(seconds / 60) % 2 === 0 ? seconds % 60 : 60 - (seconds % 60)) * 5e-5 + off;
    const time = new Date(START + (seconds + clock) * 1000).toISOString();
    return `<trkpt lat="${(53 + seconds * 9e-5).toFixed(6)}" lon="${east.toFixed(6)}"><time>${time}</time></trkpt>`;
  });
  return `<trk><trkseg>${positions.join('\n')}</trkseg></trk>`;
}

async function van() {
  const vehicle = { key: await newVehicle(account_key), account_key };
  const add = async (tracks: readonly string[], read: FileOptions = {}) => {
    const file = join(folder, 'drive.gpx');
    await writeFile(file, `<gpx>${tracks.join('')}</gpx>`);
    return importTrips(testService, { files: [file], vehicle, read });
  };
  /** The seconds between which the vehicle has trips, in order. */
  const spans = async () => {
    const trips = await TripStore.find(unrestricted(testService), { vehicle_key: vehicle.key, staged: false });
    const seconds = (date: Date) => (date.getTime() - START) / 1000;
    return trips
      .map(({ start_point, end_point }) => [seconds(start_point.timestamp), seconds(end_point.timestamp)])
      .toSorted((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
  };
  return { add, spans };
}

/** Seconds that trips may have in common that touch each other. */
const TOUCHING = 15;

const DEVICE: Recorder = { from: 300, until: 900 };

describe('A trip of which the vehicle has another recording', () => {
  test.each<[string, Recorder, number[][], string]>([
    ['as a whole is not imported', { from: 300, until: 900, each: 7, off: 2e-4 }, [[300, 900]], 'recorded_trip'],
    ['and that is longer is not imported', { from: 400, until: 700, each: 5 }, [[300, 900]], 'recorded_trip'],
    [
      'that began later adds its beginning',
      { from: 0, until: 600 },
      [
        [0, 290],
        [300, 900],
      ],
      'recorded_part',
    ],
    [
      'that ended earlier adds its end',
      { from: 604, until: 1204 },
      [
        [300, 900],
        [904, 1204],
      ],
      'recorded_part',
    ],
    [
      'that is within it adds both',
      { from: 3, until: 1203 },
      [
        [3, 293],
        [300, 900],
        [903, 1203],
      ],
      'recorded_part',
    ],
    ['adds no part that is too short for a trip', { from: 280, until: 930 }, [[300, 900]], 'recorded_trip'],
    ['with a clock that is fast', { from: 302, until: 902, each: 11, clock: 20 }, [[300, 900]], 'recorded_trip'],
    ['with a clock that is slow', { from: 300, until: 900, each: 60, clock: -28 }, [[300, 900]], 'recorded_trip'],
  ])('%s, and importing it again adds nothing', async (_, recorder, expected, fault) => {
    const { add, spans } = await van();
    await add([track(DEVICE)]);
    expect((await add([track(recorder)])).fault_totals).toHaveProperty(fault);
    expect(await spans()).toEqual(expected);
    expect(await add([track(recorder)])).toMatchObject({ trip_count: 1, created_count: 0, failures: [] });
    expect(await spans()).toEqual(expected);
  });

  test('is reported, and listed as the trip that the vehicle has', async () => {
    const { add } = await van();
    const { trips } = await add([track(DEVICE)]);
    const again = await add([track({ ...DEVICE, each: 7 })]);
    expect(again).toMatchObject({ trips: [{ key: trips[0]?.key, created: false }], created_count: 0 });
    expect(again.fault_totals).toMatchObject({ recorded_trip: { count: 1, trips: 1 } });
  });

  test.each<['skip' | 'keep', number[][], string]>([
    ['skip', [[300, 900]], 'recorded_trip'],
    [
      'keep',
      [
        [0, 600],
        [300, 900],
      ],
      'overlapping_trip',
    ],
  ])('is treated by the option: %s', async (overlap, expected, fault) => {
    const { add, spans } = await van();
    await add([track(DEVICE)]);
    for (const times of [1, 0]) {
      const { created_count, fault_totals } = await add([track({ from: 0, until: 600 })], { overlap });
      expect(created_count).toBe(expected.length > 1 ? times : 0);
      if (times === 1) expect(fault_totals).toHaveProperty(fault);
      expect(await spans()).toEqual(expected);
    }
  });

  test('is recognized in one file, whichever of its tracks is first', async () => {
    const [one, other] = [track({ from: 0, until: 900 }), track({ from: 300, until: 900, each: 7, off: 1e-4 })];
    for (const tracks of [
      [one, other],
      [other, one],
    ]) {
      const { add, spans } = await van();
      const { fault_totals } = await add(tracks);
      expect(Object.keys(fault_totals)).toEqual([tracks[0] === one ? 'recorded_trip' : 'recorded_part']);
      expect(await spans()).toEqual(
        tracks[0] === one
          ? [[0, 900]]
          : [
              [0, 290],
              [300, 895],
            ],
      );
    }
  });
});

test.each<[string, Recorder]>([
  ['is elsewhere at the same times', { ...DEVICE, off: 0.1 }],
  ['begins where the other ends', { from: 890, until: 1500 }],
])('A trip that %s is another one', async (_, recorder) => {
  const { add, spans } = await van();
  await add([track(DEVICE)]);
  expect(await add([track(recorder)])).toMatchObject({ created_count: 1 });
  expect(await spans()).toHaveLength(2);
});

test('However recordings of a drive overlap, all of it is imported, nothing twice, and nothing more if they are imported again', async () => {
  const part = fc.record({
    from: fc.integer({ min: 0, max: 60 }),
    length: fc.integer({ min: 6, max: 60 }),
    each: fc.constantFrom(5, 7, 10, 13),
    off: fc.constantFrom(0, 1e-4, 3e-4),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 2, maxLength: 4 }), async (parts) => {
      const { add, spans } = await van();
      const files = parts.map(({ from, length, ...how }) =>
        track({ from: from * 20, until: (from + length) * 20, ...how }),
      );
      for (const file of files) await add([file]);
      const found = await spans();
      for (const [i, [from = 0]] of found.entries()) expect(from).toBeGreaterThan((found[i - 1]?.[1] ?? 0) - TOUCHING);
      for (const file of files) expect((await add([file])).created_count).toBe(0);
      expect(await spans()).toEqual(found);
    }),
    { numRuns: 15 },
  );
});
