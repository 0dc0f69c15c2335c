import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { importTrips } from '../../../tracking/import/import-trips.ts';
import type { ImportSummary } from '../../../tracking/import/import-summary.ts';
import type { ReadOptions } from '../../../tracking/import/rows/read-options.ts';
import { account, vehicle as newVehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

let folder: string;
let account_key: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-repaired-'));
  account_key = (await account()).key;
});
afterAll(() => rm(folder, { recursive: true }));

async function importer(): Promise<(name: string, content: string, read?: ReadOptions) => Promise<ImportSummary>> {
  const vehicle = { key: await newVehicle(account_key), account_key };
  return async (name, content, read = {}) => {
    const file = join(folder, name);
    await writeFile(file, content);
    return importTrips(testService, { files: [file], vehicle, read });
  };
}

const START = Date.UTC(2026, 5, 15, 8);
const at = (seconds: number, since = START) => new Date(since + seconds * 1000).toISOString();
/** A position of a way to the north, where a vehicle is after some seconds at 10 m/s. */
const trkpt = (seconds: number, since = START, more = '') =>
  `<trkpt lat="${(53 + seconds * 9e-5).toFixed(6)}" lon="8.6"><time>${at(seconds, since)}</time>${more}</trkpt>\n`;
const seg = (seconds: readonly number[]) => `<trkseg>${seconds.map((one) => trkpt(one)).join('')}</trkseg>\n`;
const trk = (...segments: readonly (readonly number[])[]) => `<trk>${segments.map(seg).join('')}</trk>\n`;
const gpx = (body: string) => `<gpx xmlns="http://www.topografix.com/GPX/1/1">\n${body}</gpx>\n`;

describe('A file whose parts repeat each other', () => {
  test.each<[string, string, number, number]>([
    ['segments that repeat the one before', trk([0, 10, 20], [0, 10, 20, 30], [0, 10, 20, 30, 40]), 5, 7],
    ['a segment that repeats the end of the one before', trk([0, 10, 20, 30], [20, 30, 40]), 5, 2],
    ['a segment twice', trk([0, 10, 20], [0, 10, 20]), 3, 3],
  ])('has %s: each position is taken once', async (_, body, points, repeated) => {
    const summary = await (await importer())('repeated.gpx', gpx(body));
    expect(summary.trips).toMatchObject([{ points, distance_meters: expect.closeTo((points - 1) * 100, -1) }]);
    expect(summary.faults).toMatchObject([{ kind: 'repeated_part', count: repeated }]);
  });

  test.each<[string, string]>([
    ['a track before its first part', trk([0, 10, 20, 30]) + trk([0, 10, 20])],
    ['a track after its first part', trk([0, 10, 20]) + trk([0, 10, 20, 30])],
    ['a track and its middle', trk([0, 10, 20, 30]) + trk([10, 20])],
  ])('has %s: it is imported once', async (_, body) => {
    const summary = await (await importer())('contained.gpx', gpx(body));
    expect(summary.trips).toMatchObject([{ points: 4, created: true }]);
    expect(summary.faults).toMatchObject([{ kind: 'contained_trip', count: 1 }]);
  });

  test('has a track twice: it is imported once', async () => {
    const summary = await (await importer())('twice.gpx', gpx(trk([0, 10, 20]) + trk([0, 10, 20])));
    expect(summary).toMatchObject({ created_count: 1, fault_totals: { repeated_trip: { count: 1 } } });
  });

  test.each<[string, string, number]>([
    ['another way at the same times', trk([0, 10, 20, 30]) + trk([0, 10, 20]).replaceAll('8.6', '8.7'), 2],
    ['the same way at other times', trk([0, 10, 20, 30]) + trk([0, 10, 20]).replaceAll('T08', 'T09'), 2],
  ])('may have %s: that is another trip', async (_, body, trips) => {
    expect(await (await importer())('other.gpx', gpx(body))).toMatchObject({ created_count: trips, fault_totals: {} });
  });
});

