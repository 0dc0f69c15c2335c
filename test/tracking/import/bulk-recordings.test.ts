import { existsSync, readFileSync } from 'node:fs';

import { expect, describe, test } from 'vitest';

import { haversineMeters } from '../../../tracking/geometry/haversine.ts';
import type { ImportSummary } from '../../../tracking/import/import-summary.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import type { ReadOptions } from '../../../tracking/import/rows/read-options.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';

const BULK = new URL('../../../../shared/data/bulk/', import.meta.url);

useDatabase();

const path = (name: string) => new URL(name, BULK).pathname;

async function imported(name: string, read: ReadOptions): Promise<ImportSummary> {
  const { key: account_key } = await account();
  return importTrips(testService, { account_key, createsVehicles: true, files: [path(name)], read });
}

const kilometers = ({ trips }: ImportSummary) =>
  trips.reduce((sum, { distance_meters }) => sum + distance_meters, 0) / 1000;

/** The rows of a CSV file without quotes, by the names of its columns. */
function rows(name: string): Record<string, string>[] {
  const [header = '', ...lines] = readFileSync(path(name), 'utf8').trim().split(/\r?\n/);
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [header.split(',')[i], cell])));
}

/** Numbers are those that the README of the recordings says of them. */
describe.skipIf(!existsSync(BULK))('Recordings in bulk (skipped where ../shared/data/bulk is absent):', () => {
  test('1,000 trips of 309 taxis of Porto', async () => {
    const summary = await imported('porto-taxi-1000-trips.ndjson', {
      columns: { vehicle: 'vehicle_id', time: 'start_time', coordinates: 'coordinates' },
      interval: 15,
    });
    const { trip_count, created_count, point_count, vehicle_count, failures } = summary;
    expect({ trip_count, created_count, point_count, vehicle_count, failures }).toEqual({
      trip_count: 1000,
      created_count: 1000,
      point_count: 47_382,
      vehicle_count: 309,
      failures: [],
    });
    expect(kilometers(summary)).toBeCloseTo(6726, 0);
    const starts = summary.trips.map(({ started }) => started).sort();
    expect([starts[0], starts.at(-1)]).toEqual(['2013-07-01T00:00:53+00:00', '2013-07-01T09:11:51+00:00']);
    expect(Math.max(...summary.trips.map(({ points }) => points))).toBe(515);
    expect(summary.fault_totals.one_point?.trips).toBe(9);
    expect(summary.fault_totals.no_zone).toBeUndefined();
  });

  test('162 trips of 28 phones of Go!Track, of which 17 are there twice', async () => {
    const summary = await imported('gotrack-trackpoints.csv', {
      columns: { vehicle: 'id_android', trip: 'track_id' },
      join: { file: path('gotrack-tracks.csv'), on: 'track_id' },
      zone: 'America/Maceio',
    });
    const { trip_count, created_count, point_count, vehicle_count, fault_totals, failures } = summary;
    expect({ trip_count, created_count, point_count, vehicle_count, failures }).toEqual({
      trip_count: 162,
      created_count: 162 - 17,
      point_count: 17_953,
      vehicle_count: 28,
      failures: [],
    });
    expect(fault_totals.repeated_trip?.count).toBe(17);
    expect(fault_totals.one_point?.trips).toBe(10);
    expect(fault_totals.time_backwards).toBeUndefined();
    // 07:24:32 in Aracaju, three hours behind UTC.
    expect(summary.trips[0]?.started).toBe('2014-09-13T10:24:32+00:00');
  });

  test('20 trips of 7 vehicles of enviroCar', async () => {
    const summary = await imported('envirocar-measurements.csv', {
      columns: { vehicle: 'vehicle_id', trip: 'track_id', speed: 'gps_speed', heading: 'gps_bearing' },
      join: { file: path('envirocar-tracks.csv'), on: 'track_id' },
      speedUnit: 'km/h',
    });
    const { trip_count, point_count, vehicle_count, fault_totals, failures } = summary;
    expect({ trip_count, point_count, vehicle_count, failures }).toEqual({
      trip_count: 20,
      point_count: 4215,
      vehicle_count: 7,
      failures: [],
    });
    for (const { begin = '', end = '', measurements } of rows('envirocar-tracks.csv')) {
      const trip = summary.trips.find(({ started }) => Date.parse(started) === Date.parse(begin));
      expect(Date.parse(trip?.ended ?? '')).toBe(Date.parse(end));
      expect(trip?.points).toBe(Number(measurements));
    }
    const impossible = rows('envirocar-measurements.csv').filter(({ gps_bearing }) => Number(gps_bearing) > 360);
    expect(fault_totals.bad_motion?.count).toBe(impossible.length);
    expect(kilometers(summary)).toBeCloseTo(kilometersOf('envirocar-measurements.csv'), 2);
  });
});

/** The length of all tracks of a CSV file, worked out from its text. */
function kilometersOf(name: string): number {
  let meters = 0;
  let last: Record<string, string> = {};
  for (const row of rows(name)) {
    if (row.track_id === last.track_id) {
      const [latA, lonA, latB, lonB] = [last.latitude, last.longitude, row.latitude, row.longitude].map(Number);
      meters += haversineMeters(latA ?? 0, lonA ?? 0, latB ?? 0, lonB ?? 0);
    }
    last = row;
  }
  return meters / 1000;
}
