import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';

import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { FILE_FORMATS, type FileOptions, FORMATS } from '../../../../tracking/import/file-formats.ts';
import { readFile } from '../../../../tracking/import/read-file.ts';
import type { FileItem } from '../../../../tracking/import/rows/stream-position.ts';
import { fitFile } from './fit-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-formats-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(name: string, content: string | Uint8Array, options: FileOptions = {}): Promise<FileItem[]> {
  const file = join(folder, name);
  await writeFile(file, content);
  const items: FileItem[] = [];
  for await (const piece of readFile(file, options, () => {})) items.push(...piece);
  return items;
}

const rounded = (value: number | undefined) => Number((value ?? 0).toFixed(6));
const orNull = (value: number | undefined | null) =>
  value === undefined || value === null || Number.isNaN(value) ? null : Number(value.toFixed(3));

/** Describes the items of a file: a position as `[time, lat, lon, speed, heading]`, a trip as its list, faults by name. */
function words(items: readonly FileItem[]): unknown[] {
  return items.map((item) => {
    if (item.kind === 'left_out') return `${item.line}: ${item.fault}`;
    if (item.kind === 'position') {
      const { time, lat, lon, speed, heading } = item;
      const written = time === null ? null : new Date(time).toISOString();
      return [written, rounded(lat), rounded(lon), orNull(speed), orNull(heading)];
    }
    const points = item.recorded.finish();
    const faults = [...item.recorded.faults.keys()].filter((kind) => kind === 'no_position' || kind === 'bad_time');
    return [
      ...Array.from(points?.time ?? [], (time, i) => [
        new Date(time).toISOString(),
        rounded(points?.lat[i]),
        rounded(points?.lon[i]),
        orNull(points?.speed[i]),
        orNull(points?.heading[i]),
      ]),
      ...faults,
    ];
  });
}

const NOON = '2026-03-01T12:00:00.000Z';
const FIVE = '2026-03-01T12:00:05.000Z';
const at = (speed: number | null = null, heading: number | null = null) => [
  [NOON, 53.21, 8.62, speed, heading],
  [FIVE, 53.211, 8.62, null, null],
];
const NOON_OF_FIT = Date.parse(NOON) / 1000 - 631_065_600;

const KML = `<?xml version="1.0"?>
<!-- by hand --><kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
<Placemark><name>Van</name><gx:Track><when>2026-03-01T12:00:00Z</when><when>2026-03-01T13:00:05+01:00</when>
<gx:coord>8.62 53.21 30</gx:coord><gx:coord>8.62 53.211 30</gx:coord><gx:angles>90 0 0</gx:angles></gx:Track></Placemark>
</Document></kml>`;

const TCX = `<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>
<Activity Sport="Other"><Id>${NOON}</Id><Lap StartTime="${NOON}"><MaximumSpeed>99</MaximumSpeed><Track>
<Trackpoint><Time>${NOON}</Time><Position><LatitudeDegrees>53.21</LatitudeDegrees><LongitudeDegrees>8.62</LongitudeDegrees></Position>
<Extensions><ns3:TPX xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><ns3:Speed>12.5</ns3:Speed></ns3:TPX></Extensions></Trackpoint>
<Trackpoint><Time>${FIVE}</Time><Position><LatitudeDegrees>53.211</LatitudeDegrees><LongitudeDegrees>8.62</LongitudeDegrees></Position></Trackpoint>
</Track></Lap></Activity></Activities></TrainingCenterDatabase>`;

/** Adds its checksum to a sentence. */
const nmea = (sentence: string) => {
  const sum = [...sentence].reduce((so, letter) => so ^ letter.charCodeAt(0), 0);
  return `$${sentence}*${sum.toString(16).toUpperCase().padStart(2, '0')}`;
};
const RMC = nmea('GPRMC,120000.000,A,5312.6000,N,00837.2000,E,10.00,90.00,010326,,');
const GGA = nmea('GPGGA,120005.000,5312.6600,N,00837.2000,E,1,08,0.9,30.0,M,40.0,M,,');