describe('The same trips are read from a file that is', () => {
  const rows = (lines: readonly [seconds: number, events?: string, car?: string][]) =>
    lines.map(([seconds, events = '', car = 'a']) => `${at(seconds)},${53 + seconds * 9e-5},8.6,${events},${car}`);
  const table = (lines: readonly string[]) => `time,lat,lon,events,car\n${lines.join('\n')}\n`;

  test.each<[string, string[], number]>([
    ['newest first, with pauses', rows([[0], [10], [20], [900], [910], [5000], [5010]]), 3],
    [
      'newest first, with events of the engine',
      rows([
        [0, 'engine_start'],
        [200],
        [410, 'engine_stop'],
        [420, 'engine_start'],
        [430, 'harsh_brake'],
        [440, 'engine_stop'],
      ]),
      2,
    ],
    ['newest first, with equal times', rows([[0], [10], [10], [20]]), 1],
  ])('%s', async (_, lines, trips) => {
    const importing = await importer();
    expect(await importing('oldest.csv', table(lines))).toMatchObject({ created_count: trips });
    const back = await importing('newest.csv', table(lines.toReversed()));
    expect(back).toMatchObject({ trip_count: trips, created_count: 0 });
    expect(back.fault_totals).toHaveProperty('sorted');
    expect(back.fault_totals).not.toHaveProperty('time_backwards');
  });

  test('in parts that are out of order, without those that overlap', async () => {
    const importing = await importer();
    const { trips } = await importing('parts.gpx', gpx(trk([0, 10], [20, 30], [40, 50])));
    const parts = await importing('mixed.gpx', gpx(trk([40, 50], [0, 10], [20, 30])));
    expect(parts).toMatchObject({ trips: [{ key: trips[0]?.key }], fault_totals: { sorted: { count: 1 } } });
    const jitter = await (await importer())('jitter.gpx', gpx(trk([0, 10, 5, 20])));
    expect(jitter.trips).toMatchObject([{ points: 4, distance_meters: expect.closeTo(200, -1) }]);
    expect(jitter.fault_totals).toMatchObject({ time_backwards: { count: 1 } });
    expect(jitter.fault_totals).not.toHaveProperty('sorted');
  });

  test('in the order of its times, also where a clock forgets the date at midnight', async () => {
    const [before, after] = [[0, 10, 20].map((one) => trkpt(one)), [30, 40].map((one) => trkpt(one, START - 3600_000))];
    const file = gpx(`<trk><trkseg>${[...before, ...after].join('')}</trkseg></trk>`);
    const { trips, fault_totals } = await (await importer())('midnight.gpx', file);
    expect(trips).toMatchObject([{ points: 2 }, { points: 3 }]);
    expect(fault_totals).toMatchObject({ time_backwards: { count: 1 } });
  });
});

describe('A trip that is dated 1,024 weeks early', () => {
  const WEEKS = 1024 * 7 * 86_400_000;
  const HOUR = 3_600_000;
  const now = Math.floor(Date.now() / 1000) * 1000;
  const early = (since: number) => [0, 10, 20].map((one) => trkpt(one, since - WEEKS)).join('');
  const track = (positions: string) => gpx(`<trk><trkseg>${positions}</trkseg></trk>`);
  const asTable = (since: number) =>
    `time,lat,lon\n${[0, 10, 20].map((one) => `${at(one, since - WEEKS)},${53 + one / 1e5},8.6`).join('\n')}\n`;

  test.each<[string, string, string, number]>([
    ['of last week', 'a.gpx', track(early(now - 168 * HOUR)), now - 168 * HOUR],
    ['of now, in local time', 'b.gpx', track(early(now + HOUR)), now + HOUR],
    ['of last year', 'c.gpx', track(early(now - 8700 * HOUR)), now - 8700 * HOUR],
    ['in a table', 'd.csv', asTable(now - 24 * HOUR), now - 24 * HOUR],
    ['twice', 'e.gpx', track(early(now - WEEKS - HOUR)), now - HOUR],
  ])('%s is reported and not imported, until an option says what to do', async (_, name, content, start) => {
    const importing = await importer();
    const unsure = await importing(name, content);
    expect(unsure).toMatchObject({ trip_count: 0, fault_totals: { week_rollover: { count: 1, trips: 1 } } });
    const kept = await importing(name, content, { weekRollover: 'keep' });
    expect(Date.parse(kept.trips[0]?.started ?? '')).toBeLessThan(now - WEEKS + 24 * HOUR);
    const corrected = await importing(name, content, { weekRollover: 'correct' });
    expect(corrected.fault_totals).toMatchObject({ corrected_week: { count: 3, trips: 1 } });
    expect(Date.parse(corrected.trips[0]?.started ?? '')).toBe(start);
  });

  test.each(['track.gpx', 'table.csv'])('at its beginning only is one trip once it is corrected: %s', async (name) => {
    const since = now - 24 * HOUR;
    const times = [at(0, since - WEEKS), at(10, since - WEEKS), at(20, since), at(30, since)];
    const content = name.endsWith('.csv')
      ? `time,lat,lon\n${times.map((time, i) => `${time},${53 + i / 1e3},8.6`).join('\n')}\n`
      : track(times.map((time, i) => `<trkpt lat="${53 + i / 1e3}" lon="8.6"><time>${time}</time></trkpt>`).join('\n'));
    const { trips } = await (await importer())(name, content, { weekRollover: 'correct' });
    expect(trips).toMatchObject([{ points: 4, started: `${at(0, since).slice(0, 19)}+00:00` }]);
  });

  test('is left as it is if it is too old to be a mistake', async () => {
    const { trips, fault_totals } = await (await importer())('old.gpx', track(early(now - 9000 * HOUR)));
    expect(trips).toHaveLength(1);
    expect(fault_totals).toEqual({});
  });
});

