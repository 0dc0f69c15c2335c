import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TripPoints } from '../../../../models/trips/trip-points.ts';
import { tripFacts } from '../../../../tracking/geometry/trip-facts.ts';
import { GpxParser } from '../../../../tracking/import/formats/read-gpx.ts';
import { recordedTrips } from '../recorded-trips.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-gpx-'));
});

afterAll(() => rm(folder, { recursive: true }));

interface Read {
  readonly points: TripPoints | null;
  readonly faults: Record<string, { readonly count: number; readonly line: number }>;
}

async function read(content: string | Uint8Array): Promise<Read[]> {
  const file = join(folder, 'test.gpx');
  await writeFile(file, content);
  return readTrips(file);
}

async function readTrips(file: string): Promise<Read[]> {
  const trips: Read[] = [];
  for await (const trip of recordedTrips(file)) {
    trips.push({ points: trip.finish(), faults: Object.fromEntries(trip.faults) });
  }
  return trips;
}

const gpx = (body: string) =>
  `<?xml version="1.0"?>\n<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">${body}</gpx>`;
const trk = (body: string) => `<trk><trkseg>\n${body}</trkseg></trk>`;
const at = (time: string | null, lat = 1, lon = 2) =>
  `<trkpt lat="${lat}" lon="${lon}">${time === null ? '' : `<time>${time}</time>`}</trkpt>\n`;

