import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readFile } from '../../../tracking/import/read-file.ts';
import type { ReadOptions } from '../../../tracking/import/rows/read-options.ts';
import type { FileItem } from '../../../tracking/import/rows/stream-position.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-read-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function read(name: string, content: string | Uint8Array, options: ReadOptions = {}): Promise<FileItem[]> {
  const file = join(folder, name);
  await writeFile(file, content);
  const items: FileItem[] = [];
  for await (const piece of readFile(file, options, () => {})) items.push(...piece);
  return items;
}

/** Describes the items of a file: positions and trips as `time lat lon speed heading events`, faults by name. */
function words(items: readonly FileItem[]): unknown[] {
  return items.map((item) => {
    if (item.kind === 'left_out') return `${item.line}: ${item.fault}`;
    if (item.kind === 'position') {
      const { time, lat, lon, speed, heading, events } = item;
      return [time === null ? null : new Date(time).toISOString(), lat, lon, speed, heading, events.join(' ')];
    }
    const points = item.recorded.finish();
    if (!points) return [...item.recorded.faults.keys()];
    return Array.from(points.time, (time, i) => [
      new Date(time).toISOString(),
      points.lat[i],
      points.lon[i],
      Number.isNaN(points.speed[i]) ? null : points.speed[i],
      Number.isNaN(points.heading[i]) ? null : points.heading[i],
      points.events.get(i)?.join(' ') ?? '',
    ]);
  });
}

const NOON = '2026-03-01T12:00:00.000Z';
const FIVE = '2026-03-01T12:00:05.000Z';

describe('The same two positions are read from', () => {
  const both = [
    [NOON, 1, 2, 10, 90, 'engine_start'],
    [FIVE, 1.5, 2.5, null, null, ''],
  ];

  test.each<[string, string, string | Uint8Array, ReadOptions, unknown[]]>([
    [
      'CSV',
      'a.csv',
      'timestamp,Latitude,Longitude,speed,course,events\n2026-03-01T12:00:00Z,1,2,36,90,engine_start\n2026-03-01T12:00:05Z,1.5,2.5,,,\n',
      { speedUnit: 'km/h' },
      both,
    ],
    [
      'CSV of tabs, with a byte order mark, quotes and a last line without an end',
      'a.tsv',
      '\ufeffwhen\tlat\tlon\tv\theading\tevents\r\n"2026-03-01 13:00:00"\t1\t2\t"10"\t90\tengine_start\r\n2026-03-01 13:00:05\t1.5\t2.5\t-1\t-1\t',
      { columns: { time: 'when', speed: 'v' }, speedUnit: 'm/s', zone: '+01:00' },
      both,
    ],
    [
      'CSV in UTF-16, as spreadsheets write it',
      'b.csv',
      Buffer.from(
        '\ufefftime\tlat\tlon\tspeed\theading\tevents\r\n2026-03-01T12:00:00Z\t1\t2\t10\t90\tengine_start\r\n2026-03-01T12:00:05Z\t1.5\t2.5\t\t\t\r\n',
        'utf16le',
      ),
      { speedUnit: 'm/s' },
      both,
    ],
    [
      'NDJSON',
      'a.ndjson',
      '{"time":"2026-03-01T12:00:00Z","lat":1,"lon":2,"speed":10,"heading":90,"events":["engine_start"]}\n\n{"time":"2026-03-01T12:00:05Z","lat":1.5,"lon":2.5}',
      { speedUnit: 'm/s' },
      both,
    ],
    [
      'NDJSON of objects within objects',
      'a.jsonl',
      '{"t":1772366400,"p":{"c":[2,1]},"v":22.369362920544023,"heading":90,"events":"engine_start"}\n{"t":1772366405,"p":{"c":[2.5,1.5]}}\n',
      { columns: { time: 't', lat: 'p.c.1', lon: 'p.c.0', speed: 'v' }, timeFormat: 'unix', speedUnit: 'mph' },
      both,
    ],
    [
      'a LineString of GeoJSON',
      'a.geojson',
      JSON.stringify({
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            properties: {
              coordTimes: ['2026-03-01T12:00:00Z', '2026-03-01T12:00:05Z'],
              speeds: [10, null],
              headings: [90, null],
              events: [['engine_start'], []],
            },
            geometry: {
              type: 'LineString',
              coordinates: [
                [2, 1, 30],
                [2.5, 1.5],
              ],
            },
          },
        ],
      }),
      {},
      [both],
    ],
    [
      'a MultiLineString, a single feature',
      'b.json',
      JSON.stringify({
        type: 'Feature',
        properties: {
          coordinateProperties: { times: [['2026-03-01T12:00:00Z'], ['2026-03-01T12:00:05Z']] },
          speeds: [[10], [null]],
          headings: [[90], [null]],
          events: [[['engine_start']], [[]]],
        },
        geometry: { type: 'MultiLineString', coordinates: [[[2, 1]], [[2.5, 1.5]]] },
      }),
      {},
      [both],
    ],
    [
      'Points of GeoJSON, among others',
      'c.geojson',
      `{"features":[
        {"type":"Feature","properties":{"time":"2026-03-01T12:00:00Z","speed":10,"heading":90,"events":["engine_start"]},"geometry":{"type":"Point","coordinates":[2,1]}},
        {"type":"Feature","properties":{"time":"2026-03-01T12:00:05Z"},"geometry":{"type":"Point","coordinates":[2.5,1.5]}},
        {"type":"Feature","properties":{"name":"Depot"},"geometry":{"type":"Point","coordinates":[3,3]}}
      ],"type":"FeatureCollection"}`,
      {},
      [...both, '4: no_line'],
    ],
    [
      'GPX',
      'a.gpx',
      `<gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:g="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:w="urn:waybridge:gpx:1"><trk><trkseg>
        <trkpt lat="1" lon="2"><time>${NOON}</time><extensions><g:TrackPointExtension><g:speed>10</g:speed><g:course>90</g:course></g:TrackPointExtension><w:event>engine_start</w:event></extensions></trkpt>
        <trkpt lat="1.5" lon="2.5"><time>${FIVE}</time></trkpt></trkseg></trk></gpx>`,
      {},
      [both],
    ],
    [
      'a line with all of a trip',
      'd.ndjson',
      '{"start":"2026-03-01T12:00:00Z","path":[[2,1],[2.5,1.5]]}',
      { columns: { time: 'start', coordinates: 'path' }, interval: 5 },
      [both.map(([time, lat, lon]) => [time, lat, lon, null, null, ''])],
    ],
    [
      'a column with all of a trip, as text',
      'd.csv',
      'start;path\n1772366400000;[[2,1],[2.5,1.5]]\n',
      { columns: { time: 'start', coordinates: 'path' }, interval: 5, timeFormat: 'unix-ms' },
      [both.map(([time, lat, lon]) => [time, lat, lon, null, null, ''])],
    ],
    [
      'a column with all of a trip, as an encoded polyline',
      'e.csv',
      'start,path\n01.03.2026 12:00:00,_ibE_seK_t`B_t`B\n',
      { columns: { time: 'start', coordinates: 'path' }, interval: 5, timeFormat: 'DD.MM.YYYY hh:mm:ss' },
      [both.map(([time, lat, lon]) => [time, lat, lon, null, null, ''])],
    ],
  ])('%s', async (_, name, content, options, expected) => {
    expect(words(await read(name, content, options))).toEqual(expected);
  });
});

