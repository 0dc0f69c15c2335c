import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ImportRequest, importTrips } from '../../../tracking/import/import-trips.ts';
import type { ImportSummary } from '../../../tracking/import/import-summary.ts';
import type { ReadOptions } from '../../../tracking/import/rows/read-options.ts';
import { account, vehicle as newVehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

let folder: string;
let van: { key: string; account_key: string };
/** The trip as the standards write it; the same positions are the same trip, with the same key. */
let key: string | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-spellings-'));
  const { key: account_key } = await account();
  van = { key: await newVehicle(account_key), account_key };
  key = (await imported('plain.gpx', gpx())).trips[0]?.key;
});
afterAll(() => rm(folder, { recursive: true }));

async function imported(name: string, content: string | Uint8Array, read: ReadOptions = {}): Promise<ImportSummary> {
  const file = join(folder, name);
  await writeFile(file, content);
  const request: ImportRequest = { files: [file], vehicle: van, read };
  const summary = await importTrips(testService, request);
  expect(summary.failures).toEqual([]);
  return summary;
}

async function expectTheTrip(name: string, content: string | Uint8Array, read?: ReadOptions): Promise<void> {
  expect((await imported(name, content, read)).trips).toMatchObject([{ key, created: false, points: 4 }]);
}

const START = Date.UTC(2026, 5, 15, 8);
const TIMES = [0, 1, 2, 3].map((i) => new Date(START + i * 10_000).toISOString());
const LATS = ['53.2101', '53.2111', '53.2121', '53.2131'];
const LON = '-8.6203';

type Spell = (written: string) => string;
const same: Spell = (written) => written;
const comma: Spell = (written) => written.replace('.', ',');
const local: Spell = (written) => new Date(Date.parse(written) + 7_200_000).toISOString().slice(0, 19);

interface Spelled {
  readonly root?: string;
  readonly track?: string;
  readonly time?: Spell;
  readonly degrees?: Spell;
  readonly inside?: string;
}

const NAMESPACE = 'xmlns="http://www.topografix.com/GPX/1/1"';

/** The track as GPX; what is given is spelled otherwise. */
function gpx({ root = NAMESPACE, track = '', time = same, degrees = same, inside = '' }: Spelled = {}): string {
  const position = (lat: string, i: number) =>
    `<trkpt lat="${degrees(lat)}" lon="${degrees(LON)}"><time>${time(TIMES[i] ?? '')}</time>${inside}</trkpt>\n`;
  const track_ = `<trk${track}><name>a</name><trkseg>\n${LATS.map(position).join('')}</trkseg></trk>`;
  return `<?xml version="1.0"?>\n<gpx version="1.1" ${root}>\n${track_}</gpx>\n`;
}

/** The track as CSV, with a cell for each function. */
function csv(header: string, cells: readonly ((i: number) => string)[], delimiter = ','): string {
  const row = (_: unknown, i: number) => cells.map((cell) => cell(i)).join(delimiter);
  return `${header}\n${LATS.map(row).join('\n')}\n`;
}

const time = (i: number) => TIMES[i] ?? '';
const lat = (i: number) => LATS[i] ?? '';
const lon = () => LON;
const west = () => '8.6203';
const table = (written: string) => written.replaceAll('\n', '\r\n');

