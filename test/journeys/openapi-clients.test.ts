import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, expect, test } from 'vitest';

import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import { accountPaths } from '../../server/endpoints/account-paths.ts';
import { httpsFetch } from '../clients/https-fetch.ts';
import { account } from '../services/account-fixture.ts';
import { useDatabase, testService } from '../services/database.ts';
import { openHost } from '../hosts/open-host.ts';
import { runPython } from '../processes/python.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { listen, testCertificate } from '../hosts/test-host.ts';
import { TypescriptFolder } from '../processes/typescript-folder.ts';

useDatabase();

const root = join(import.meta.dirname, '../..');
const installed = createRequire(join(root, 'command/openapi-typescript/package.json'));
const GENERATOR = join(installed.resolve('openapi-typescript/package.json'), '../bin/cli.js');

/** Outcome of a session in which three vehicles are made and listed, and one is changed and deleted; the others have positions. */
const OUTCOME = {
  positions: ['Van 1', 'Van 2'],
  nicknames: ['Van 1', 'Van 2', 'Van 3'],
  updated: ['Lorry', null],
  deleted: true,
  absent: 404,
  wrong: 'year must be 1886 to 2100',
};

let baseUrl: string;
let description: string;
beforeAll(async () => {
  const app = await openHost([
    await accountEndpoint(
      testService,
      new URL('https://localhost/api/v2'),
      new URL('https://localhost'),
      await accountPaths(join(root, 'docs/routes')),
    ),
  ]);
  baseUrl = `https://localhost:${await listen(app)}/api/v2`;
  description = await (await (await httpsFetch())(`${baseUrl}/openapi.json`)).text();
  return () => app.close();
});

const SESSION = `import createClient from 'openapi-fetch';
  import type { components, paths } from './waybridge.ts';

  type Vehicle = components['schemas']['Vehicle'];

  export async function session(baseUrl: string, apiKey: string, fetch: (request: Request) => Promise<Response>) {
    const client = createClient<paths>({ baseUrl, headers: { 'Service-Api-Key': apiKey }, fetch });
    for (const nickname of ['Van 1', 'Van 2', 'Van 3']) {
      await client.POST('/vehicles', { body: { nickname, year: 2024 } });
    }
    const vehicles: Vehicle[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await client.GET('/vehicles', { params: { query: { size: 2, ...(cursor && { cursor }) } } });
      vehicles.push(...(data?.vehicles ?? []));
      cursor = data?.cursor;
    } while (cursor);
    const params = { path: { key: vehicles[2]?.key ?? '' } };
    const updated = await client.POST('/vehicle/{key}', { params, body: { nickname: 'Lorry', year: null } });
    const deleted = await client.DELETE('/vehicle/{key}', { params });
    const absent = await client.GET('/vehicle/{key}', { params });
    const wrong = await client.POST('/vehicles', { body: { year: 1066 } });
    const positions = await client.GET('/positions/last.php', { params: { query: { limit: 2 } } });
    return {
      positions: positions.data?.map(({ name, lat }: { name: string | null; lat: number | null }) => lat ?? name),
      nicknames: vehicles.map(({ nickname }) => nickname),
      updated: [updated.data?.nickname, updated.data?.year],
      deleted: deleted.data?.deleted,
      absent: absent.response.status,
      wrong: typeof wrong.error === 'object' ? wrong.error.errors : undefined,
    };
  }

  export function mistakes(client: ReturnType<typeof createClient<paths>>) {
    // @ts-expect-error there is no such path
    void client.GET('/vehicels');
    // @ts-expect-error the limit is a number
    void client.GET('/positions/last.php', { params: { query: { limit: 'two' } } });
    // @ts-expect-error the year is a number
    void client.POST('/vehicles', { body: { year: '2024' } });
  }`;

interface Session {
  readonly session: (
    baseUrl: string,
    apiKey: string,
    fetch: (request: Request) => Promise<Response>,
  ) => Promise<unknown>;
}

test('a client of openapi-typescript and openapi-fetch compiles and runs a session', async () => {
  const folder = await TypescriptFolder.with({ 'openapi.json': description, 'session.ts': SESSION });
  await promisify(execFile)(process.execPath, [GENERATOR, 'openapi.json', '-o', 'waybridge.ts'], { cwd: folder.path });
  expect(await folder.compile('session.ts')).toBe('');

  const fetchOverTls = await httpsFetch();
  const { api_key } = await account();
  const { session } = await folder.load<Session>('session.ts');
  const outcome = await session(baseUrl, api_key, async (request) =>
    fetchOverTls(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    }),
  );
  expect(outcome).toEqual(OUTCOME);
});

test('a client of openapi-python-client runs a session, where Python has it', async (context) => {
  const folder = await temporaryFolder();
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await write('openapi.json', description);
  await write('options.yml', 'post_hooks: []');
  await write('ca.pem', (await testCertificate()).ca);
  await copyFile(join(root, 'test/clients/openapi_session.py'), join(folder, 'session.py'));
  const generator = ['-m', 'openapi_python_client', 'generate', '--path', 'openapi.json', '--config', 'options.yml'];
  const output = [...generator, '--output-path', 'waybridge_client', '--meta', 'none'];
  await runPython(context, 'openapi_python_client', output, folder);

  const { api_key } = await account();
  const session = ['session.py', baseUrl, api_key, 'ca.pem'];
  expect(JSON.parse(await runPython(context, 'openapi_python_client', session, folder))).toEqual(OUTCOME);
});