describe('A GPX file', () => {
  test('is a trip for each track, segments joined', async () => {
    const segments = `<trk><trkseg>${at('2024-01-01T00:00:00Z')}</trkseg><trkseg>${at('2024-01-01T00:00:05Z', 1.001)}</trkseg></trk>`;
    const trips = await read(gpx(segments + trk(at('2024-01-02T00:00:00Z') + at('2024-01-02T00:00:09Z'))));
    expect(trips.map(({ points }) => points?.length)).toEqual([2, 2]);
    expect([...(trips[0]?.points?.time ?? [])]).toEqual([Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 1, 0, 0, 5)]);
  });

  test('may name its namespaces as it likes', async () => {
    const [trip] = await read(
      '<g:gpx xmlns:g="http://www.topografix.com/GPX/1/1" xmlns:x="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">' +
        '<g:trk><g:trkseg><g:trkpt lat="1" lon="2"><g:time>2024-01-01T00:00:00Z</g:time>' +
        '<g:extensions><x:TrackPointExtension><x:speed>12.344</x:speed><x:course>90.04</x:course></x:TrackPointExtension></g:extensions>' +
        '</g:trkpt></g:trkseg></g:trk></g:gpx>',
    );
    expect(trip?.points?.speed[0]).toBe(12.34);
    expect(trip?.points?.heading[0]).toBe(90);
  });

  test('may be GPX 1.0, with its elements for speed and course', async () => {
    const [trip] = await read(
      '<gpx xmlns="http://www.topografix.com/GPX/1/0"><trk><trkseg><trkpt lat="1" lon="2"><time>2024-01-01T00:00:00Z</time><course>359.9</course><speed>3</speed></trkpt></trkseg></trk></gpx>',
    );
    expect([trip?.points?.speed[0], trip?.points?.heading[0]]).toEqual([3, 359.9]);
  });

  test('has no speed or course where these are impossible or of an unknown extension', async () => {
    const [trip] = await read(
      gpx(
        trk(
          '<trkpt lat="1" lon="2"><time>2024-01-01T00:00:00Z</time><extensions><speed xmlns="urn:x">3</speed></extensions></trkpt>' +
            '<trkpt lat="1" lon="2"><time>2024-01-01T00:00:01Z</time><extensions xmlns:g="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"><g:TrackPointExtension><g:speed>-1</g:speed><g:course>400</g:course></g:TrackPointExtension></extensions></trkpt>',
        ),
      ),
    );
    expect([...(trip?.points?.speed ?? [])]).toEqual([Number.NaN, Number.NaN]);
    expect([...(trip?.points?.heading ?? [])]).toEqual([Number.NaN, Number.NaN]);
    expect(trip?.faults.bad_motion).toMatchObject({ count: 1 });
  });

  test.each([
    ['GPX 1.0', '<speed>8.5</speed><course>90</course>', 'xmlns:a="urn:a"'],
    [
      'Garmin, version 1',
      '<g:TrackPointExtension><g:speed>8.5</g:speed><g:course>90</g:course></g:TrackPointExtension>',
      'xmlns:g="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"',
    ],
    [
      'Garmin, undeclared',
      '<gpxtpx:TrackPointExtension><gpxtpx:speed>8.5</gpxtpx:speed><gpxtpx:course>90</gpxtpx:course></gpxtpx:TrackPointExtension>',
      '',
    ],
    [
      'OsmAnd',
      '<osmand:speed>8.5</osmand:speed><osmand:bearing>90</osmand:bearing>',
      'xmlns:osmand="https://osmand.net"',
    ],
    [
      'OsmAnd, of late',
      '<o:speed>8.5</o:speed><o:bearing>90</o:bearing>',
      'xmlns:o="https://osmand.net/docs/technical/osmand-file-formats/osmand-gpx"',
    ],
    [
      'Cluetrust',
      '<gpxdata:speed>8.5</gpxdata:speed><gpxdata:course>90</gpxdata:course>',
      'xmlns:gpxdata="http://www.cluetrust.com/XML/GPXDATA/1/0"',
    ],
    [
      'µlogger',
      '<u:speed>8.5</u:speed><u:bearing>90</u:bearing>',
      'xmlns:u="https://github.com/bfabiszewski/ulogger-android/1"',
    ],
    ['decimal commas', '<speed>8,5</speed><course>90,0</course>', ''],
    [
      'a known extension beside an unknown one',
      '<x:speed xmlns:x="urn:x">30</x:speed><speed>8.5</speed><course>90</course>',
      '',
    ],
  ])('has speed and course by %s', async (_, values, declared) => {
    const position = `<trkpt lat="1" lon="2"><time>2024-01-01T00:00:00Z</time><extensions ${declared}>${values}</extensions></trkpt>`;
    const [trip] = await read(gpx(trk(position)));
    expect([trip?.points?.speed[0], trip?.points?.heading[0]]).toEqual([8.5, 90]);
  });

  test('has numbers as XML Schema writes them', async () => {
    const extension = (speed: string, course: string) =>
      `<extensions xmlns:g="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"><g:TrackPointExtension><g:speed>${speed}</g:speed><g:course>${course}</g:course></g:TrackPointExtension></extensions>`;
    const [trip] = await read(
      gpx(
        trk(
          `<trkpt lat="+1." lon="-.5"><time>2024-01-01T00:00:00Z</time>${extension('1.5E1', '+7')}</trkpt>` +
            `<trkpt lat="01" lon="2"><time>2024-01-01T00:00:01Z</time>${extension('0x10', '1e1')}</trkpt>`,
        ),
      ),
    );
    expect([trip?.points?.lat[0], trip?.points?.lon[0]]).toEqual([1, -0.5]);
    expect([...(trip?.points?.speed ?? [])]).toEqual([15, Number.NaN]);
    expect([...(trip?.points?.heading ?? [])]).toEqual([7, Number.NaN]);
  });

  test('may be UTF-16, or name another encoding', async () => {
    const text = gpx(`<metadata><name>Zürich</name></metadata>${trk(at('2024-01-01T00:00:00Z'))}`);
    expect(await read(Buffer.from(`\ufeff${text}`, 'utf16le'))).toHaveLength(1);
    const latin = text.replace('version="1.0"?', 'version="1.0" encoding="ISO-8859-1"?');
    expect(await read(Buffer.from(latin, 'latin1'))).toHaveLength(1);
  });

  test('without tracks is no trip: waypoints and routes are not driven', async () => {
    expect(await read(gpx('<wpt lat="1" lon="2"/><rte><rtept lat="1" lon="2"/></rte>'))).toEqual([]);
  });
});

