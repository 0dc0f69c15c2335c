import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';

import type { FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { revokeGrant } from '../../../auth/grants.ts';
import { signTripToken } from '../../../auth/trip-token.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import { gatewayEndpoint } from '../../../graphql/endpoint/gateway-endpoint.ts';
import { account, appFor, user, vehicle } from '../../services/account-fixture.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { listenOnLoopback } from '../../hosts/loopback.ts';
import { openHost } from '../../hosts/open-host.ts';
import { testCertificate } from '../../hosts/test-host.ts';
import { builtFile } from '../../browser/built-file.ts';

/** 48 positions from 23:58 on, with recorded speeds and a stop. */
const RECORDING = new URL('../../data/over-midnight.gpx', import.meta.url).pathname;
const ISSUER = 'https://localhost:8443';
const MIDNIGHT = Date.parse('2024-03-01T00:00:00Z') / 1000;

useDatabase();
let browser: Browser;
let host: FastifyInstance;
let site: Server;
let origin: string;
let graphqlUrl: string;
let accountKey: string;
let vehicleKey: string;
let body = '';

beforeAll(async () => {
  accountKey = (await account()).key;
  vehicleKey = await vehicle(accountKey);
  await importTrips(testService, { files: [RECORDING], vehicle: { key: vehicleKey, account_key: accountKey } });
  const certificate = await testCertificate();
  // The component that was built must work where nothing but its own operations is executed.
  const documents = { trustedDocumentsOnly: true };
  host = await openHost([await gatewayEndpoint(testService, new URL(`${ISSUER}/graphql`), ISSUER, documents)]);
  const { port } = new URL(await host.listen({ port: 0, host: '127.0.0.1' }));
  graphqlUrl = `https://localhost:${port}/graphql`;
  const files: Record<string, [type: string, text: string]> = {
    '/component.js': ['text/javascript', await readFile(await builtFile('maplibre-gl'), 'utf8')],
    '/style.json': [
      'application/json',
      await readFile(new URL('../../../element/local-style.json', import.meta.url), 'utf8'),
    ],
  };
  site = createServer(certificate, ({ url = '/' }, response) => {
    const [type, text] = files[url] ?? ['text/html', body];
    response.setHeader('content-type', `${type}; charset=utf-8`).end(text);
  });
  origin = `https://localhost:${await listenOnLoopback(site)}`;
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages(browser);
  site?.close();
  await host?.close();
});

/** A token of a grant of its own. */
async function tokenOf(scope = 'loc-past', issued = new Date()) {
  const { client_id, grant } = await appFor(await user(accountKey), ['account_activity.read']);
  const claims = { sub: `vehicle:${vehicleKey}`, aud: origin, scope, client_id, grant: grant.grant_hash };
  return { token: await signTripToken(testService, ISSUER, claims, issued), grantHash: grant.grant_hash };
}

/** Opens a page with one element; `provided` is what its `tokenProvider` gives. */
async function openMap(attributes: Record<string, string>, provided?: string): Promise<Page> {
  const all = { 'service-url': graphqlUrl, 'vehicle-key': vehicleKey, 'map-style': '/style.json', ...attributes };
  const written = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
  const provider = provided && `document.querySelector('service-trips-map').tokenProvider = async () => '${provided}';`;
  body = `<!doctype html><html lang="en-US"><service-trips-map ${written.join(' ')}></service-trips-map><script>
    seen = [];
    for (const type of ['trip-render', 'auth-error', 'api-error', 'error'])
      addEventListener(type, (event) => seen.push(type + (event.detail instanceof Error ? ': ' + event.detail.message : '')));
    ${provider ?? ''}
    </script><script type="module" src="/component.js"></script></html>`;
  const page = await browser.newPage({ viewport: { width: 900, height: 600 }, timezoneId: 'UTC' });
  await page.goto(origin);
  await page.waitForFunction('seen.length > 0');
  return page;
}

const seen = (page: Page): Promise<unknown> => page.evaluate('seen');

function tripsOf(page: Page) {
  return page.evaluate(() => {
    const element = document.querySelector('service-trips-map');
    return (element?.trips ?? []).map(({ path, motion, stops }) => ({
      positions: path.length,
      times: [...(motion?.times ?? [])],
      speeds: [...(motion?.speeds ?? [])],
      stops: stops.length,
    }));
  });
}

test('a recording is drawn with its times and speeds, listed, and can be replayed', async () => {
  const { token } = await tokenOf();
  const page = await openMap({ 'service-token': token, 'trip-list': '', 'color-by': 'speed', replay: '', units: 'km' });
  expect(await seen(page)).toEqual(['trip-render']);
  const [trip] = await tripsOf(page);
  expect(trip).toMatchObject({ positions: 48, times: { length: 48 }, speeds: { length: 47 } });
  expect(trip?.times[0]).toBe(MIDNIGHT - 120);
  expect(trip?.speeds[0]).toBeCloseTo((8 + 8.79) / 2, 1);
  await page.locator('[part=legend]').getByText('km/h').waitFor();
  expect(await page.getByRole('navigation', { name: 'Trips' }).getByRole('listitem').count()).toBe(1);
  await page.getByRole('slider', { name: 'Moment' }).focus();
  await page.keyboard.press('End');
  expect(await page.locator('[part=vehicle]').count()).toBe(1);
  await page.close();
});

test('nothing beyond the token’s window arrives, whatever is shown', async () => {
  const { token } = await tokenOf('loc-past-lt:2024-03-01T00:00:00Z');
  const page = await openMap({ 'service-token': token, replay: '' });
  expect(await seen(page)).toEqual(['trip-render']);
  const [trip] = await tripsOf(page);
  expect(trip?.times).toHaveLength(24);
  expect(Math.max(...(trip?.times ?? []))).toBeLessThan(MIDNIGHT);
  await page.close();
});

test('a window that is narrower than what is asked for is auth-error', async () => {
  const { token } = await tokenOf('loc-past-gte:2024-03-01T00:00:00Z');
  const page = await openMap({ 'service-token': token, 'started-after': '2024-02-29T12:00' });
  expect(await seen(page)).toEqual([expect.stringContaining('auth-error: The token is more restrictive')]);
  await page.close();
});

test.each([
  ['has ended', async () => tokenOf('loc-past', new Date(Date.now() - 2 * 3_600_000))],
  [
    'was revoked',
    async () => {
      const revoked = await tokenOf();
      await revokeGrant(testService, revoked.grantHash);
      return revoked;
    },
  ],
])('a token that %s is auth-error, and mended by a provider', async (_, issue) => {
  const { token } = await issue();
  const page = await openMap({ 'service-token': token });
  expect(await seen(page)).toEqual([expect.stringContaining('auth-error')]);
  await page.close();
  const mended = await openMap({ 'service-token': token }, (await tokenOf()).token);
  expect(await seen(mended)).toEqual(['trip-render']);
  await mended.close();
});