describe('A time', () => {
  test.each<[string, ReadOptions, string | null, boolean]>([
    ['2026-07-01T12:00:00+02:00', {}, '2026-07-01T10:00:00.000Z', false],
    ['2026-07-01 12:00:00', {}, '2026-07-01T12:00:00.000Z', true],
    ['2026-07-01 12:00:00 UTC', {}, '2026-07-01T12:00:00.000Z', false],
    ['2026-07-01 12:00:00 +0200', {}, '2026-07-01T10:00:00.000Z', false],
    ['2026-07-01T12:00:00Z', { zone: '-03:00' }, '2026-07-01T12:00:00.000Z', false],
    ['2026-07-01 12:00:00', { zone: '-03:00' }, '2026-07-01T15:00:00.000Z', false],
    ['2026-07-01 12:00:00', { zone: 'Europe/Berlin' }, '2026-07-01T10:00:00.000Z', false],
    ['2026-01-01 12:00:00', { zone: 'Europe/Berlin' }, '2026-01-01T11:00:00.000Z', false],
    ['2026-10-25 02:30:00', { zone: 'Europe/Berlin' }, '2026-10-25T00:30:00.000Z', false],
    ['2026-10-25 03:30:00', { zone: 'Europe/Berlin' }, '2026-10-25T02:30:00.000Z', false],
    ['2026-03-29 01:59:59', { zone: 'Europe/Berlin' }, '2026-03-29T00:59:59.000Z', false],
    ['2026-03-29 02:30:00', { zone: 'Europe/Berlin' }, '2026-03-29T01:30:00.000Z', false],
    ['2026-03-29 03:00:00', { zone: 'Europe/Berlin' }, '2026-03-29T01:00:00.000Z', false],
    ['1/7/2026', { timeFormat: 'DD/MM/YYYY' }, '2026-07-01T00:00:00.000Z', true],
    ['31/02/2026', { timeFormat: 'DD/MM/YYYY' }, null, false],
    ['1782907200.5', { timeFormat: 'unix' }, '2026-07-01T12:00:00.500Z', false],
    ['noon', {}, null, false],
    ['noon', { timeFormat: 'unix' }, null, false],
    ['0x69', { timeFormat: 'unix' }, null, false],
    ['1782907200000', { timeFormat: 'unix' }, null, false],
  ])('%s with %j is %s', async (written, options, instant, isZoneMissing) => {
    const [item] = await read('time.csv', `time,lat,lon\n${written},1,2\n`, options);
    expect(item).toMatchObject(
      instant === null ? { kind: 'left_out', fault: 'bad_time' } : { time: Date.parse(instant), isZoneMissing },
    );
  });

  test.each(['[]', '[1782907200]', '{}', 'true', 'false', '"0b1"', '"1782907200 s"', '2.6e11'])(
    '%s is none of 1970 in seconds',
    async (written) => {
      const line = `{"time":${written},"lat":1,"lon":2}`;
      expect(await read('time.ndjson', line, { timeFormat: 'unix' })).toMatchObject([{ fault: 'bad_time', line: 1 }]);
    },
  );

  test.each([
    [{ timeFormat: 'hh:mm' }, /--time-format must be/],
    [{ zone: 'Middle/Earth' }, /--zone must be/],
  ])('of an unknown kind is refused: %j', async (options, message) => {
    await expect(read('time.csv', 'time,lat,lon\n', options)).rejects.toThrow(message);
  });
});