describe('A file that cannot be parsed names line, column and what was wrong:', () => {
  test.each([
    ['a truncated one', gpx('').slice(0, -6), 2, 61, /unclosed tag: gpx/],
    ['crossed tags', gpx('\n<trk></gpx></trk>'), 3, 11, /unexpected close tag|unclosed|gpx/],
    ['no XML at all', 'lat,lon', 1, 7, /text data outside of root node/],
    [
      'another kind of XML',
      '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
      1,
      40,
      /root element is <svg>, not <gpx>/,
    ],
    [
      'a document type',
      '<?xml version="1.0"?>\n<!DOCTYPE gpx [<!ENTITY a "b">]>\n<gpx/>',
      2,
      32,
      /document type declarations are not accepted/,
    ],
    ['an unknown entity', gpx(trk('<trkpt lat="&a;" lon="1"/>')), 3, 15, /entity/],
  ])('%s', async (_, content, line, column, reason) => {
    const reasonMatch = expect.stringMatching(reason);
    await expect(read(content)).rejects.toMatchObject({ name: 'ImportFailure', line, column, reason: reasonMatch });
    await expect(read(content)).rejects.toThrow(`test.gpx:${line}:${column}: `);
  });

  test('a time that is longer than any', async () => {
    const digits = '<trkpt lat="1" lon="2"><time>'.padEnd(2000, '2');
    await expect(read(gpx(trk(`${digits}</time></trkpt>`)))).rejects.toThrow(/is longer than 1000 characters/);
  });

  test('a time or a comment that never ends, before it is all in memory', () => {
    const piece = ' '.repeat(65_536);
    for (const [start, max] of [
      ['<trkpt lat="1" lon="2"><time>', 2],
      ['<!--', 300],
      ['<desc>', 300],
      ['<desc a="', 300],
    ] as const) {
      const parser = new GpxParser();
      parser.write(gpx(trk(start)).slice(0, -'</trkseg></trk></gpx>'.length));
      expect(() => {
        for (let written = 0; written < max; written++) parser.write(piece);
      }).toThrow(/a text or tag is longer than \d+ characters/);
    }
  });

  test('bytes that are no text', async () => {
    await expect(read(Buffer.concat([Buffer.from(gpx('').slice(0, -6)), Buffer.of(0xff)]))).rejects.toThrow(
      /test\.gpx:2:\d+: what follows is not text in UTF-8/,
    );
  });

  test('a file that is not there', async () => {
    await expect(readTrips(join(folder, 'none.gpx'))).rejects.toThrow(/none\.gpx: cannot be read \(ENOENT\)/);
  });
});

describe('Implausible data is imported and reported:', () => {
  const faultsOf = async (body: string) => (await read(gpx(trk(body))))[0]?.faults;
  const start = at('2024-01-01T00:00:00Z');

  test.each([
    [
      'a time in the future',
      start + at('2124-01-01T00:00:05Z', 1.0001),
      { in_future: { count: 1, line: 4 }, gap: { count: 1, line: 4 } },
    ],
    ['a repeated time', start + at('2024-01-01T00:00:00Z', 1.0001), { repeated_time: { count: 1, line: 4 } }],
    ['a repeated position', start + at('2024-01-01T00:00:05Z'), { repeated_position: { count: 1, line: 4 } }],
    [
      'time running backwards',
      start + at('2023-12-31T23:59:59Z', 1.0001) + at('2024-01-01T00:00:05Z', 1.0002),
      { time_backwards: { count: 1, line: 4 } },
    ],
    ['a jump', start + at('2024-01-01T00:00:01Z', 1.0008), { jump: { count: 1, line: 4 } }],
    ['a single position', start, { one_point: { count: 1, line: 3 } }],
    [
      'times without a zone',
      at('2024-01-01T00:00:00') + at('2024-01-01T00:00:05', 1.0001),
      { no_zone: { count: 2, line: 3 } },
    ],
  ])('%s', async (_, body, faults) => {
    expect(await faultsOf(body)).toEqual(faults);
  });

  test.each([
    ['without latitude', '<trkpt lon="1"/>', 'no_position'],
    ['whose latitude is no number', '<trkpt lat="x" lon="1"/>', 'no_position'],
    ['whose latitude is hexadecimal', '<trkpt lat="0x10" lon="1"/>', 'no_position'],
    ['whose longitude has an exponent', '<trkpt lat="1" lon="1e1"/>', 'no_position'],
    ['whose longitude is beyond 180', '<trkpt lat="1" lon="181"/>', 'no_position'],
    ['whose time is none', at('noon'), 'bad_time'],
    ['whose time is in no calendar', at('2026-02-30T12:00:00Z'), 'bad_time'],
  ])('a position %s is left out', async (_, position, fault) => {
    const [trip] = await read(gpx(trk(`${start}${position}${at('2024-01-01T00:00:05Z', 1.0001)}`)));
    expect([...(trip?.points?.lat ?? [])]).toEqual([1, 1.0001]);
    expect(trip?.faults).toEqual({ [fault]: { count: 1, line: 4 } });
  });

  test('300 km/h is no jump yet', async () => {
    expect(await faultsOf(start + at('2024-01-01T00:00:01Z', 1.00074))).toEqual({});
  });

  test('a time without a zone is GMT', async () => {
    const [trip] = await read(gpx(trk(at('2024-07-01T12:00:00') + at('2024-07-01T15:00:05+02:00'))));
    expect([...(trip?.points?.time ?? [])]).toEqual([Date.UTC(2024, 6, 1, 12), Date.UTC(2024, 6, 1, 13, 0, 5)]);
  });

  test('positions without a time get one evenly between their neighbours', async () => {
    const [trip] = await read(
      gpx(trk(at(null) + at('2024-01-01T00:00:00Z') + at(null) + at('') + at('2024-01-01T00:00:09Z') + at(null))),
    );
    const seconds = [...(trip?.points?.time ?? [])].map((instant) => (instant - Date.UTC(2024, 0, 1)) / 1000);
    expect(seconds).toEqual([0, 0, 3, 6, 9, 9]);
    expect(trip?.faults).toMatchObject({ no_time: { count: 4, line: 3 } });
  });

  test('a trip without any time, or without positions, is not imported', async () => {
    const trips = await read(gpx(trk(at(null) + at(null, 5)) + trk('')));
    expect(trips.map(({ points }) => points)).toEqual([null, null]);
    expect(trips.map(({ faults }) => Object.keys(faults))).toEqual([['untimed_trip'], ['empty_trip']]);
    const [lost] = await read(gpx(trk(at('noon') + at('noon', 91))));
    expect(lost?.faults).toMatchObject({ bad_time: { count: 1 }, no_position: { count: 1 }, empty_trip: { count: 1 } });
  });
});