const rec = (message: object) => `2026-03-01T12:00:00Z\t*                 \t${JSON.stringify(message)}\n`;
const location = (tst: number, lat: number, more: object = {}) =>
  rec({ _type: 'location', tst: Date.parse(NOON) / 1000 + tst, lat, lon: 8.62, ...more });

const android = (segments: readonly object[]) =>
  JSON.stringify({ semanticSegments: segments, rawSignals: [] }, null, 1);
const PATH = {
  startTime: '2026-03-01T12:00:00.000+01:00',
  endTime: '2026-03-01T14:00:00.000+01:00',
  timelinePath: [
    { point: '53.21°, 8.62°', time: '2026-03-01T13:00:00.000+01:00' },
    { point: '53.211°, 8.62°', time: '2026-03-01T13:00:05.000+01:00' },
  ],
};
const IOS_PATH = {
  endTime: '2026-03-01T14:00:00.000+01:00',
  startTime: '2026-03-01T12:00:00.000+01:00',
  timelinePath: [
    { point: 'geo:53.210000,8.620000', durationMinutesOffsetFromStartTime: '60' },
    { point: 'geo:53.211000,8.620000', durationMinutesOffsetFromStartTime: '61' },
  ],
};
const E7 = { latitudeE7: 532_100_000, longitudeE7: 86_200_000 };
const LATER_E7 = { latitudeE7: 532_110_000, longitudeE7: 86_200_000 };

type Read = readonly [what: string, name: string, content: string | Uint8Array, expected: unknown[]];

