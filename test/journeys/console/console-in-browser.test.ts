import { readFile } from 'node:fs/promises';

import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { encode } from 'uqr';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { gatewayEndpoint } from '../../../graphql/endpoint/gateway-endpoint.ts';
import { oauthEndpoint } from '../../../pages/endpoints/oauth-endpoint.ts';
import { componentFiles } from '../../../pages/component/component-file.ts';
import { siteEndpoint } from '../../../pages/endpoints/site-endpoint.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { mapEndpoint } from '../../../server/endpoints/map-endpoint.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { type Credentials, oauthHost, type OauthHost, signInUser } from '../../hosts/oauth-host.ts';
import { account, device, vehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

let host: OauthHost;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  host = await oauthHost(async (issuer) => [
    await oauthEndpoint(testService, issuer),
    await siteAt(issuer),
    await gatewayEndpoint(testService, new URL(`${issuer}/graphql`), issuer, { trustedDocumentsOnly: true }),
    await accountEndpoint(testService, new URL(`${issuer}/api/v2`), new URL(issuer)),
    mapEndpoint({ siteUrl: issuer, dataDir: '/nowhere' }),
  ]);
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await host?.app.close();
});
afterEach(async () => {
  vi.useRealTimers();
  await context?.close();
});

/** The website, which has the file of the component. */
async function siteAt(issuer: string) {
  const addresses = { baseUrl: `${issuer}/api/v2`, authUrl: issuer, siteUrl: issuer, graphqlUrl: `${issuer}/graphql` };
  const config = { ...addresses, dataDir: '/nowhere', tlsCert: null, mapboxAccessToken: null };
  return siteEndpoint(testService, config, await componentFiles(addresses), async () => null);
}

