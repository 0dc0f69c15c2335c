import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect, test } from 'vitest';

import { type HttpsFetch, httpsFetch } from '../../clients/https-fetch.ts';
import { askCommand, runCommand } from '../../processes/run-command.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { type ServiceProcess, serveProcess } from '../../processes/waybridge-process.ts';
import { demoFolder } from '../../services/demo-folder.ts';
import { runSize } from '../../services/run-size.ts';

const GIVEN = { name: 'Corner bakery', email: 'ada@example.com', password: 'oats and barley, milk' };
/** Writes to the database after which the service is killed while it creates the account. */
const KILLED_AFTER = runSize([0, 1], [0, 0, 1, 1, 2, 3, 5, 8]);

test('the printed link creates the account of a bare start, is in no log, and is printed no more', async () => {
  const settings = { DATA_DIR: await temporaryFolder(), LOG_LEVEL: 'trace' };
  const service = await serveProcess(settings, '--no-demo');
  const logged = text(service.child.stderr);
  const { origin, code } = linkIn(service.banner);
  expect(service.banner).toContain('Create your account.');
  const fetch = await fetchOf(settings);
  expect(await (await fetch(`${origin}/start`)).text()).toContain('location.hash');
  const created = await post(fetch, origin, code);
  expect([created.status, created.headers.get('location')]).toEqual([303, `${origin}/console`]);
  const cookie = created.headers.getSetCookie().map((one) => one.split(';')[0]);
  const page = await fetch(`${origin}/console`, { headers: { cookie: cookie.join('; ') } });
  expect(await page.text()).toContain('Corner bakery');
  await service.end();
  expect(await logged).toContain('/start');
  expect(await logged).not.toContain(code);

  const again = await serveProcess(settings, '--no-demo');
  await again.end();
  expect(again.banner).not.toContain('/start#');
  const { code: exitCode, stderr } = await runCommand(['setup-link'], settings);
  expect([exitCode, stderr]).toEqual([1, 'There is an account; account add adds another\n']);
});

test('beside the demonstration a link starts an account of one’s own, and setup-link prints another', async () => {
  const settings = { DATA_DIR: await demoFolder(), LOG_LEVEL: 'error' };
  const service = await serveProcess(settings);
  const { origin, code } = linkIn(service.banner);
  expect(service.banner).toContain('Look around, or start your own account.');
  const fetch = await fetchOf(settings);
  const front = await (await fetch(`${origin}/`)).text();
  expect(front).toContain('<a class="button" href="#live">Look around</a>');
  expect(front).toContain(`href="${origin}/start">Start your own</a>`);
  const { setup_link } = await askCommand(['setup-link'], service.settings);
  const newer = linkIn(String(setup_link));
  expect(newer.origin).toBe(origin);
  expect((await post(fetch, origin, code)).status).toBe(410);
  expect((await post(fetch, origin, newer.code)).status).toBe(303);
  expect(await (await fetch(`${origin}/`)).text()).not.toContain('Start your own');
  await service.end();
});

test.each(KILLED_AFTER)('a kill while the account is created leaves all of it or nothing (%i)', async (writes) => {
  const settings = { DATA_DIR: await temporaryFolder(), LOG_LEVEL: 'error' };
  const service = await serveProcess(settings, '--no-demo');
  const { origin, code } = linkIn(service.banner);
  const fetch = await fetchOf(settings);
  await killAt(service, settings.DATA_DIR, writes, () => post(fetch, origin, code));

  const next = await serveProcess({ ...settings, PORT: String(service.port) }, '--no-demo');
  // The next start has printed a newer link unless there is an account.
  const later = /\/start#/.test(next.banner) ? linkIn(next.banner).code : null;
  const again = await post(await fetchOf(settings), origin, later ?? code);
  expect(again.status).toBe(later === null ? 410 : 303);
  const { nodes } = await askCommand(['account', 'list'], next.settings);
  expect(nodes).toMatchObject([{ nickname: GIVEN.name }]);
  const { user_key } = await askCommand(['account', 'find', '--email', GIVEN.email], next.settings);
  expect(user_key).toBe((nodes as { owner_key: string }[])[0]?.owner_key);
  await next.end();
});

/** Does work, and kills the service when its database has been written to so many times since the work began. */
async function killAt(service: ServiceProcess, dataDir: string, writes: number, work: () => Promise<unknown>) {
  const watcher = watch(dataDir);
  let left = writes;
  watcher.on('change', (_, name) => {
    if (name === 'waybridge.db-wal' && left-- <= 0) service.child.kill('SIGKILL');
  });
  await work().catch(() => undefined);
  await service.end('SIGKILL');
  watcher.close();
}

function linkIn(printed: string): { readonly origin: string; readonly code: string } {
  const [, origin = '', code = ''] = /(https:\S+)\/start#([\w-]{43})/.exec(printed) ?? [];
  return { origin, code };
}

async function fetchOf({ DATA_DIR }: { readonly DATA_DIR: string }): Promise<HttpsFetch> {
  return httpsFetch(await readFile(join(DATA_DIR, 'tls/ca.pem'), 'utf8'));
}

function post(fetch: HttpsFetch, origin: string, code: string): Promise<Response> {
  const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
  return fetch(`${origin}/start`, { method: 'POST', headers, body: new URLSearchParams({ code, ...GIVEN }) });
}