const FILES: Readonly<Record<string, readonly Read[]>> = {
  kml: [
    ['a track', 'a.kml', KML, [[...at(null, 90)]]],
    [
      'a track of several parts',
      'b.kml',
      KML.replace('<gx:Track>', '<gx:MultiTrack><gx:Track>').replace(
        '</gx:Track>',
        '</gx:Track><gx:Track><when>2026-03-01T12:00:09Z</when><gx:coord/></gx:Track></gx:MultiTrack>',
      ),
      [[...at(null, 90), 'no_position']],
    ],
    [
      'points with times, and one without',
      'c.kml',
      `<kml><Placemark><TimeStamp><when>${NOON}</when></TimeStamp><Point><coordinates>8.62,53.21,0</coordinates></Point></Placemark>
<Placemark><Point><coordinates>8,53</coordinates></Point></Placemark></kml>`,
      [at()[0], '2: no_line'],
    ],
    [
      'a line with a time span, which has no times for its positions',
      'd.kml',
      `${KML.slice(0, -17)}\n<Placemark><TimeSpan><begin>${NOON}</begin><end>${FIVE}</end></TimeSpan>\n<LineString><coordinates>8,53 8.1,53</coordinates></LineString></Placemark></Document></kml>`,
      [[...at(null, 90)], '7: untimed_trip'],
    ],
  ],
  kmz: [
    [
      'the document',
      'a.kmz',
      zipSync({ 'doc.kml': Buffer.from(KML), 'files/a.png': Buffer.alloc(99) }),
      [[...at(null, 90)]],
    ],
    [
      'a document that is not packed',
      'b.kmz',
      zipSync({ 'a.kml': Buffer.from(KML) }, { level: 0 }),
      [[...at(null, 90)]],
    ],
  ],
  tcx: [
    ['an activity', 'a.tcx', TCX, [at(12.5)]],
    [
      'a course, which is a plan',
      'b.tcx',
      TCX.replaceAll('Activity', 'Course').replace('Extensions', 'X').replace('/Extensions', '/X'),
      ['6: no_line'],
    ],
  ],
  fit: [
    [
      'records, one without a fix',
      'a.fit',
      fitFile(
        [{ timestamp: NOON_OF_FIT, lat: 53.21, lon: 8.62, speed: 12.5 }, { timestamp: NOON_OF_FIT + 1 }],
        [{ timestamp: NOON_OF_FIT + 5, lat: 53.211, lon: 8.62 }],
      ),
      [[...at(12.5), 'no_position']],
    ],
  ],
  nmea: [
    [
      'sentences, and bytes between them',
      'a.nmea',
      Buffer.concat([Buffer.from([0xb5, 0x62, 0x0a]), Buffer.from(`${RMC}\r\n${GGA}\r\n`)]),
      at(5.144, 90),
    ],
    [
      'a fix in two sentences',
      'b.nmea',
      [GGA.replace(/./s, '$'), RMC, nmea('GPGGA,120000.000,5312.6000,N,00837.2000,E,1,08,0.9,,,,,,')]
        .slice(1)
        .join('\n'),
      [at(5.144, 90)[0]],
    ],
    [
      'the other order, over midnight, in the south west',
      'c.nmea',
      [
        nmea('GNGGA,235959.50,3330.0000,S,07030.0000,W,1,08,0.9,,,,,,'),
        nmea('GNRMC,235959.50,A,3330.0000,S,07030.0000,W,0.00,,311226,,'),
        nmea('GNGGA,000000.50,3330.6000,S,07030.0000,W,1,08,0.9,,,,,,'),
      ].join('\n'),
      [
        ['2026-12-31T23:59:59.500Z', -33.5, -70.5, 0, null],
        ['2027-01-01T00:00:00.500Z', -33.51, -70.5, null, null],
      ],
    ],
    [
      'damaged and truncated sentences, and one before the first fix',
      'd.nmea',
      [
        RMC,
        RMC.replace('5312', '5313'),
        'GPS: $GPRMC,120001.000,A,5312.6000,N,00837.2',
        '$GPRMC,120001.000,A,5312.6000,N,00837.2',
        nmea('GPRMC,120002,V,,,,,,,010326,,'),
      ].join('\n'),
      [at(5.144, 90)[0], '2: bad_checksum', '3: bad_checksum', '4: bad_checksum', '5: no_position'],
    ],
    ['a fix before the first date', 'e.nmea', [GGA, RMC].join('\n'), ['1: bad_time', at(5.144, 90)[0]]],
  ],
  timeline: [
    [
      'Records.json, new and old',
      'Records.json',
      JSON.stringify({
        locations: [
          { ...E7, timestamp: NOON, velocity: 12, heading: 90, accuracy: 12 },
          { timestampMs: String(Date.parse(FIVE)), ...LATER_E7 },
          { timestamp: NOON },
        ],
      }),
      [...at(12, 90), '1: no_position'],
    ],
    [
      'activities of the Semantic Location History',
      '2026_MARCH.json',
      JSON.stringify({
        timelineObjects: [
          { placeVisit: { location: E7, duration: { startTimestamp: NOON, endTimestamp: NOON } } },
          {
            activitySegment: {
              startLocation: E7,
              endLocation: LATER_E7,
              duration: { startTimestamp: NOON, endTimestamp: FIVE },
              activityType: 'IN_PASSENGER_VEHICLE',
              simplifiedRawPath: {
                points: [{ latE7: 532_105_000, lngE7: 86_200_000, timestamp: '2026-03-01T12:00:02Z' }],
              },
            },
          },
          { activitySegment: { startLocation: E7, endLocation: E7, duration: {}, activityType: 'WALKING' } },
        ],
      }),
      [[at()[0], ['2026-03-01T12:00:02.000Z', 53.2105, 8.62, null, null], at()[1]], '1: not_driven'],
    ],
    ['the path of a telephone with Android', 'Timeline.json', android([PATH]), at()],
    [
      'its activities, with the positions between their ends',
      'Timeline-2.json',
      android([
        PATH,
        {
          startTime: '2026-03-01T12:00:03Z',
          endTime: '2026-03-01T12:00:09Z',
          activity: {
            start: { latLng: '53.2105°, 8.62°' },
            end: { latLng: '53.212°, 8.62°' },
            topCandidate: { type: 'IN_PASSENGER_VEHICLE' },
          },
        },
        {
          startTime: '2026-03-01T12:10:00Z',
          endTime: '2026-03-01T12:20:00Z',
          activity: { start: { latLng: '53°, 8°' }, end: { latLng: '53°, 8°' }, topCandidate: { type: 'WALKING' } },
        },
      ]),
      [
        '16: no_activity',
        [
          ['2026-03-01T12:00:03.000Z', 53.2105, 8.62, null, null],
          at()[1],
          ['2026-03-01T12:00:09.000Z', 53.212, 8.62, null, null],
        ],
        '46: not_driven',
      ],
    ],
    [
      'the path of an iPhone',
      'location-history.json',
      JSON.stringify([IOS_PATH]),
      [at()[0], ['2026-03-01T12:01:00.000Z', 53.211, 8.62, null, null]],
    ],
  ],
  owntracks: [
    [
      'locations, among other messages',
      '2026-03.rec',
      location(0, 53.21, { vel: 36, cog: 90 }) + rec({ _type: 'lwt', tst: 1 }) + location(5, 53.211),
      at(10, 90),
    ],
  ],
};

