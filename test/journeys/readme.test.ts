import { execFile, spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { accountRoutes } from '../../rest-bridge/account-routes.ts';
import { SETTINGS } from '../../server/configuration/config.ts';
import { createProgram } from '../../server/program.ts';
import { httpsClient, jsonOf } from '../clients/https-client.ts';
import { demoFolder } from '../services/demo-folder.ts';
import { askWaybridge, type ServiceProcess, serveProcess } from '../services/waybridge-process.ts';

const root = join(import.meta.dirname, '../..');
const readme = await readFile(join(root, 'README.md'), 'utf8');
const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** First cells of the rows of the table that follows a heading of the README. */
function rowsBelow(heading: string): string[][] {
  const section = readme.split(new RegExp(`^## ${heading}$`, 'm'))[1]?.split(/^## /m)[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|') && !/^\|[-| ]*\|$/.test(line));
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}

/** The blocks of shell that hold a text. */
function shellWith(text: string): string[] {
  return [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .map((block) => block[1] ?? '')
    .filter((block) => block.includes(text));
}

test('the table of settings is the one that the service reads', () => {
  const documented = rowsBelow('Settings').slice(1);
  const settings = Object.values(SETTINGS).map(({ name, fallback, help }) => [
    `\`${name}\``,
    fallback ? `\`${fallback}\`` : '',
    help,
  ]);
  expect(documented).toEqual(settings);
});

test('the table of dependencies is that of package.json, and says what each is for', async () => {
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const documented = rowsBelow('Dependencies').slice(1);
  expect(documented.map(([name]) => name)).toEqual(
    [...Object.keys(dependencies), ...Object.keys(devDependencies)].map((name) => `\`${name}\``),
  );
  expect(documented.filter(([, purpose]) => !purpose)).toEqual([]);
  const versions = Object.values({ ...dependencies, ...devDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual([]);
});

test('every command is in the table of commands', () => {
  const namesOf = (command: Command): string[] =>
    command.commands.length > 0
      ? command.commands.flatMap((sub) => namesOf(sub).map((name) => `${command.name()} ${name}`))
      : [command.name()];
  const names = createProgram().commands.flatMap(namesOf);
  const documented = rowsBelow('Your own trips').flatMap(([cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]),
  );
  expect(documented.sort()).toEqual(names.sort());
});

test('every path of the account API is in its table', () => {
  const documented = rowsBelow('The account API \\(REST\\)').flatMap(([cell = '']) =>
    [...cell.matchAll(/`((?:GET|POST|DELETE) [^`]+)`/g)].map((match) => match[1]),
  );
  expect(documented.sort()).toEqual(Object.keys(accountRoutes).sort());
});

describe('examples', () => {
  let folder: string;
  let service: ServiceProcess;
  beforeAll(async () => {
    folder = await demoFolder();
    service = await serveProcess({ DATA_DIR: folder, LOG_LEVEL: 'error' });
  });
  afterAll(async () => {
    await service.end();
    await rm(folder, { recursive: true });
  });

  test('of the command line work in their order', async () => {
    const [block = ''] = shellWith('npx waybridge account add');
    const values: Record<string, unknown> = { 'monday.gpx': join(root, 'test/data/over-midnight.gpx') };
    for (const line of block.trim().split('\n')) {
      const words = [...line.replace('npx waybridge ', '').matchAll(/"([^"]*)"|(\S+)/g)].map(
        (word) => word[1] ?? word[2] ?? '',
      );
      const answer = await askWaybridge(
        words.map((word) => String(values[word] ?? word)),
        service.settings,
      );
      const [resource = ''] = words;
      for (const [name, value] of Object.entries(answer)) {
        values[name === 'key' ? `${resource.toUpperCase()}_KEY` : name.toUpperCase()] = value;
      }
    }
    expect(values).toMatchObject({ TRIPS: [{ created: true }], TOKEN: expect.stringMatching(/^ey/) });
  });

  test.skipIf(!hasCurl)('of curl work when pasted (skipped where there is no curl)', async () => {
    const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
    const ask = httpsClient(await readFile(join(folder, 'tls/ca.pem'), 'utf8'));
    const headers = { 'service-api-key': demo.api_key };
    const firstKey = async (list: string) => {
      const { [list]: objects } = jsonOf(await ask(`${service.url}/api/v2/${list}`, { headers }));
      return (objects as { key: string }[])[0]?.key;
    };
    const device = await firstKey('devices');
    const { device_key_secret } = await askWaybridge(['device-key', 'add', '--device', `${device}`], service.settings);
    const blocks = shellWith('curl');
    expect(blocks.length).toBeGreaterThanOrEqual(3);
    const script = blocks
      .join('\n')
      .replaceAll('https://localhost:8443', service.url)
      .replaceAll('data/tls/ca.pem', join(folder, 'tls/ca.pem'));
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-ec', `shopt -s expand_aliases\ncurl() { command curl -sS --fail-with-body "$@"; echo; }\n${script}`],
      {
        env: {
          ...process.env,
          API_KEY: demo.api_key,
          ACCESS_TOKEN: demo.access_token,
          CLIENT_ID: demo.client_id,
          CLIENT_SECRET: demo.client_secret,
          VEHICLE_KEY: demo.vehicles[0].key,
          DEVICE_KEY: device,
          DEVICE_KEY_SECRET: String(device_key_secret),
          GROUP_KEY: await firstKey('groups'),
        },
      },
    );
    const answers = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(script.match(/^(?:curl|api) /gm)?.length ?? 0);
    expect(answers.filter((answer) => 'errors' in answer)).toEqual([]);
  });
});
