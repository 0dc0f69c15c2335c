import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { importTrips } from '../../../tracking/import/import-trips.ts';
import type { ReadOptions } from '../../../tracking/import/rows/read-options.ts';
import { account, vehicle as newVehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

const FILES = new URL('../../../../shared/cases/devices/', import.meta.url).pathname;

type Expected = readonly [
  points: number,
  meters: number,
  faults?: readonly string[],
  read?: ReadOptions,
  trips?: number,
];

/** Positions and length of each file, with the faults that are reported; or the reason for which it is not imported. */
const EXPECTED: Readonly<Record<string, Expected | RegExp>> = {
  '18-gpx-zoned-time/comma.gpx': [4, 334],
  '18-gpx-zoned-time/hour24.gpx': [4, 334],
  '18-gpx-zoned-time/leap.gpx': [4, 334, ['jump', 'repeated_time']],
  '18-gpx-zoned-time/lower.gpx': [4, 334],
  '18-gpx-zoned-time/mixed.gpx': [6, 556],
  '18-gpx-zoned-time/nanos.gpx': [4, 334],
  '18-gpx-zoned-time/newline.gpx': [4, 222, ['time_backwards'], {}, 2],
  '18-gpx-zoned-time/space.gpx': [4, 334, ['no_zone']],
  '18-gpx-zoned-time/track.gpx': [6, 556],
  '19-gpx-no-namespace/gpx-1-0-https.gpx': [6, 556],
  '19-gpx-no-namespace/track.gpx': [6, 556],
  '19-gpx-no-namespace/trailing-slash.gpx': [6, 556],
  '19-gpx-no-namespace/undeclared-prefix.gpx': [6, 556],
  '20-gpx-cumulative-segments/track.gpx': [10, 1001, ['repeated_part']],
  '21-gpx-duplicate-tracks/part-of-the-other.gpx': [6, 556, ['contained_trip']],
  '21-gpx-duplicate-tracks/track.gpx': [6, 556, ['repeated_trip']],
  '22-ten-hertz/tenhz.gpx': [40, 182, ['repeated_time']],
  '23-gpx-decimal-comma/track.gpx': [6, 556, ['decimal_comma']],
  '24-csv-decimal-comma/export.csv': [6, 647],
  '25-csv-split-date-time/logger.csv': [6, 556, ['joined_columns', 'no_zone']],
  '25-csv-split-date-time/newest-first.csv': [6, 556, ['sorted']],
  '25-csv-split-date-time/suffix.csv': [6, 556],
  '26-csv-sep-line/export.csv': [6, 556],
  '26-csv-sep-line/title-lines.csv': [6, 556],
  '29-gpx-week-rollover/track.gpx': [6, 556, ['corrected_week'], { weekRollover: 'correct' }],
  '30-gpx-truncated/cut.gpx': [37, 4003, ['damaged'], { salvage: true }],
  '30-gpx-truncated/no-closing-tags.gpx': [40, 4337, ['damaged'], { salvage: true }],
  '30-gpx-truncated/nul-bytes.gpx': [40, 4337],
  '31-gpx-speed-extensions/cluetrust.gpx': [6, 556],
  '31-gpx-speed-extensions/nmea.gpx': [6, 556],
  '31-gpx-speed-extensions/ns3.gpx': [6, 556],
  '31-gpx-speed-extensions/osmand.gpx': [6, 556],
  '31-gpx-speed-extensions/plain.gpx': [6, 556],
  '31-gpx-speed-extensions/ulogger.gpx': [6, 556],
  '31-gpx-speed-extensions/v1.gpx': [6, 556],
  '33-import-over-recorded/phone.gpx': [30, 3224],
  '41-gpx-entities/bad-reference.gpx': /:3:25: malformed character entity/,
  '41-gpx-entities/bare-ampersand.gpx': /:3:22: a bare & is here; write it as &amp;/,
  '41-gpx-entities/blank-line-first.gpx': [6, 556],
  '41-gpx-entities/bom-latin1.gpx': [6, 556, [], { encoding: 'windows-1252' }],
  '41-gpx-entities/control-char.gpx': /:3:18: disallowed character/,
  '41-gpx-entities/named-entity.gpx': /:3:26: undefined entity/,
  '41-gpx-entities/utf16-declared-utf8-bytes.gpx': [6, 556],
  '41-gpx-entities/utf16le.gpx': [6, 556],
  '60-old-trips-notify/2019.csv': [15, 5560, ['gap'], {}, 5],
  '61-gpx-segment-gap/ferry.gpx': [12, 1112, [], {}, 2],
};

describe.skipIf(!existsSync(FILES))('Files of devices (skipped where ../shared/cases/devices is absent):', () => {
  test.each(Object.entries(EXPECTED))('%s', async (name, expected) => {
    const { key: account_key } = await account();
    const vehicle = { key: await newVehicle(account_key), account_key };
    const read = expected instanceof RegExp ? {} : (expected[3] ?? {});
    const { trips, failures, fault_totals } = await importTrips(testService, {
      files: [join(FILES, name)],
      vehicle,
      read,
    });
    if (expected instanceof RegExp) {
      expect(failures.map(({ message }) => message)).toEqual([expect.stringMatching(expected)]);
      return;
    }
    const [points, meters, faults = [], , count = 1] = expected;
    expect(failures).toEqual([]);
    expect(Object.keys(fault_totals).toSorted()).toEqual(faults);
    const created = trips.filter((trip) => trip.created);
    expect(created).toHaveLength(count);
    expect(created.reduce((sum, trip) => sum + trip.points, 0)).toBe(points);
    expect(created.reduce((sum, trip) => sum + trip.distance_meters, 0)).toBeCloseTo(meters, -1);
  });

  test('none of those of their folders is left out', () => {
    const folders = [...new Set(Object.keys(EXPECTED).map((name) => name.split('/', 1).join('')))];
    const there = folders.flatMap((folder) => readdirSync(join(FILES, folder)).map((name) => `${folder}/${name}`));
    const files = there.filter((name) => !name.endsWith('.ndjson'));
    expect(Object.keys(EXPECTED).toSorted()).toEqual(files.toSorted());
  });
});