describe.each(Object.entries(FILES))('A file of the format %s is read:', (format, files) => {
  test.each(files)('%s', async (_, name, content, expected) => {
    expect(words(await read(name, content))).toEqual(expected);
    // By its content alone, if it reveals it, and by the name of the format.
    expect(words(await read(`${name}.txt`, content))).toEqual(expected);
    expect(words(await read(`${name}.dat`, content, { format: format as keyof typeof FILE_FORMATS }))).toEqual(
      expected,
    );
  });
});

test('The content of a file counts for more than its name', async () => {
  expect(words(await read('kml.gpx', KML))).toEqual([[...at(null, 90)]]);
  expect(
    words(await read('utf16.txt', Buffer.from(`\ufeff${KML.replace('?>', ' encoding="utf-16"?>')}`, 'utf16le'))),
  ).toEqual([[...at(null, 90)]]);
});

test('Times without a zone are of the zone that the options name', async () => {
  const options = { zone: 'Europe/Berlin' };
  const kml = KML.replaceAll(/(?:Z|\+01:00)<\/when>/g, '</when>').replace('T13:', 'T12:');
  const [item] = await read('zone.kml', kml, options);
  const times = item?.kind === 'track' ? item.recorded.finish()?.time : [];
  expect(Array.from(times ?? [], (time) => new Date(time).toISOString().slice(11, 19))).toEqual([
    '11:00:00',
    '11:00:05',
  ]);
  const tcx = TCX.replaceAll(/\.000Z<\/Time>/g, '</Time>');
  const [second] = await read('zone.tcx', tcx, options);
  expect(second?.kind === 'track' && second.recorded.finish()?.time[0]).toBe(Date.parse(NOON) - 3_600_000);
});

const DEEP = '<a>'.repeat(100);
/** A KMZ of half a megabyte that unpacks to more than 256 MB. */
const bomb = () => {
  const comment = Buffer.from(`<!--${' '.repeat(1024 * 1024)}-->`);
  const packed = deflateRawSync(Buffer.concat([Buffer.from('<kml>'), ...Array.from({ length: 257 }, () => comment)]), {
    level: 1,
  });
  const header = Buffer.from('504b0304140000000800000000000000000000000000000000000700000061000000', 'hex').subarray(
    0,
    30,
  );
  header.writeUInt32LE(packed.length, 18);
  return Buffer.concat([header, Buffer.from('doc.kml'), packed]);
};
const damaged = (file: Buffer) => {
  const bytes = Buffer.from(file);
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  return bytes;
};
const FIT = fitFile([{ timestamp: NOON_OF_FIT, lat: 53.21, lon: 8.62 }]);

