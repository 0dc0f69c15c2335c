import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { FastifyInstance } from 'fastify';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { CommentStore } from '../../../content/models/comment.ts';

import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { useDatabase, testService } from '../../services/database.ts';

import { listeningSite } from './site-world.ts';

useDatabase();

let app: FastifyInstance;
let browser: Browser;
let site: string;

beforeAll(async () => {
  ({ app, site } = await listeningSite());
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await app?.close();
});

test('what an author wrote is shown, and none of its scripts runs', async () => {
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

async function isOnTop(heading: Locator): Promise<boolean> {
  const { y = -1 } = (await heading.boundingBox()) ?? {};
  return y >= 0 && y < 300;
}

describe('the menu', () => {
  test('opens without scripts, and leads to the pages and to the search', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    for (const path of ['/', '/blog/']) {
      await page.goto(site + path);
      const menu = page.locator('.menu');
      expect(await menu.getByRole('link', { name: 'About' }).isVisible()).toBe(false);
      await menu.getByText('Menu', { exact: true }).click();
      await menu.getByRole('link', { name: 'About' }).click();
      await page.waitForURL(`${site}/about/`);
    }
    await page.locator('.menu summary').click();
    await page.locator('.menu').getByRole('searchbox').fill('zebra');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site}/?s=zebra`);
  });
});

describe('a reader', () => {
  test('who looks from the front page for a token for the map finds it in two clicks', async () => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(`${site}/`);
    const search = page.getByRole('search', { name: 'Search in the header' });
    await search.getByRole('searchbox').fill('how do I get a token for the map');
    await search.getByRole('button').click();
    await page.locator('.entries a').first().click();
    await page.waitForURL(`${site}/docs/trip-map#get-a-token-for-the-map`);
    const heading = page.getByRole('heading', { name: 'Get a token for the map' });
    await expect.poll(() => isOnTop(heading)).toBe(true);
    await page.getByText('/api/special-purpose/v1/token').first().waitFor();
  });

  test.each(['createWebhook', 'object-Vehicle'])(
    'who has the address of %s in the long reference is there',
    async (id) => {
      const page = await browser.newPage();
      onTestFinished(() => page.close());
      await page.goto(`${site}/docs/api#${id}`);
      await expect.poll(() => isOnTop(page.locator(`#${id}`))).toBe(true);
    },
  );

  test('sees beside a document which of its parts is being read', async () => {
    const page = await browser.newPage({ viewport: { width: 1400, height: 800 } });
    onTestFinished(() => page.close());
    await page.goto(`${site}/docs/trip-map#get-a-token-for-the-map`);
    const current = page.locator('.contents [aria-current]');
    await expect.poll(() => current.allTextContents()).toEqual(['Get a token for the map']);
    expect(await isOnTop(page.locator('.contents nav'))).toBe(true);
  });

  test('prints documents without menus, and whole: examples in every language, long parts as well', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.emulateMedia({ media: 'print' });
    const seen = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) => all.map((one) => one.checkVisibility({ contentVisibilityAuto: true })));
    await page.goto(`${site}/docs/trip-map`);
    expect(await seen('.site-header, .index, .contents, .turn')).not.toContain(true);
    expect(new Set(await seen('.tabs .tab'))).toEqual(new Set([true]));
    await page.goto(`${site}/docs/api`);
    expect(new Set(await seen('.part .operation'))).toEqual(new Set([true]));
  });

  test('without scripts reads a document, chooses the language of an example, and finds all documents', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`${site}/docs/trip-map`);
    const python = page.getByText('import json, os, urllib.request');
    expect(await python.isVisible()).toBe(false);
    await page.locator('.tabs label', { hasText: 'Python' }).click();
    expect(await python.isVisible()).toBe(true);
    await page.getByText('All documents').click();
    await page.locator('.index-menu').getByRole('link', { name: 'Devices' }).click();
    await page.waitForURL(`${site}/docs/devices`);
  });

  test('types a key into the examples, which leaves the page in nothing but a copy', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const requests: string[] = [];
    await page.goto(`${site}/docs/graphql`);
    page.on('request', (request) => requests.push(request.url()));
    await page.getByLabel('API key').fill('wb_key_typed');
    await page.keyboard.press('Enter');
    const example = page.locator('.tab').first();
    expect(await example.innerText()).toContain('Service-Api-Key: wb_key_typed"');
    await example.getByRole('button', { name: 'Copy' }).click();
    await example.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('wb_key_typed');
    expect(requests).toEqual([]);
    expect(await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])).toEqual([
      '',
      0,
      0,
    ]);
    await page.getByText('Python', { exact: true }).first().click();
    expect(await page.locator('.tabs').first().getByText('urllib.request.urlopen').isVisible()).toBe(true);
  });

  test('opens a protected post and comments on it', async () => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(`${site}/2024/04/04/locked/`);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('This is not the password.').waitFor();
    await page.getByLabel('Password').fill('sesame');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('The zebra is secret').waitFor();

    const respond = page.locator('#respond');
    const opened = await respond.locator('[name=token]').inputValue();
    await CommentStore.deleteMany(testService, { author_name: 'Ada' });
    await respond.getByLabel('Comment').fill('Good to know');
    await respond.getByLabel('Name').fill('Ada');
    await respond.getByLabel('Email').fill('ada@example.com');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 });
    await respond.getByRole('button', { name: 'Send' }).click();
    await page.getByText('once it has been approved').waitFor();
    expect(opened).not.toBe('');
    expect(await CommentStore.find(testService, { author_name: 'Ada' })).toMatchObject([{ status: 'hold', post: 23 }]);
  });
});

test('another site frames an article by its oEmbed, as high as it is, and a click leads to it', async () => {
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
  await expect.poll(() => article.innerText()).toContain('Text of first.');
  const height = await article.evaluate((element) => element.scrollHeight);
  const shown = () => frame.evaluate((element: HTMLIFrameElement) => Number(element.height));
  await expect.poll(shown).toBeGreaterThanOrEqual(Math.max(200, height));
  await article.getByRole('link', { name: 'First' }).click();
  await page.waitForURL(link);
});
