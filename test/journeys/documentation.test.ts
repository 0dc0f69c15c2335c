import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { accountRoutes } from '../../rest-bridge/account-routes.ts';
import { EVENT_KINDS } from '../../schema/events/event-kinds.ts';
import { HTTP_STATUS } from '../../schema/service-error.ts';
import { BODY_CODES } from '../../graphql/endpoint/graphql-endpoint.ts';
import { SETTINGS } from '../../server/configuration/config.ts';
import { createProgram } from '../../cli/program.ts';
import { httpsClient, jsonOf } from '../clients/https-client.ts';
import { demoFolder } from '../services/demo-folder.ts';
import { askCommand } from '../processes/run-command.ts';
import { type ServiceProcess, serveProcess } from '../processes/waybridge-process.ts';

const root = join(import.meta.dirname, '../..');
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const hasPython = spawnSync('python3', ['--version']).status === 0;
const ANY = expect.anything();

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Pages of Markdown that readers meet, by their paths from the top. */
const PAGES = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'client/README.md',
  'element/README.md',
  'embedded/README.md',
];

/** Pages whose examples are run, in this order. */
const WITH_EXAMPLES = [
  'README.md',
  ...['account-api', 'routes', 'places-and-events', 'live', 'devices', 'graphql', 'trip-map', 'content'].map(
    (name) => `docs/${name}.md`,
  ),
];

/** Cells of the rows of the first table of a page. */
function rowsOf(page: string): string[][] {
  const lines = read(page).split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  const table = lines.slice(first, lines.indexOf('', first));
  return table
    .filter((line) => !/^\|[-| ]*\|$/.test(line))
    .map((row) =>
      row
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
}

/** The examples of a page in a language, or those of them that are marked to be run. */
const examplesOf = (page: string, language: string, mark = ' run') =>
  [...read(page).matchAll(new RegExp(`^\`\`\`${language}${mark}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    (block) => block[1] ?? '',
  );

/** Examples that are marked, on all pages. */
const marked = (language: string) => PAGES.flatMap((page) => examplesOf(page, language));

/** The name by which links lead to a heading, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

test.each(PAGES)('every link of %s leads to a file, and to a heading that is there', (page) => {
  const text = read(page).replace(/^```[\s\S]*?^```/gm, '');
  const dead = [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)]+))?\)/g)].filter(([, path = '', anchor]) => {
    const target = path ? join(root, dirname(page), path) : join(root, page);
    if (!existsSync(target)) return true;
    const headings = anchor ? [...readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm)] : [];
    return anchor !== undefined && !headings.some(([, heading = '']) => anchorOf(heading) === anchor);
  });
  expect(dead.map(([link]) => link)).toEqual([]);
});

test('the README leads to every page of docs/', () => {
  expect(PAGES.filter((page) => page.startsWith('docs/') && !read('README.md').includes(`](${page})`))).toEqual([]);
});

test('the table of settings is the one that the service reads', () => {
  const documented = rowsOf('docs/settings.md').slice(1);
  const settings = Object.values(SETTINGS).map(({ name, fallback, help }) => [
    `\`${name}\``,
    fallback ? `\`${fallback}\`` : '',
    help,
  ]);
  expect(documented).toEqual(settings);
});

test('the table of dependencies is that of package.json and of the bench, and says what each is for', () => {
  const { dependencies, devDependencies: own } = JSON.parse(read('package.json'));
  const devDependencies = { ...own, ...JSON.parse(read('bench/package.json')).devDependencies };
  const documented = rowsOf('docs/dependencies.md').slice(1);
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
  const documented = rowsOf('docs/command-line.md').flatMap(([cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]),
  );
  expect(documented.sort()).toEqual(names.sort());
});