describe('A file that cannot be read names its place and what is wrong:', () => {
  test.each<readonly [string, string, string | Uint8Array, RegExp]>([
    ['KML that breaks off', 'a.kml', KML.slice(0, 300), /a\.kml:\d:\d+: /],
    ['KML of another root', 'a.kml', '<svg/>', /a\.kml:1:6: the root element is <svg>, not <kml> of KML/],
    ['KML with entities', 'a.kml', '<!DOCTYPE kml><kml/>', /a\.kml:1:14: document type declarations are not accepted/],
    ['KML too deep', 'a.kml', `<kml>\n${DEEP}`, /a\.kml:2:\d+: elements are nested more than 64 deep/],
    [
      'KML with an endless time',
      'a.kml',
      `<kml><when>${'1'.repeat(2000)}</when>`,
      /a\.kml:1:\d+: .* longer than 1000 characters/,
    ],
    ['TCX that breaks off', 'a.tcx', TCX.slice(0, 500), /a\.tcx:\d:\d+: /],
    ['KMZ that is no archive', 'a.kmz', KML.slice(60), /a\.kmz: it is no KMZ: it is not a ZIP archive with a KML file/],
    ['KMZ without KML', 'a.kmz', zipSync({ 'a.txt': Buffer.from('a') }), /a\.kmz: it is no KMZ/],
    [
      'KMZ that breaks off',
      'a.kmz',
      zipSync({ 'a.kml': Buffer.from(KML) }).subarray(0, 200),
      /a\.kmz:\d:\d+: |a\.kmz: it cannot be unpacked/,
    ],
    [
      'KMZ with damaged bytes',
      'a.kmz',
      damaged(Buffer.from(zipSync({ 'a.kml': Buffer.from(KML) }))),
      /a\.kmz: it cannot be unpacked: |a\.kmz:\d+:\d+: /,
    ],
    [
      'KMZ of KML in another encoding',
      'a.kmz',
      zipSync({ 'a.kml': Buffer.from('<kml>ö</kml>', 'latin1') }),
      /a\.kmz: the KML in it is not text/,
    ],
    ['an empty KMZ', 'a.kmz', '', /a\.kmz: it is no KMZ/],
    ['FIT that is damaged', 'a.fit', damaged(FIT), /a\.fit: it is not FIT, or damaged: File CRC mismatch; copy it/],
    ['FIT that breaks off', 'a.fit', FIT.subarray(0, 50), /a\.fit: it is not FIT/],
    ['FIT that is text', 'a.fit', 'time,lat,lon\n', /a\.fit: it is not FIT, or damaged/],
    ['an empty FIT', 'a.fit', '', /a\.fit: it is empty/],
    [
      'a message of OwnTracks that breaks off',
      'a.rec',
      `${location(0, 53)}${location(1, 53).slice(0, 60)}`,
      /a\.rec:2:1: the line is not a JSON object/,
    ],
    [
      'a Timeline that breaks off',
      'a.json',
      android([PATH]).slice(0, 200),
      /a\.json:\d+:1: it is not Google Timeline: the document is incomplete/,
    ],
    [
      'no format at all',
      'a.xyz',
      'hello',
      /a\.xyz: neither its name nor its content reveals its format; give --format gpx, kml, kmz, tcx, fit, nmea, timeline, owntracks/,
    ],
  ])('%s', async (_, name, content, message) => {
    const failing = read(name, content);
    await expect(failing).rejects.toThrow(message);
    await expect(failing).rejects.toMatchObject({ name: 'ImportFailure' });
  });

  test('a KMZ that unpacks to more than 256 MB, which never are in memory', async () => {
    const packed = bomb();
    const before = process.memoryUsage().arrayBuffers;
    await expect(read('bomb.kmz', packed)).rejects.toThrow('bomb.kmz: it unpacks to more than 256 MB');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(300_000_000);
  });
});