const RECORDINGS = new URL('../../../../../shared/data/trips/', import.meta.url);
const FACTS = new URL('facts.json', RECORDINGS);
const facts = existsSync(FACTS) ? (JSON.parse(readFileSync(FACTS, 'utf8')) as Record<string, RecordingFacts>) : {};

interface RecordingFacts {
  readonly points: number;
  readonly first_time: string;
  readonly last_time: string;
  readonly duration_s: number;
  readonly distance_m_haversine: number;
  readonly repeated_timestamps: number;
  readonly repeated_positions: number;
  readonly gaps_over_45s: readonly { readonly seconds: number; readonly metres: number }[];
  readonly bbox: readonly number[];
}

describe.skipIf(!existsSync(FACTS))('Recordings of real trips (skipped where ../shared/data/trips is absent):', () => {
  test.each(Object.entries(facts))('%s has the facts that were worked out for it elsewhere', async (name, known) => {
    const [trip] = await readTrips(new URL(name, RECORDINGS).pathname);
    if (!trip?.points) throw new Error('No trip was read');
    const found = tripFacts(trip.points);
    expect(found.point_count).toBe(known.points);
    expect(found.start_point.timestamp).toEqual(new Date(known.first_time));
    expect(found.end_point.timestamp).toEqual(new Date(known.last_time));
    expect(found.duration_seconds).toBe(known.duration_s);
    expect(Math.abs(found.distance_meters / known.distance_m_haversine - 1)).toBeLessThan(0.005);
    expect(trip.faults.repeated_time?.count ?? 0).toBe(known.repeated_timestamps);
    expect(trip.faults.repeated_position?.count ?? 0).toBe(known.repeated_positions);
    expect(found.gaps.map(({ duration_seconds }) => duration_seconds)).toEqual(
      known.gaps_over_45s.map(({ seconds }) => seconds),
    );
    for (const [i, edge] of known.bbox.entries()) expect(found.bounding_box[i]).toBeCloseTo(edge, 6);
  });

  test.each([
    ['01-munich-city-motorway-1s.gpx', 10],
    ['03-chemnitz-van-stops-5s.gpx', 20],
  ])('%s has %i stops', async (name, count) => {
    const [trip] = await readTrips(new URL(name, RECORDINGS).pathname);
    expect(trip?.points && tripFacts(trip.points).stops).toHaveLength(count);
  });
});
