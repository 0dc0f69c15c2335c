import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { formatTable } from '../../../cli/shell/table.ts';
import { runCommand } from '../../processes/run-command.ts';

const KEY = /^[\w-]{22}$/;
let settings: { readonly DATA_DIR: string };
let account: string;
const vehicles: string[] = [];

async function linesOf(call: string, columns: number | null = null): Promise<string[]> {
  const args = call.split(' ').map((word) => word.replaceAll('~', ' '));
  const { code, stdout, stderr } = await runCommand(args, settings, '', columns);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
}

beforeAll(async () => {
  settings = { DATA_DIR: await mkdtemp(join(tmpdir(), 'waybridge-')) };
  const [key = ''] = await linesOf('account add --nickname Bakery --quiet');
  account = key;
  for (const nickname of ['The~longest~nickname~of~all~of~the~vans~of~the~bakery', 'Van~3']) {
    vehicles.push(...(await linesOf(`vehicle add --account ${account} --quiet --nickname ${nickname}`)));
  }
});

afterAll(() => rm(settings.DATA_DIR, { recursive: true, force: true }));

describe('--quiet prints', () => {
  test('the key of a new record', () => {
    expect(vehicles).toEqual([expect.stringMatching(KEY), expect.stringMatching(KEY)]);
  });

  test('the keys of a list', async () => {
    expect(await linesOf(`vehicle list --account ${account} --quiet`)).toEqual(vehicles);
  });

  test('nothing after a change', async () => {
    expect(await linesOf(`vehicle update ${vehicles[0]} --year 2024 --quiet`)).toEqual([]);
  });

  test('a secret after the key, since it is shown only once', async () => {
    const lines = await linesOf(`api-key add --account ${account} --quiet`);
    expect(lines).toEqual([expect.stringMatching(KEY), expect.stringMatching(/^wb_key_/)]);
  });

  test('a token', async () => {
    const [vehicle] = vehicles;
    const token = await linesOf(`token issue --vehicle ${vehicle} --origin https://page.example --quiet`);
    expect(token).toEqual([expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/)]);
  });

  test('names of website users, and their application passwords once', async () => {
    const added = await linesOf('content user add --username mara --email mara@example.com --role editor --quiet');
    expect(added).toEqual(['mara', expect.stringMatching(/^\w{4}( \w{4}){5}$|^\w{24}$/)]);
    expect(await linesOf('content user list --quiet')).toEqual(['mara']);
    const [header, row] = await linesOf('content user list');
    expect(header).toMatch(/^USER ID +USERNAME +EMAIL +ROLES +APPLICATION PASSWORDS UUID$/);
    expect(row).toMatch(/^1 +mara +mara@example.com +editor +[\da-f-]{36}$/);
  });
});

describe('a list is a table', () => {
  test('with full texts where it is not printed to a terminal', async () => {
    const [header, first] = await linesOf(`vehicle list --account ${account}`);
    expect(header).toMatch(/^KEY +NICKNAME +PLATE NUMBER +VIN/);
    expect(first).toMatch(new RegExp(`^${vehicles[0]}  The longest nickname of all of the vans of the bakery`));
  });

  test.each([80, 100, 200])('that fits a terminal of %i columns', async (columns) => {
    const lines = await linesOf(`vehicle list --account ${account}`, columns);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(lines.slice(1).map((line) => line.slice(0, 22))).toEqual(vehicles);
    expect(lines[1]?.includes('…')).toBe(columns < 200);
  });

  test('that fits the narrowest terminal', async () => {
    const lines = await linesOf(`vehicle list --account ${account}`, 56);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(56);
  });

  test('without control characters of names that were stored when they could have some', () => {
    expect(formatTable({ columns: ['a'], rows: [['Van \u001b[31m3']] }, null).join('')).not.toContain('\u001b');
  });

  test('whose next page has a hint', async () => {
    const lines = await linesOf(`vehicle list --account ${account} --first 1`);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/^There are more results: continue with --after [\w-]{24,150}$/);
  });
});

test('wide characters count twice, combining ones not at all', () => {
  const table = {
    columns: ['a', 'b'],
    rows: [
      ['東京', 'x'],
      ['e\u0301e\u0301', 'y'],
      ['ab', 'z'],
    ],
  };
  expect(formatTable(table, null)).toEqual(['A     B', '東京  x', 'e\u0301e\u0301    y', 'ab    z']);
});

test('--version is that of the package', async () => {
  expect(await linesOf('--version')).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
});