describe('The same times are read from GPX and CSV as', () => {
  test.each<[string, Spell, ReadOptions?]>([
    ['a decimal comma', (written) => written.replace('.', ',')],
    ['nanoseconds', (written) => written.replace('Z', '000000Z')],
    ['lower case', (written) => written.toLowerCase()],
    ['a space for the T', (written) => written.replace('T', ' ')],
    ['UTC for the Z', (written) => `${written.slice(0, 19).replace('T', ' ')} UTC`],
    ['an offset', (written) => `${local(written)}+02:00`],
    ['an offset without a colon', (written) => `${local(written)}+0200`],
    ['an offset with the name of its zone', (written) => `${local(written)}+02:00[Europe/Brussels]`],
    ['the name of a zone alone', (written) => `${local(written)}[Europe/Brussels]`],
    ['a zone among the options', local, { zone: 'Europe/Brussels' }],
    ['ISO 8601 without hyphens and colons', (written) => `${written.slice(0, 19).replace(/[-:]/g, '')}Z`],
    ['slashes', (written) => written.replaceAll('-', '/').replace('T', ' ')],
    ['dots, day first', (written) => written.replace(/(\d+)-(\d+)-(\d+)T(.{8}).*/, '$3.$2.$1 $4 UTC')],
    ['an hour of one digit', (written) => written.replace('T0', ' ')],
    ['white space around them', (written) => `\n  ${written}\n`],
    [
      'an own pattern',
      (written) => written.replace(/..(\d+)-(\d+)-(\d+)T(.{8}).*/, '$2/$3/$1 $4 am'),
      { timeFormat: 'MM/DD/YY hh:mm:ss AM', zone: 'Z' },
    ],
  ])('%s', async (name, spell, read) => {
    await expectTheTrip(`${name}.gpx`, gpx({ time: spell }), read);
    await expectTheTrip(`${name}.csv`, csv('time,lat,lon', [(i) => `"${spell(time(i)).trim()}"`, lat, lon]), read);
  });

  test.each([
    ['24:00:00', '2026-06-15T24:00:00Z', '2026-06-16T00:00:00+00:00'],
    ['24:00', '2026-06-15T24:00Z', '2026-06-16T00:00:00+00:00'],
    ['a leap second', '2016-12-31T23:59:60Z', '2017-01-01T00:00:00+00:00'],
  ])('%s is the next day', async (_, written, ended) => {
    const before = new Date(Date.parse(ended) - 5000).toISOString();
    const positions = [before, written].map((one, at) => `<trkpt lat="1.00${at}" lon="2"><time>${one}</time></trkpt>`);
    const { trips } = await imported('end.gpx', `<gpx><trk><trkseg>${positions.join('')}</trkseg></trk></gpx>`);
    expect(trips).toMatchObject([{ ended }]);
  });

  test.each([
    '2026-06-15T24:00:01Z',
    '2026-06-15T08:00:61Z',
    '2026-06-31 08:00',
    '260615T080000Z',
    '2026-06-15T08:00[Middle/Earth]',
  ])('%s is not a time', async (written) => {
    const position = (one: string, at: number) => `<trkpt lat="${at}" lon="2"><time>${one}</time></trkpt>`;
    const both = position(written, 1) + position('2026-06-15T08:00:00Z', 2);
    const { fault_totals } = await imported('bad.gpx', `<gpx><trk><trkseg>${both}</trkseg></trk></gpx>`);
    expect(fault_totals).toMatchObject({ bad_time: { count: 1 } });
  });
});

