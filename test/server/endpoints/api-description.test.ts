import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { listen, testHost } from '../../hosts/test-host.ts';
import { testService } from '../../services/database.ts';

let browser: Browser;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-docs-'));
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await rm(folder, { recursive: true });
});

test('the API can be read and tried on a page that loads nothing from elsewhere', async () => {
  const { app } = await testHost([
    await accountEndpoint(testService, new URL('https://localhost/api/v2'), new URL('https://localhost')),
  ]);
  const origin = `https://localhost:${await listen(app)}`;
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  const hosts = new Set<string>();
  page.on('request', (request) => request.url().startsWith('data:') || hosts.add(new URL(request.url()).origin));

  await page.goto(`${origin}/api/v2/docs`);
  await page.getByText('/device/{key}').first().waitFor();
  const description = await app.inject({ method: 'GET', url: `${origin}/api/v2/openapi.json` });
  const { paths, webhooks } = description.json() as Record<'paths' | 'webhooks', Record<string, object>>;
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap((path) => Object.keys(path));
  expect(operations.length).toBeGreaterThan(9);
  await expect.poll(() => page.locator('.opblock').count()).toBe(operations.length);
  expect([...hosts]).toEqual([origin]);
  expect(complaints).toEqual([]);
});
