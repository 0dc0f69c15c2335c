import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

import { closePages, sharedBrowser, useTrustedKey } from '../browser/browser.ts';
import { httpsFetch, type HttpsFetch } from '../clients/https-fetch.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { serveProcess } from '../processes/waybridge-process.ts';

const SHOP = 'https://shop.example';
/** Seconds that somebody spends on a page, and that the whole may take. */
const PAGE_SECONDS = 10;
const ALL_SECONDS = 180;

/** A bare start, and a browser at the link that it prints. */
async function bareStart() {
  const dataDir = await temporaryFolder();
  await useTrustedKey(dataDir);
  const service = await serveProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }, '--no-demo');
  onTestFinished(async () => void (await service.end()));
  const browser = await sharedBrowser();
  // It is day there, so that a drive of the last minutes is one of today.
  const timezoneId = new Date().getUTCHours() < 12 ? 'Etc/GMT-6' : 'Etc/GMT+6';
  const page = await browser.newPage({ locale: 'en-GB', timezoneId, viewport: { width: 1280, height: 900 } });
  onTestFinished(() => closePages(browser));
  page.on('pageerror', (error) => expect.soft(error.message).toBe(''));
  const [link = ''] = /https:\S+\/start#\S+/.exec(service.banner) ?? [];
  await page.goto(link);
  return { browser, page, fetch: await httpsFetch(await readFile(`${dataDir}/tls/ca.pem`, 'utf8')) };
}

beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(await readFile(file)).buffer } });
});

/** Reads the QR code that a page shows, from its picture. */
async function scanned(page: Page, name: string): Promise<URL> {
  const picture = await page.getByRole('img', { name }).screenshot();
  const [code] = await readBarcodes(new Uint8Array(picture), { formats: ['QRCode'] });
  return new URL(code?.text ?? '');
}

interface Fix {
  /** Minutes from now. */
  readonly minutes: number;
  readonly lat: number;
  readonly lon: number;
}

/** Sends positions as Traccar Client does that took over the settings of a code (https://www.traccar.org/osmand). */
async function sendAsTraccarClient(fetch: HttpsFetch, code: URL, fixes: readonly Fix[]): Promise<void> {
  const id = code.searchParams.get('id') ?? '';
  for (const { minutes, lat, lon } of fixes) {
    const timestamp = Math.floor(Date.now() / 1000 + minutes * 60);
    const query = new URLSearchParams(
      Object.entries({ id, timestamp, lat, lon, accuracy: 6, batt: 80 }).map(([key, value]) => [key, String(value)]),
    );
    expect((await fetch(`${code.origin}${code.pathname}?${query}`, { method: 'POST' })).status).toBe(200);
  }
}

/** Sends a position as OwnTracks does that took over the settings of a code (https://owntracks.org/booklet/tech/http). */
async function sendAsOwnTracks(fetch: HttpsFetch, code: URL): Promise<void> {
  const settings = JSON.parse(Buffer.from(code.searchParams.get('inline') ?? '', 'base64').toString());
  const authorization = `Basic ${Buffer.from(`${settings.username}:${settings.password}`).toString('base64')}`;
  const fix = {
    _type: 'location',
    lat: 53.08,
    lon: 8.81,
    tst: Math.floor(Date.now() / 1000),
    tid: settings.tid,
    acc: 8,
  };
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await fetch(settings.url, { method: 'POST', headers, body: JSON.stringify(fix) });
  expect(answer.status).toBe(200);
}

/** A drive of five minutes, after which the vehicle stands for long enough to have ended its trip. */
const DRIVE = Array.from({ length: 32 }, (_, at) => {
  const driven = Math.min(at, 15);
  return { minutes: -14 + at / 3, lat: 53.0758 + driven * 0.0015, lon: 8.8072 + driven * 0.002 };
});

async function addPhone(page: Page, name: string): Promise<void> {
  await page
    .getByRole('link', { name: /^Add (a vehicle|another)$/ })
    .first()
    .click();
  await page.getByLabel('Name of the vehicle').fill(name);
  await page.getByRole('button', { name: 'Add the vehicle' }).click();
  await page.getByText('Waiting for the first position').waitFor();
}

const arrived = (page: Page) => page.getByText('The first position has arrived.').waitFor();

test('a van is on the map of a bare start, and its trip on the page of a shop, within three minutes and without a command', async () => {
  const { browser, page, fetch } = await bareStart();
  let pages = 1;
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) pages++;
  });
  await page.getByLabel('Name').first().fill('Corner bakery');
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByLabel('Password').fill('oats and barley, milk');
  await page.getByRole('button').first().click();
  await page.getByText('No vehicles yet').waitFor();

  await addPhone(page, 'Red van');
  await sendAsTraccarClient(fetch, await scanned(page, 'QR code with the settings of Traccar Client'), DRIVE);
  await arrived(page);
  await addPhone(page, 'Bicycle');
  await page.getByRole('button', { name: 'OwnTracks' }).click();
  await sendAsOwnTracks(fetch, await scanned(page, 'QR code with the settings of OwnTracks'));
  await arrived(page);

  await page.getByRole('link', { name: 'Vehicles' }).click();
  await page.getByRole('link', { name: /Bicycle/ }).waitFor();
  await page.getByRole('link', { name: /Red van/ }).click();
  await page.getByRole('table', { name: 'Trips of the day' }).getByRole('link').click();
  await page.locator('service-trips-map [part=speeds]').waitFor();

  await page.getByRole('link', { name: 'Share this trip' }).click();
  const form = page.getByRole('dialog', { name: 'Share' });
  await form.getByText('Map in a website').click();
  await form.getByLabel('Addresses of the websites').fill(SHOP);
  await form.getByRole('button', { name: 'Share' }).click();
  const frame = await page.getByRole('dialog', { name: 'Link' }).locator('code').nth(1).textContent();
  await page.getByRole('button', { name: 'Done' }).click();

  const shop = await browser.newPage({ permissions: ['local-network-access'] });
  await shop.route(`${SHOP}/**`, (route) => route.fulfill({ contentType: 'text/html', body: frame ?? '' }));
  await shop.goto(`${SHOP}/`);
  const map = shop.frameLocator('iframe').locator('service-trips-map');
  await expect.poll(() => map.evaluate((element) => Object(element).trips.length)).toBe(1);

  await page.getByRole('button', { name: 'Revoke: Red van' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect.poll(() => map.count()).toBe(0);
  expect(pages * PAGE_SECONDS).toBeLessThanOrEqual(ALL_SECONDS);
});
