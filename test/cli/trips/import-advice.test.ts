import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { askCommand, runCommand } from '../../processes/run-command.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { accountFolder } from '../../services/account-folder.ts';

/** Writes a file, and returns the command that imports it for a new vehicle, with its settings. */
async function importOf(name: string, content: string | Uint8Array) {
  const { DATA_DIR, account } = await accountFolder();
  const file = join(await temporaryFolder(), name);
  await writeFile(file, content);
  const added = await askCommand(['vehicle', 'add', '--account', account, '--nickname', 'Van'], { DATA_DIR });
  return { settings: { DATA_DIR }, account, file, command: ['trips', 'import', file, '--vehicle', String(added.key)] };
}

const rows = (time: (i: number) => string, more = '') =>
  [0, 1, 2].map((i) => `${time(i)},53.21${i},8.6${more}\n`).join('');
const trkpt = (i: number, time = `2026-06-15T08:0${i}:00Z`, more = '') =>
  `<trkpt lat="53.21${i}" lon="8.6"><time>${time}</time>${more}</trkpt>\n`;
const track = (positions: string) => `<gpx><trk><trkseg>${positions}</trkseg></trk></gpx>`;
const positions = [0, 1, 2].map((i) => trkpt(i)).join('');
const early = (i: number) => new Date(Date.now() - 1025 * 7 * 86_400_000 + i * 60_000).toISOString();
const extension = '<extensions><x:speed xmlns:x="urn:x">36</x:speed></extensions>';

/** A file, the option that the text about it names, and the words that stand for those of a placeholder. */
type Advice = [about: string, name: string, content: string | Uint8Array, option: string, given?: string];

describe('The option that the text about a file names has the same file imported:', () => {
  test.each<Advice>([
    [
      'month first',
      'a.csv',
      `time,lat,lon\n${rows((i) => `06/15/2026 08:0${i}:00`)}`,
      '--time-format "MM/DD/YYYY hh:mm:ss"',
    ],
    ['day first', 'b.csv', `time,lat,lon\n${rows((i) => `13/06/2026 8:0${i}`)}`, '--time-format "DD/MM/YYYY hh:mm"'],
    [
      'twelve hours',
      'c.csv',
      `time,lat,lon\n${rows((i) => `06-15-26 8:0${i} PM`)}`,
      '--time-format "MM-DD-YY hh:mm AM"',
    ],
    ['compact', 'd.csv', `date,time,lat,lon\n${rows((i) => `260615,080${i}00`)}`, '--time-format "YYMMDD hhmmss"'],
    ['seconds', 'e.csv', `time,lat,lon\n${rows((i) => `${1_781_510_400 + i * 60}`)}`, '--time-format "unix"'],
    [
      'milliseconds',
      'f.csv',
      `time,lat,lon\n${rows((i) => `${1_781_510_400 + i * 60}000`)}`,
      '--time-format "unix-ms"',
    ],
    [
      'times of GPX',
      'g.gpx',
      track([0, 1, 2].map((i) => trkpt(i, `06/15/2026 08:0${i}`)).join('')),
      '--time-format',
      '--time-format "MM/DD/YYYY hh:mm"',
    ],
    [
      'unknown columns below a title',
      'h.csv',
      `Fahrten\n\nZeit,Breite,L\u00e4nge\n${rows((i) => `2026-06-15 08:0${i}:00`)}`,
      '--map time=COLUMN lat=COLUMN lon=COLUMN',
      '--map time=Zeit lat=Breite lon=L\u00e4nge',
    ],
    [
      'coordinates in metres',
      'i.ndjson',
      [0, 1, 2]
        .map((i) => `{"time":"2026-06-15T08:0${i}:00Z","lat":5896${i}00,"lon":1e6,"p":[8.6,53.21${i}]}\n`)
        .join(''),
      '--map lat=COLUMN lon=COLUMN',
      '--map lat=p.1 lon=p.0',
    ],
    [
      'Windows-1252',
      'j.csv',
      Buffer.from(
        `L\u00e4nge,lat,lon,time\n${[0, 1, 2].map((i) => `,53.21${i},8.6,2026-06-15 08:0${i}\n`).join('')}`,
        'latin1',
      ),
      '--encoding windows-1252',
    ],
    [
      'an unknown encoding',
      'k.gpx',
      `<?xml version="1.0" encoding="x-none"?>${track(positions)}`,
      '--encoding windows-1252',
    ],
    ['a cut file', 'l.gpx', `<gpx><trk><trkseg>${positions}`, '--salvage'],
    ['no extension', 'm', `time,lat,lon\n${rows((i) => `2026-06-15 08:0${i}:00`)}`, '--format', '--format csv'],
    ['a week rollover', 'n.gpx', track([0, 1, 2].map((i) => trkpt(i, early(i))).join('')), '--week-rollover correct'],
    [
      'true dates',
      'o.gpx',
      track([0, 1, 2].map((i) => trkpt(i, early(i))).join('')),
      '--week-rollover',
      '--week-rollover keep',
    ],
  ])('%s', async (_, name, content, option, given = option) => {
    const { command, settings } = await importOf(name, content);
    const first = await runCommand(command, settings);
    expect(first.stdout).toContain('Imported 0 of 0 trips');
    expect(first.stderr).toContain(option);
    const words = [...given.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
    expect(await askCommand([...command, ...words], settings)).toMatchObject({ trip_count: 1, failures: [] });
  });

  test('a speed without a unit', async () => {
    const content = track([0, 1, 2].map((i) => trkpt(i, undefined, extension)).join(''));
    const { command, settings } = await importOf('speed.gpx', content);
    expect((await runCommand(command, settings)).stderr).toContain('give --speed-unit');
    const { fault_totals } = await askCommand([...command, '--speed-unit', 'km/h'], settings);
    expect(fault_totals).not.toHaveProperty('speed_unit');
  });

  test('a vehicle that the account does not have', async () => {
    const content = `car,time,lat,lon\n${[0, 1, 2].map((i) => `New van,2026-06-15T08:0${i}:00Z,53.21${i},8.6\n`).join('')}`;
    const { file, account, settings } = await importOf('vehicles.csv', content);
    const command = ['trips', 'import', file, '--account', account, '--map', 'vehicle=car'];
    expect((await runCommand(command, settings)).stderr).toContain('--create-vehicles');
    expect(await askCommand([...command, '--create-vehicles'], settings)).toMatchObject({ trip_count: 1 });
  });
});