/** Opens a page of the console as an administrator of an account. */
async function open(path: string, account_key: string, locale = 'en-GB'): Promise<Page> {
  const user = await administrator(account_key);
  context = await browser.newContext({ locale, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.on('pageerror', (error) => expect.soft(error.message).toBe(''));
  await page.goto(`${host.issuer}${path}`);
  await signIn(page, user);
  return page;
}

const administrator = (account_key: string) => signInUser(account_key, [], { account_role: 'administrator' });

async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Sends a position as Traccar Client does that took over the settings of a link. */
async function sendAsTraccarClient(link: string): Promise<number> {
  const { searchParams } = new URL(link);
  const query = new URLSearchParams({
    ...{ id: searchParams.get('id') ?? '', timestamp: String(Math.floor(Date.now() / 1000)) },
    ...{ lat: '53.0758', lon: '8.8072', speed: '0', bearing: '0', altitude: '5', accuracy: '6', batt: '80' },
  });
  const answer = await host.fetch(`${searchParams.get('url')}?${query}`, { method: 'GET' });
  return answer.status;
}

/** Expects that a page is accessible and no wider than the screen, on a telephone and a desk, in light and dark. */
async function looksGood(page: Page, what: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [width, height] of [
      [360, 740],
      [1280, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      if (SCREENSHOTS) {
        await page.waitForTimeout(700);
        await page.screenshot({ path: `${SCREENSHOTS}/${what}-${width}-${colorScheme}.png`, fullPage: true });
      }
      await page.evaluate(axe.source);
      const violations = await page.evaluate(async () => {
        const { violations: found } = await (window as unknown as { axe: typeof axe }).axe.run();
        return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([what, width, colorScheme, violations, overflow]).toEqual([what, width, colorScheme, [], 0]);
    }
  }
}

test('an administrator adds a vehicle, sees the dot turn green with its first position, and finds it in the list', async () => {
  const { key } = await account();
  const page = await open('/console', key);
  await page.getByText('No vehicles yet').waitFor();
  await looksGood(page, 'no-vehicles');
  await page.getByRole('link', { name: 'Add a vehicle' }).first().click();
  await page.getByLabel('Name of the vehicle').fill('Red van');
  await looksGood(page, 'add-vehicle');
  await page.getByRole('button', { name: 'Add the vehicle' }).click();
  await page.getByText('Waiting for the first position').waitFor();
  const code = page.getByRole('img', { name: 'QR code with the settings of Traccar Client' });
  await code.waitFor();
  await looksGood(page, 'pairing');
  const link = (await page.getByRole('link', { name: 'Open Traccar Client' }).getAttribute('href')) ?? '';
  const settings = new URL(link).searchParams;
  settings.delete('url');
  const { data } = encode(`${host.issuer}/api/v2/ingest/osmand?${settings}`, { ecc: 'L', border: 2 });
  const drawn = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  expect(await code.locator('path').getAttribute('d')).toBe(drawn);
  expect(await sendAsTraccarClient(link)).toBe(200);
  await page.getByText('The first position has arrived.').waitFor();
  await looksGood(page, 'paired');
  await page.goto(`${host.issuer}/console`);
  await page.getByRole('link', { name: /Red van.*Standing/ }).waitFor();
  await page.locator('canvas').waitFor();
  await looksGood(page, 'vehicles');
  await page.getByText('Show as GraphQL / REST').click();
  expect(await page.locator('.request').textContent()).toContain(`${host.issuer}/api/v2/vehicles`);
});

/** A vehicle that has driven today, with what its device sent in vain. */
async function drivenVehicle(account_key: string) {
  const vehicle_key = await vehicle(account_key);
  const { key: device_key } = await device(account_key, { vehicle_key, status: 'installed' });
  const { secret } = await issueIngestKey(testService, { account_key, device_key });
  const start = Date.now() - 40 * 60_000;
  const points = Array.from({ length: 60 }, (_, at) => ({
    point: { lat: 53.0758 + at * 0.0008, lon: 8.8072 + at * 0.0011 },
    timestamp: new Date(start + at * 10_000).toISOString(),
    speed: 25,
  }));
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const sent = await host.fetch(`${host.issuer}/api/v2/ingest`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ points }),
  });
  expect(sent.status).toBe(200);
  await host.fetch(`${host.issuer}/api/v2/ingest/osmand?id=${secret}&lat=0&lon=0&timestamp=1`, { method: 'GET' });
  return vehicle_key;
}

test('a vehicle has its days, the trips of one on the map, and a trip that is shared and saved as a file', async () => {
  const { key } = await account();
  const vehicle_key = await drivenVehicle(key);
  const page = await open(`/console/vehicle?key=${vehicle_key}`, key);
  await page.getByRole('heading', { name: 'Van' }).waitFor();
  await page.locator('service-trips-map [part=speeds]').waitFor();
  await looksGood(page, 'vehicle');
  await page.getByRole('table', { name: 'Trips of the day' }).getByRole('link').click();
  await page.locator('service-trips-map [part=speeds]').waitFor();
  await looksGood(page, 'trip');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as GPX' }).click(),
  ]);
  expect(String(await readFile(await file.path()))).toMatch(/(?:<trkpt .*\n){60}/);
  await page.getByRole('button', { name: 'Share this trip' }).click();
  await looksGood(page, 'share');
  await page.getByRole('button', { name: 'Make a link' }).click();
  expect(await page.locator('dialog .secret').textContent()).toContain('/s/');
});

test('a page is in the language of the reader, asks for the password again where it must, and then leads back', async () => {
  const { key } = await account();
  const page = await open('/console/add-vehicle', key, 'de-DE');
  await page.getByLabel('Name des Fahrzeugs').fill('Roter Bus');
  await page.getByRole('radio', { name: /Traccar/ }).check();
  await page.getByLabel('Seriennummer').fill('A1');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
  await page.getByRole('button', { name: 'Fahrzeug hinzufügen' }).click();
  expect(await page.getByRole('alert').textContent()).toContain('Dafür brauchen wir Ihr Passwort');
  await page.getByRole('link', { name: 'Neu anmelden' }).click();
  await signIn(page, await administrator(key));
  await page.getByLabel('Name des Fahrzeugs').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/add-vehicle');
});