describe('The same trip is read from a GPX file', () => {
  const plain = gpx();
  const declared = (encoding: string) => plain.replace('?>', ` encoding="${encoding}"?>`);
  test.each<[string, string | Uint8Array]>([
    ['without a namespace', gpx({ root: '' })],
    ['with https in its namespace', gpx({ root: NAMESPACE.replace('http:', 'https:') })],
    ['with a slash after its namespace', gpx({ root: 'xmlns="http://www.topografix.com/GPX/1/1/"' })],
    ['with the namespace of another site', gpx({ root: 'xmlns="https://www.example.com/speed"' })],
    ['whose track is in no namespace', gpx({ track: ' xmlns=""' })],
    ['with undeclared prefixes', gpx({ root: `${NAMESPACE} xsi:schemaLocation="a b"`, inside: '<x:sat>7</x:sat>' })],
    ['with an empty line before its declaration', `\r\n ${plain}`],
    ['that claims to be UTF-16', declared('utf-16')],
    ['with a byte order mark', `\ufeff${declared('UTF-8')}`],
    ['in UTF-16', Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le')],
    ['with NUL characters after it', plain + '\0'.repeat(600_000)],
    ['with the end of file of DOS after it', `${plain}\x1a`],
    ['with decimal commas', gpx({ degrees: comma })],
    [
      'with ampersands where they are allowed',
      gpx({ inside: '<desc a="&amp;">&#38;<![CDATA[a & b]]></desc><!-- & -->' }),
    ],
  ])('%s', async (name, content) => {
    await expectTheTrip(`${name}.gpx`, content);
  });

  test('with an ampersand that the pieces of a file cut, wherever they do', async () => {
    const piece = 256 * 1024;
    for (const before of [1, 2, 3, 4, 5]) {
      const [start = '', end = ''] = gpx({ track: '><desc>&amp;</desc' }).split('&amp;', 2);
      const filled = `${start}${'\n'.repeat(piece - before - start.length)}&amp;${end}`;
      await expectTheTrip('cut-reference.gpx', filled);
    }
  });

  test('decimal commas are reported', async () => {
    const { fault_totals } = await imported('reported.gpx', gpx({ degrees: comma }));
    expect(fault_totals).toMatchObject({ decimal_comma: { count: 4, line: 4 } });
  });
});

describe('The same trip is read from a table', () => {
  const date = (i: number) => time(i).slice(0, 10).replaceAll('-', '/');
  const clock = (i: number) => time(i).slice(11, 19);
  const plain = csv('time,lat,lon', [time, lat, lon]);
  const degrees = () => '8°37\'13.08"W';
  test.each<[string, string | Uint8Array, ReadOptions?]>([
    ['with semicolons and decimal commas', csv('time;lat;lon', [time, (i) => comma(lat(i)), () => comma(LON)], ';')],
    ['with tabs and decimal commas', csv('time\tlat\tlon', [time, (i) => comma(lat(i)), () => comma(LON)], '\t')],
    [
      'with decimal commas in quotes',
      csv('time,lat,lon', [time, (i) => `"${comma(lat(i))}"`, () => `"${comma(LON)}"`]),
    ],
    ['with a delimiter line', table(`sep=;\n${csv('time;lat;lon', [time, lat, lon], ';')}`)],
    ['with an unusual delimiter line', table(`sep=:\n${csv('lat:lon:time', [lat, lon, (i) => `"${time(i)}"`], ':')}`)],
    ['with titles above it', table(`Report; of, trips\n"Device, name";Van 3\n\n${plain}`)],
    ['with delimiters in quotes', csv('"a;b;c;d",time,lat,lon', [() => '";;;"', time, lat, lon])],
    ['with dates and times apart', csv('INDEX,DATE,TIME,lat,lon', [String, date, clock, lat, lon])],
    ['with UTC apart', csv('UTC DATE,UTC TIME,lat,lon', [date, clock, lat, lon]), { zone: 'Europe/Brussels' }],
    ['with a date, and times that have one', csv('date,time,lat,lon', [date, time, lat, lon])],
    ['with columns to join', csv('D,T,lat,lon', [date, clock, lat, lon]), { columns: { time: 'D+T' } }],
    ['with a + in a name', csv('a+b,lat,lon', [time, lat, lon]), { columns: { time: 'a+b' } }],
    ['with hemispheres', csv('time,LATITUDE N/S,LONGITUDE E/W', [time, (i) => `${lat(i)}N`, () => `${west()}W`])],
    ['with hemispheres before', csv('time,lat,lon', [time, (i) => `N ${lat(i)}°`, () => `w${west()}`])],
    ['with hemispheres apart', csv('time,latitude,n/s,longitude,e/w', [time, lat, () => 'N', west, () => 'W'])],
    ['with minutes and seconds', csv('time\tlat\tlon', [time, lat, degrees], '\t').replaceAll('"W', "''W")],
    ['with units in its header', csv('Time (UTC),Latitude [deg],Longitude (°)', [time, lat, lon])],
    ['newest first', csv('time,lat,lon', [(i) => time(3 - i), (i) => lat(3 - i), lon])],
    ['with NUL characters after it', `${plain}${'\0'.repeat(512)}`],
    [
      'in Windows-1252',
      Buffer.from(csv('Länge,time,lat,lon', [lon, time, lat, lon]), 'latin1'),
      { encoding: 'latin1' },
    ],
  ])('%s', async (name, content, read) => {
    await expectTheTrip(`${name}.csv`, content, read);
  });

  test('with its other numbers in decimal commas too, where the coordinates have them', async () => {
    const content = csv('time;lat;lon;km', [time, (i) => comma(lat(i)), lon, (i) => `1.2${i}0,5`], ';');
    const read: ReadOptions = { columns: { odometer: 'km' }, odometerUnit: 'km' };
    expect((await imported('odometer.csv', content, read)).fault_totals).toEqual({});
    const points = csv('time;lat;lon;km', [time, lat, lon, (i) => `1,2${i}0`], ';');
    expect((await imported('odometer.csv', points, read)).fault_totals).toMatchObject({ bad_reading: { count: 4 } });
  });

  test('objects with a date and a time', async () => {
    const line = (_: unknown, i: number) =>
      JSON.stringify({ date: date(i), time: clock(i), lat: lat(i), lon: comma(LON) });
    await expectTheTrip('apart.ndjson', LATS.map(line).join('\n'));
  });

  test('what was joined and sorted is reported, once', async () => {
    const apart = await imported('apart.csv', csv('date,time,lat,lon', [date, clock, lat, lon]), { zone: 'Z' });
    expect(apart.faults).toMatchObject([{ kind: 'joined_columns', count: 1, line: 1 }]);
    const back = await imported('back.csv', csv('time,lat,lon', [(i) => time(3 - i), (i) => lat(3 - i), lon]));
    expect(back.faults).toMatchObject([{ kind: 'sorted', count: 1, trip: 1 }]);
  });
});