describe('A line without a valid position is left out and reported:', () => {
  const columns = { vehicle: 'car' } as const;
  test.each([
    ['without a latitude', '2026-03-01T12:00:00Z,,2,a', 'no_position'],
    ['beyond the pole', '2026-03-01T12:00:00Z,91,2,a', 'no_position'],
    ['with words for numbers', '2026-03-01T12:00:00Z,north,2,a', 'no_position'],
    ['with a time that is none', 'never,1,2,a', 'bad_time'],
    ['without a vehicle', '2026-03-01T12:00:00Z,1,2,', 'no_vehicle'],
  ])('%s', async (_, row, fault) => {
    const items = await read('rows.csv', `time,lat,lon,car\n${row}\n2026-03-01T12:00:05Z,1,2,a\n`, { columns });
    expect(items).toMatchObject([
      { kind: 'left_out', fault, line: 2 },
      { kind: 'position', vehicle: 'a', line: 3 },
    ]);
  });
});

test('Of a line of GeoJSON, positions without coordinates or with an invalid timestamp are left out and reported', async () => {
  const properties = { coordTimes: ['2026-03-01T12:00:00Z', 'noon', '2026-03-01T12:00:09Z', null, 5] };
  const coordinates = [
    [2, 1],
    [2, 1.1],
    ['x', 1.2],
    [2.5, 1.5],
    [2, 91],
  ];
  const feature = { type: 'Feature', properties, geometry: { type: 'LineString', coordinates } };
  const [item] = await read('bad.geojson', JSON.stringify(feature));
  if (item?.kind !== 'track') throw new Error('No track was read');
  expect([...(item.recorded.finish()?.lat ?? [])]).toEqual([1, 1.5]);
  expect(Object.fromEntries(item.recorded.faults)).toMatchObject({
    bad_time: { count: 1, line: 1 },
    no_position: { count: 2, line: 1 },
    no_time: { count: 1 },
  });
});

describe('A file joined by a column', () => {
  const tracks = 'id,car\n1,Van\n2,Bus\n';
  const rows = 'id,time,lat,lon\n2,2026-03-01T12:00:00Z,1,2\n3,2026-03-01T12:00:00Z,1,2\n';

  test('gives a position the columns of its row, and a row without one is left out', async () => {
    const file = join(folder, 'tracks.csv');
    await writeFile(file, tracks);
    const options: ReadOptions = { columns: { vehicle: 'car', trip: 'id' }, join: { file, on: 'id' } };
    expect(await read('points.csv', rows, options)).toMatchObject([
      { vehicle: 'Bus', trip: '2' },
      { kind: 'left_out', fault: 'no_join', line: 3 },
    ]);
    const line = '{"id":1,"time":"2026-03-01T12:00:00Z","lat":1,"lon":2}';
    expect(await read('points.ndjson', line, options)).toMatchObject([{ vehicle: 'Van', trip: '1' }]);
  });
});

type Unreadable = [name: string, file: string, content: string | Uint8Array, options: ReadOptions, message: RegExp];

const PACKED = gzipSync('time,lat,lon\n');
const latin = (text: string) => Buffer.from(text, 'latin1');

