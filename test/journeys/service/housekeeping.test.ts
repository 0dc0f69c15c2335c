import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { ContentItemStore } from '../../../content/models/content-item.ts';
import { addWebsiteUser } from '../../../content/users/manage-website-user.ts';
import { InstallationLeaseStore } from '../../../models/leases/installation-lease.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { httpsClient } from '../../clients/https-client.ts';
import { serveProcess } from '../../processes/waybridge-process.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { testService, openTestDatabase } from '../../services/database.ts';

test('periodic work is done by one of two servers; the other takes over when it is killed, or stands still, and keeps it', async () => {
  const DATA_DIR = await temporaryFolder();
  const begin = async () => {
    const service = await serveProcess({ DATA_DIR, LOG_LEVEL: 'error' }, '--no-demo');
    onTestFinished(async () => {
      await service.end('SIGKILL');
    });
    return service;
  };
  const first = await begin();
  const database = await openTestDatabase(readConfig({ DATA_DIR }), false);
  onTestFinished(() => database.close());
  const client = httpsClient(await readFile(join(DATA_DIR, 'tls/ca.pem'), 'utf8'));

  /** The process that has the lease. */
  const worker = async () => Number((await InstallationLeaseStore.findOne(testService))?.lease?.holder.split('|')[1]);
  const { username, application_password } = await addWebsiteUser(
    testService,
    'ada',
    'ada@example.com',
    'administrator',
  );
  const authorization = `Basic ${Buffer.from(`${username}:${application_password}`).toString('base64')}`;
  /** Writes a post that is due; answers its address at a server. */
  const writeDue = async (title: string) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ title, status: 'future', date_gmt: '2124-01-01T00:00:00' });
    const request = { method: 'POST', headers, body };
    const { id } = JSON.parse((await client(`${second.url}/wp-json/wp/v2/posts`, request)).text);
    await ContentItemStore.updateOne(testService, { id }, { $set: { date_gmt: '2020-01-01T00:00:00' } });
    return `/wp-json/wp/v2/posts/${id}`;
  };
  const statusAt =
    ({ url }: { readonly url: string }, path: string) =>
    async () =>
      (await client(url + path)).status;

  await expect.poll(worker).toBe(first.child.pid);
  const second = await begin();
  expect(await worker()).toBe(first.child.pid);

  first.child.kill('SIGSTOP');
  const one = await writeDue('one');
  await expect.poll(worker).toBe(second.child.pid);
  await expect.poll(statusAt(second, one)).toBe(200);
  first.child.kill('SIGCONT');
  const two = await writeDue('two');
  await expect.poll(statusAt(first, two)).toBe(200);
  expect(await worker()).toBe(second.child.pid);

  await second.end('SIGKILL');
  await expect.poll(worker).toBe(first.child.pid);
});

test('a server that ends gives its periodic work to another', async () => {
  const DATA_DIR = await temporaryFolder();
  const service = await serveProcess({ DATA_DIR, LOG_LEVEL: 'error' }, '--no-demo');
  const database = await openTestDatabase(readConfig({ DATA_DIR }), false);
  onTestFinished(() => database.close());
  const lease = async () => (await InstallationLeaseStore.findOne(testService))?.lease;
  await expect.poll(lease).toMatchObject({ holder: expect.any(String) });
  expect(await service.end()).toEqual({ code: 0, signal: null });
  expect(await lease()).toBeNull();
});