describe('What is whole of a damaged file is imported by an option:', () => {
  const positions = [0, 10, 20].map((one) => trkpt(one)).join('');
  const row = (seconds: number) => `{"time":"${at(seconds)}","lat":${53 + seconds * 9e-5},"lon":8.6}\n`;
  const rows = row(0) + row(10) + row(20);
  const cells = [0, 10, 20].map((one) => `${at(one)},${53 + one * 9e-5},8.6\n`).join('');
  const feature = (line: string) => `{"type":"Feature","properties":{"time":${line}`;
  const features = [0, 10, 20].map((one) =>
    feature(`"${at(one)}"},"geometry":{"type":"Point","coordinates":[8.6,${53 + one * 9e-5}]}}`),
  );

  test.each<[string, string, string, number]>([
    ['GPX that is cut off in a tag', 'a.gpx', gpx(`<trk><trkseg>${positions}<trkpt lat="5`).slice(0, -8), 5],
    ['GPX that is cut off in a position', 'b.gpx', `<gpx><trk><trkseg>${positions}<trkpt lat="1" lon="2"><time>`, 4],
    ['GPX without closing tags', 'c.gpx', `<gpx><trk><trkseg>${positions}`, 4],
    ['GPX with NUL characters in it', 'd.gpx', gpx(`<trk><trkseg>${positions}\0\0<trkpt/></trkseg></trk>`), 5],
    [
      'GPX that goes on after its end',
      'e.gpx',
      `${gpx(`<trk><trkseg>${positions}</trkseg></trk>`)}rkseg></trk></gpx>`,
      6,
    ],
    ['NDJSON with half a line', 'f.ndjson', `${rows}{"time":"2026`, 4],
    ['NDJSON that is cut off in a character', 'g.ndjson', `${rows}{"a":"\u00fc`, 4],
    ['a table with a quote that never ends', 'h.csv', `time,lat,lon\n${cells}"2026`, 5],
    [
      'GeoJSON that is cut off',
      'i.geojson',
      `{"type":"FeatureCollection","features":[\n${features.join(',\n')},\n{"type"`,
      5,
    ],
  ])('%s', async (_, name, content, line) => {
    const importing = await importer();
    const refused = await importing(name, content);
    expect(refused).toMatchObject({
      trip_count: 0,
      failures: [{ reason: expect.stringContaining('; --salvage imports') }],
    });
    const salvaged = await importing(name, content, { salvage: true });
    expect(salvaged).toMatchObject({ trips: [{ points: 3 }], failures: [] });
    expect(salvaged.faults).toEqual([{ file: join(folder, name), trip: null, kind: 'damaged', count: 1, line }]);
  });

  test('bytes that are no text, after a whole line', async () => {
    const importing = await importer();
    const file = join(folder, 'bytes.csv');
    await writeFile(file, Buffer.concat([Buffer.from(`time,lat,lon\n${cells}`), Buffer.alloc(9, 0xff)]));
    const vehicle = { key: await newVehicle(account_key), account_key };
    const { trips, fault_totals } = await importTrips(testService, { files: [file], vehicle, read: { salvage: true } });
    expect(trips).toMatchObject([{ points: 3 }]);
    expect(fault_totals).toMatchObject({ damaged: { count: 1, line: 5 } });
    expect((await importing('none.gpx', '<gpx><trk><trkseg>', { salvage: true })).failures).toHaveLength(1);
  });
});

describe('The speeds of an extension', () => {
  const withSpeed = (speed: string, root = '') =>
    gpx(
      `<trk><trkseg>${[0, 10].map((one) => trkpt(one, START, `<extensions>${speed}</extensions>`)).join('')}</trkseg></trk>`,
    ).replace('<gpx', `<gpx ${root}`);

  test('without a known unit are reported, and read in the unit of an option', async () => {
    const importing = await importer();
    const file = withSpeed('<v:Speed>36</v:Speed>', 'xmlns:v="urn:vendor"');
    expect((await importing('unit.gpx', file)).fault_totals).toMatchObject({ speed_unit: { count: 2 } });
    expect((await importing('unit.gpx', file, { speedUnit: 'km/h' })).fault_totals).toEqual({});
  });
});