describe('A file that cannot be read names its place and what is wrong:', () => {
  test.each<Unreadable>([
    ['an unknown extension', 'a.xyz', '', {}, /a\.xyz: neither its name nor its content reveals its format/],
    [
      'a column that is not there',
      'a.csv',
      'a,b\n',
      { columns: { lat: 'c' } },
      /a\.csv:1:1: there is no column c; the columns are a, b$/,
    ],
    ['an empty table', 'a.csv', '\n\n', {}, /a\.csv: it is empty/],
    ['a quote that never ends', 'a.csv', 'time,lat,lon\n"2026', {}, /a\.csv:\d+:1: it is not CSV/],
    [
      'a line of NDJSON that breaks off',
      'a.ndjson',
      '{"lat":1}\n{"lat":',
      {},
      /a\.ndjson:2:1: the line is not a JSON object/,
    ],
    ['a line of NDJSON that is no object', 'a.ndjson', '[1]\n', {}, /a\.ndjson:1:1: the line is not a JSON object/],
    [
      'GeoJSON that breaks off',
      'a.geojson',
      '{"type":"FeatureCollection",\n"features":[',
      {},
      /a\.geojson:2:1: it is not GeoJSON/,
    ],
    ['GeoJSON that is none', 'a.geojson', '\n\nlat', {}, /a\.geojson:1:1: it is not GeoJSON: Unexpected "l"/],
    [
      'JSON that is no GeoJSON',
      'a.json',
      '[{"lat":1}]',
      {},
      /a\.json:1:1: it is not GeoJSON: it has no type; .*ndjson/,
    ],
    ...['csv', 'ndjson', 'geojson', 'gpx'].flatMap((format): Unreadable[] => [
      [`an empty ${format} file`, `a.${format}`, '', {}, RegExp(`a\\.${format}: it is empty`)],
      [
        `a ${format} file that is packed`,
        `a.${format}`,
        PACKED,
        {},
        RegExp(`a\\.${format}: it is compressed; unpack it`),
      ],
    ]),
    ['a file whose name says that it is packed', 'a.gpx.gz', PACKED, {}, /a\.gpx\.gz: it is compressed; unpack it/],
    [
      'CSV in Windows-1252',
      'a.csv',
      latin('time,lat,lon,at\n,,,Hö\n,1,2,Köln'),
      {},
      /a\.csv:2:5: .* not text in UTF-8; save/,
    ],
    ['NDJSON in Windows-1252', 'a.ndjson', latin('{"a":1}\n{"a":"Köln"}\n'), {}, /a\.ndjson:2:8: .* save it as UTF-8/],
    ['GeoJSON in Windows-1252', 'a.geojson', latin('{"type":\n"ö"'), {}, /a\.geojson:2:2: .* save it as UTF-8/],
    ['such bytes far on', 'a.ndjson', latin(`{"a":1}\n{"a":"${'x'.repeat(100_000)}ö"}`), {}, /:2:100007: .* UTF-8/],
    ['text that breaks off in a character', 'a.ndjson', latin('{"a":1}\n{"a":"\u00c3'), {}, /:2:7: .* UTF-8/],
    [
      'GeoJSON that is nothing but brackets',
      'a.geojson',
      `{"type":\n${'['.repeat(3_000_000)}`,
      {},
      /a\.geojson:2:1: arrays and objects are nested more than 64 deep/,
    ],
    [
      'a line of NDJSON that is nothing but brackets',
      'a.ndjson',
      `{"lat":1}\n{"lat":"[\\"[","lon":${'['.repeat(3_000_000)}\n`,
      {},
      /a\.ndjson:2:84: arrays and objects are nested more than 64 deep/,
    ],
    [
      'GPX of elements within each other without end',
      'a.gpx',
      `<gpx xmlns="http://www.topografix.com/GPX/1/1">\n${'<a>'.repeat(1_000_000)}`,
      {},
      /a\.gpx:2:192: elements are nested more than 64 deep/,
    ],
    ['GPX in Windows-1252', 'a.gpx', latin('<gpx>\n<name>ö'), {}, /a\.gpx:2:7: .* name its encoding in the first line/],
  ])('%s', async (_, name, content, options, message) => {
    const failing = read(name, content, options);
    await expect(failing).rejects.toThrow(message);
    await expect(failing).rejects.toMatchObject({ name: 'ImportFailure' });
  });

  const reading = async (...names: string[]) => {
    for await (const _ of readFile(join(folder, ...names), {}, () => {}));
  };

  test.each(['none.csv', 'none.ndjson', 'none.geojson'])('%s, which is not there', async (name) => {
    await expect(reading('nowhere', name)).rejects.toThrow(`${name}: cannot be read (ENOENT): there is no such file`);
  });

  test.each(['folder.csv', 'folder.gpx'])('%s, which is a folder', async (name) => {
    await mkdir(join(folder, name));
    await expect(reading(name)).rejects.toThrow(`${name}: cannot be read (EISDIR): it is a folder`);
  });
});
