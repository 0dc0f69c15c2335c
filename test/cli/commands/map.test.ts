import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { mapFile } from '../../services/map-file.ts';
import { askCommand, runCommand } from '../../processes/run-command.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

test('a map is added, listed and removed', async () => {
  const settings = { DATA_DIR: await temporaryFolder() };
  const map = { name: 'village', bounds: [10, 40, 11, 41], min_zoom: 0, max_zoom: 1 };
  expect(await askCommand(['map', 'add', await mapFile()], settings)).toEqual(map);
  const town = { ...map, name: 'town' };
  expect(await askCommand(['map', 'add', await mapFile(), '--name', 'town'], settings)).toEqual(town);
  expect(await askCommand(['map', 'list'], settings)).toEqual({ maps: [town, map] });
  expect(await askCommand(['map', 'remove', 'village'], settings)).toEqual({ name: 'village' });
  expect(await askCommand(['map', 'list'], settings)).toEqual({ maps: [town] });
});

test.each([
  ['has no name for addresses', () => mapFile({ name: 'The Village' }), /cannot be named "the village": give --name/],
  ['would be in place of a style', () => mapFile({ name: 'style' }), /cannot be named "style"/],
  ['is of images', () => mapFile({ tileType: 2 }), /is not a map: its tiles are images/],
  ['is of another scheme', () => mapFile({ layers: ['transportation'] }), /no layer earth, roads, water/],
  ['is no archive', textFile, /is not a map: /],
  ['is not there', async () => 'nowhere.pmtiles', /nowhere\.pmtiles/],
])('a file that %s is not added, and nothing of it stays', async (_, file, message) => {
  const settings = { DATA_DIR: await temporaryFolder() };
  const { code, stderr } = await runCommand(['map', 'add', await file()], settings);
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
  expect(await readdir(join(settings.DATA_DIR, 'maps')).catch(() => [])).toEqual([]);
});

test('a map that is not there cannot be removed', async () => {
  const { code, stderr } = await runCommand(['map', 'remove', 'village'], { DATA_DIR: await temporaryFolder() });
  expect(code).toBe(1);
  expect(stderr).toMatch(/There is no map "village": see `map list`/);
});

async function textFile(): Promise<string> {
  const file = join(await temporaryFolder(), 'text.pmtiles');
  await writeFile(file, 'a text that is longer than the header of an archive '.repeat(10));
  return file;
}
