import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { FastifyInstance } from 'fastify';
import type { Browser } from 'playwright-core';
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