test('every path of the account API is in its table', () => {
  const documented = rowsOf('docs/account-api.md').flatMap(([cell = '']) =>
    [...cell.matchAll(/`((?:GET|POST|DELETE) [^`]+)`/g)].map((match) => match[1]),
  );
  expect(documented.sort()).toEqual(Object.keys(accountRoutes).sort());
});

test('documents on the page about routes are files of the folder of examples', () => {
  const files = readdirSync(join(root, 'docs/routes')).map((name) => read(`docs/routes/${name}`));
  expect(examplesOf('docs/routes.md', 'graphql', '').length).toBeGreaterThan(1);
  expect(files).toEqual(expect.arrayContaining(examplesOf('docs/routes.md', 'graphql', '')));
});

test('every code of an error is in the table of graphql.md with its status', () => {
  const rows = [...read('docs/graphql.md').matchAll(/^\| (`[A-Z_`, ]+) \| ([\d, ]+) \|/gm)];
  const documented = rows.flatMap(([, codes = '', statuses = '']) => {
    const each = statuses.split(', ').map(Number);
    return codes.split(', ').map((code, at) => [code.slice(1, -1), each[at] ?? each[0]]);
  });
  const ofBodies = Object.entries(BODY_CODES).map(([status, code]) => [code, Number(status)]);
  const codes = [...Object.entries(HTTP_STATUS), ...ofBodies, ['METHOD_NOT_ALLOWED', 405]];
  expect(documented).toEqual(expect.arrayContaining(codes));
});

test('every kind of event is in the table of events, once for each source', () => {
  const documented = rowsOf('docs/places-and-events.md').flatMap(([cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1]),
  );
  const kinds = Object.entries(EVENT_KINDS).flatMap(([name, { from }]) => from.map(() => name));
  expect(documented.sort()).toEqual(kinds.sort());
});

test('examples of curl in shell are marked to be run, on pages whose examples are', () => {
  const unmarked = PAGES.flatMap((page) => examplesOf(page, 'sh', '')).filter((block) =>
    /^(?:curl|api) .*localhost/m.test(block),
  );
  expect(unmarked).toEqual([]);
  expect(marked('sh')).toEqual(expect.arrayContaining(WITH_EXAMPLES.flatMap((page) => examplesOf(page, 'sh'))));
  expect(marked('sh')).toHaveLength(WITH_EXAMPLES.flatMap((page) => examplesOf(page, 'sh')).length);
});

describe('examples', () => {
  let folder: string;
  let service: ServiceProcess;
  beforeAll(async () => {
    folder = await demoFolder();
    service = await serveProcess({
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      TRUSTED_DOCUMENTS: join(root, 'docs/routes'),
    });
  });
  afterAll(async () => {
    await service.end();
    await rm(folder, { recursive: true });
  });

  test('of the command line work in their order', async () => {
    const block = examplesOf('README.md', 'sh', '').find((shell) => shell.includes('npx waybridge account add')) ?? '';
    const values: Record<string, unknown> = { 'monday.gpx': join(root, 'test/data/over-midnight.gpx') };
    for (const line of block.trim().split('\n')) {
      const words = [...line.replace('npx waybridge ', '').matchAll(/"([^"]*)"|(\S+)/g)].map(
        (word) => word[1] ?? word[2] ?? '',
      );
      const answer = await askCommand(
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

  test('of GraphQL work', async () => {
    const ask = httpsClient(await readFile(join(folder, 'tls/ca.pem'), 'utf8'));
    const { api_key } = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
    expect(marked('graphql').length).toBeGreaterThan(1);
    for (const query of marked('graphql')) {
      const answer = await ask(`${service.url}/graphql`, {
        method: 'POST',
        headers: { 'service-api-key': api_key, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      expect(jsonOf(answer)).toEqual({ data: { vehicles: expect.objectContaining({ nodes: [ANY, ANY] }) } });
    }
  });

  test.each([
    { language: 'ts', program: process.execPath, args: ['--input-type=module', '--eval'], isThere: true },
    { language: 'python', program: 'python3', args: ['-c'], isThere: hasPython },
  ])('of $language work (Python is skipped where there is none)', async ({ language, program, args, isThere }) => {
    expect(marked(language).length).toBeGreaterThan(1);
    const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
    const authority = join(folder, 'tls/ca.pem');
    const env = {
      ...process.env,
      ...{ NODE_EXTRA_CA_CERTS: authority, SSL_CERT_FILE: authority },
      ...{ API_KEY: demo.api_key, ACCESS_TOKEN: demo.access_token, VEHICLE_KEY: demo.vehicles[0].key },
      ...{ CLIENT_ID: demo.client_id, CLIENT_SECRET: demo.client_secret },
    };
    for (const example of isThere ? marked(language) : []) {
      const code = example.replaceAll('https://localhost:8443', service.url);
      const { stdout, stderr } = await promisify(execFile)(program, [...args, code], { env });
      expect(stderr, example).toBe('');
      expect(stdout, example).toMatch(/nickname|token_type/);
    }
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
    const { device_key_secret } = await askCommand(['device-key', 'add', '--device', `${device}`], service.settings);
    const { key: place } = jsonOf(
      await ask(`${service.url}/api/v2/places`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Depot', category: 'business', point: { lat: 53, lon: 8 }, radius: 150 }),
      }),
    );
    const script = WITH_EXAMPLES.flatMap((page) => examplesOf(page, 'sh'))
      .join('\n')
      .replaceAll('https://localhost:8443', service.url)
      .replaceAll('2026-12-24', new Date(Date.now() + 86_400_000).toISOString().slice(0, 10))
      .replaceAll('data/tls/ca.pem', join(folder, 'tls/ca.pem'));
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-c', `shopt -s expand_aliases\ncurl() { command curl -sS "$@"; echo; }\n${script}`],
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
          PLACE_KEY: String(place),
        },
      },
    );
    const answers = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(script.match(/^(?:curl|api(?! -X DELETE)) /gm)?.length ?? 0);
    expect(answers.filter((answer) => 'errors' in answer)).toEqual([]);
  });
});