const SECOND = { timestamp: NOON_OF_FIT + 5, lat: 53.211, lon: 8.62 };

describe('What is whole before the place where a file breaks off is read by an option:', () => {
  test.each<readonly [string, string, string | Uint8Array, number]>([
    ['a track of KML', 'a.kml', KML.slice(0, KML.indexOf('</gx:Track>')), 4],
    [
      'a track of KML of several parts',
      'b.kml',
      KML.replace('<gx:Track>', '<gx:MultiTrack><gx:Track>').slice(0, KML.indexOf('<gx:angles>') + 15),
      4,
    ],
    ['KMZ', 'a.kmz', zipSync({ 'a.kml': Buffer.from(KML.slice(0, KML.indexOf('</gx:Track>'))) }), 4],
    ['an activity of TCX', 'a.tcx', TCX.slice(0, TCX.indexOf('</Track>')), 6],
    ['FIT', 'a.fit', fitFile([{ timestamp: NOON_OF_FIT, lat: 53.21, lon: 8.62 }, SECOND, SECOND]).subarray(0, -25), 3],
    ['OwnTracks', 'a.rec', `${location(0, 53.21)}${location(5, 53.211)}${location(9, 53).slice(0, 60)}`, 3],
    ['the path of a telephone', 'Timeline.json', android([PATH, PATH]).slice(0, 560), 26],
  ])('%s', async (_, name, content, line) => {
    await expect(read(name, content)).rejects.toThrow('; --salvage imports what is whole before it');
    const items = words(await read(name, content, { salvage: true }));
    expect(JSON.stringify(items.slice(0, -1))).toMatch(/12:00:00.000Z",53.21,8.62,.*12:00:05.000Z",53.211,8.62,/);
    expect(items.at(-1)).toBe(`${line}: damaged`);
  });

  test('FIT that is damaged is not, since any record may be wrong', async () => {
    await expect(read('a.fit', damaged(FIT), { salvage: true })).rejects.toThrow('File CRC mismatch; copy it');
  });
});

test('Texts of files are read in the encoding that the options name', async () => {
  const kml = Buffer.from(KML.replace('Van', 'Lösch'), 'latin1');
  for (const [name, content] of [['a.kml', kml] as const, ['a.kmz', zipSync({ 'a.kml': kml })] as const]) {
    await expect(read(name, content)).rejects.toThrow('--encoding windows-1252');
    expect(words(await read(name, content, { encoding: 'windows-1252' }))).toEqual([[...at(null, 90)]]);
  }
});

test.each(FORMATS)('docs/command-line.md says what is read of %s', (format) => {
  const docs = readFileSync('docs/command-line.md', 'utf8');
  const row = docs.split('\n').find((line) => line.startsWith(`| \`${format}\` |`));
  expect(row).toContain(FILE_FORMATS[format].title);
  for (const extension of FILE_FORMATS[format].extensions) expect(row).toContain(`\`${extension}\``);
});

const RECORDED = '../shared/cases/devices/45-other-formats';

describe.skipIf(!existsSync(RECORDED))('Files of others (needs ../shared):', () => {
  const north = (latitudes: readonly number[]) =>
    latitudes.map((lat, i) => [`2026-06-15T08:00:${i}0.000Z`.replace(':00.', ':00.'), lat, 8.62, null, null]);
  const track = [53.21, 53.211, 53.212, 53.213, 53.214, 53.215];
  test.each<readonly [string, unknown[]]>([
    ['a.kml', [north(track)]],
    ['kml.gpx', [north(track)]],
    // Its checksum is that of another sentence.
    ['a.nmea', ['1: bad_checksum']],
    ['a.rec', [['2026-06-15T08:00:00.000Z', 53.21, 8.62, null, null]]],
    ['a.tcx', []],
  ])('%s', async (name, expected) => {
    expect(words(await read(name, readFileSync(join(RECORDED, name))))).toEqual(expected);
  });
});
