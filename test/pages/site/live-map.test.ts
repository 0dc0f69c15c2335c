import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import type { Trip } from '../../../element/trips/trip.ts';
import { readDemoKeys } from '../../../server/demo/demo-keys.ts';
import { closePages, sharedBrowser, useTrustedKey } from '../../browser/browser.ts';
import { demoFolder } from '../../services/demo-folder.ts';
import { type ServiceProcess, serveProcess } from '../../processes/waybridge-process.ts';

let folder: string;
let service: ServiceProcess;
let browser: Browser;

beforeAll(async () => {
  folder = await demoFolder();
  await useTrustedKey(folder);
  service = await serveProcess({ DATA_DIR: folder, LOG_LEVEL: 'error' });
  browser = await sharedBrowser();
});
afterAll(async () => {
  if (browser) await closePages(browser);
  await service?.end();
  await rm(folder, { recursive: true, force: true });
});

/** A page of the site, and what its console had to complain about. */
async function openSite(): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({
    timezoneId: 'America/New_York',
    viewport: { width: 1024, height: 700 },
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(60_000);
  onTestFinished(() => page.close());
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${service.url}/`);
  return { page, complaints };
}

test('a vehicle and a day are chosen, and their trips are drawn', async () => {
  const { page, complaints } = await openSite();
  const events = page.locator('.events tbody');
  await page.locator('.map-frame').scrollIntoViewIfNeeded();
  await events.locator('[data-event=trip-render]').first().waitFor();

  const keys = await readDemoKeys(folder);
  const second = keys?.vehicles[1];
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByLabel('Vehicle', { exact: true }).selectOption({ label: String(second?.nickname) });
  // The vehicle drives: a load that began before may end after the list was cleared.
  const order = async () => {
    const names = await events.locator('tr').evaluateAll((rows) => rows.map((row) => row.textContent ?? ''));
    const [rendered, loading] = ['trip-render', 'trip-loadingtrue'].map((event) =>
      names.findIndex((name) => name.includes(event)),
    );
    return { isDrawn: (loading ?? -1) >= 0 && (rendered ?? -1) >= 0 && (rendered ?? 0) < (loading ?? 0) };
  };
  await expect.poll(order).toEqual({ isDrawn: true });

  const element = page.locator('service-trips-map');
  await expect.poll(() => element.getAttribute('vehicle-key')).toBe(second?.key);
  const days = page.getByLabel('Day', { exact: true });
  const first = await days.locator('option').last().innerText();
  const count = Number(/(\d+) trips?$/.exec(first)?.[1]);
  expect(count).toBeGreaterThan(0);
  await days.selectOption({ label: first });
  // Trips of the day that was shown before may be as many.
  const shown = () =>
    element.evaluate((map) => {
      const day = new Date(map.getAttribute('started-after') ?? '').toDateString();
      const { trips } = map as unknown as { readonly trips: readonly Trip[] };
      const ofDay = trips.filter(({ stops }) => new Date(stops[0]?.departure ?? '').toDateString() === day);
      return { all: trips.length, ofDay: ofDay.length };
    });
  await expect.poll(shown).toEqual({ all: count, ofDay: count });
  await expect.poll(() => element.locator('[part~=trip]').count()).toBe(count);
  expect(await page.locator('#live-snippet').textContent()).toContain(`vehicle-key="${second?.key}"`);

  await element.locator('[part~=trip]').last().focus();
  await page.keyboard.press('Enter');
  await element.locator('[part~=trip][aria-pressed=true]').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => element.locator('[part~=trip][aria-pressed=true]').count()).toBe(0);
  expect(await element.getAttribute('started-after')).toMatch(/T00:00:00-0[45]:00$/);
  // Were they those of Florence, the map would name its zone.
  const times = () => element.evaluate((map) => map.shadowRoot?.textContent ?? '');
  await expect.poll(times).toContain('Start: ');
  expect(await times()).not.toMatch(/GMT|UTC|CET/);
  expect(complaints).toEqual([]);
});

test('the snippet is copied as it is shown, without the token, and no key is on the page', async () => {
  const { page } = await openSite();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
  await page.locator('service-trips-map[service-token]').waitFor();
  const token = await page.locator('service-trips-map').getAttribute('service-token');
  await page.getByRole('button', { name: 'Copy the embed snippet' }).click();
  const copy = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copy).toBe(await page.locator('#live-snippet').textContent());
  const copied = await copy();
  expect(copied).toContain('service-token="TOKEN_FROM_YOUR_SERVER"');
  expect(copied).not.toContain(token);

  const text = await page.content();
  const keys = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')) as Record<string, string>;
  for (const name of ['api_key', 'client_secret', 'access_token', 'grant_hash', 'owner_password']) {
    expect(keys[name], name).toBeTruthy();
    expect(text).not.toContain(keys[name]);
  }
});

test('without scripts the introduction is complete', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false, viewport: { width: 320, height: 700 } });
  await page.goto(`${service.url}/`);
  expect(await page.locator('pre:visible').count()).toBe(4);
  await page.locator('noscript p').waitFor();
  expect(await page.locator('.copy:visible, .bench:visible').count()).toBe(0);
});

test('no script of another origin, of this origin without the nonce, or inline may run', async () => {
  const { page } = await openSite();
  const ran = await page.evaluate(async () => {
    const inline = document.createElement('script');
    inline.textContent = 'window.intruder = true';
    const file = document.createElement('script');
    file.src = '/site/browser/copy.js';
    const loaded = new Promise((resolve) => {
      file.onload = () => resolve(true);
      file.onerror = () => resolve(false);
    });
    document.body.append(inline, file);
    return [await loaded, 'intruder' in window];
  });
  expect(ran).toEqual([false, false]);
});
