import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { FastifyInstance } from 'fastify';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { importContent } from '../../../content/transfer/import-content.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { ContentSite } from '../../../content/site/content-site.ts';
import { contentEndpoint } from '../../../content/rest/content-endpoint.ts';
import { contentSiteEndpoint } from '../../../server/endpoints/content-site-endpoint.ts';
import { siteEndpoint } from '../../../server/endpoints/site-endpoint.ts';
import { freePort } from '../../../server/start/free-port.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { useDatabase } from '../../services/database.ts';
import { openHost } from '../../services/open-host.ts';

import { websiteDocument } from './content-site-pages.ts';

useDatabase();

const PATIENCE = { timeout: 60_000 };

let app: FastifyInstance;
let browser: Browser;
let site: string;

beforeAll(async () => {
  const port = await freePort('127.0.0.1', 0);
  site = `https://localhost:${port}`;
  await importContent(websiteDocument(), { replace: true, siteUrl: site });
  const config = readConfig({ SITE_URL: site });
  const website = new ContentSite(new URL(site));
  app = await openHost([
    await contentEndpoint(new URL(site)),
    await siteEndpoint(config, null, async () => null, website),
    contentSiteEndpoint(config, website),
  ]);
  await app.listen({ host: '127.0.0.1', port });
  browser = await sharedBrowser();
}, PATIENCE.timeout);
afterAll(async () => {
  await closePages(browser);
  await app?.close();
});

test('what an author wrote is shown, and none of its scripts runs', PATIENCE, async () => {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    return dialog.dismiss();
  });
  await page.goto(`${site}/2024/04/03/third-%e6%97%a5/`);
  await page.getByText('Zebra', { exact: true }).click();
  await page.goto(`${site}/2024/03/02/second/`);
  expect(dialogs).toEqual([]);
  expect(await page.evaluate(() => Object.hasOwn(window, 'clicked'))).toBe(false);
});

test('no page is wider than a small telephone', PATIENCE, async () => {
  const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
  onTestFinished(() => page.close());
  for (const path of ['/', '/blog/', '/2024/03/02/second/', '/2024/03/01/first/', '/?s=e', '/nope/']) {
    await page.goto(site + path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320);
  }
});

test('another site frames an article by its oEmbed, as high as it is, and a click leads to it', PATIENCE, async () => {
  const link = `${site}/2024/03/01/first/`;
  const embed = await app.inject(`/wp-json/oembed/1.0/embed?url=${encodeURIComponent(link)}`);
  const elsewhere = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(`<!doctype html>${embed.json().html}`);
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void elsewhere.close());

  const page = await browser.newPage({ viewport: { width: 700, height: 900 } });
  onTestFinished(() => page.close());
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
  const frame = page.locator('iframe');
  const article = page.frameLocator('iframe').locator('article');
  await expect.poll(() => article.innerText(), PATIENCE).toContain('Text of first.');
  const height = await article.evaluate((element) => element.scrollHeight);
  const shown = () => frame.evaluate((element: HTMLIFrameElement) => Number(element.height));
  await expect.poll(shown, PATIENCE).toBeGreaterThanOrEqual(Math.max(200, height));
  await article.getByRole('link', { name: 'First' }).click();
  await page.waitForURL(link);
});
