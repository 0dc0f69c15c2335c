import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import axe from 'axe-core';
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
  const described = description.json() as { tags: { name: string; description?: string }[] };
  expect(described.tags.filter((tag) => !/^[A-Z].+\.$/.test(tag.description ?? ''))).toEqual([]);
  const contents = page.getByRole('navigation', { name: 'Endpoints' }).getByRole('link');
  expect((await contents.allTextContents()).toSorted()).toEqual(described.tags.map(({ name }) => name).toSorted());
  await page.getByRole('button', { name: '/devices' }).first().click();
  await page.getByText('Try it out').waitFor();
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
  expect([...hosts]).toEqual([origin]);
  expect(complaints).toEqual([]);
});
