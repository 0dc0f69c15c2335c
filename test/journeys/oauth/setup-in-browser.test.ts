import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { oauthEndpoint } from '../../../pages/endpoints/oauth-endpoint.ts';
import { caEndpoint } from '../../../pages/endpoints/ca-endpoint.ts';
import { localCertificate } from '../../../http/tls/local-ca.ts';
import { issueSetupLink } from '../../../resolvers/account/setup-link.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { fitsScreens } from '../../browser/fits-screens.ts';
import { type OauthHost, oauthHost } from '../../hosts/oauth-host.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

let folder: string;
let host: OauthHost;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
  const { caFile } = await localCertificate(folder, []);
  host = await oauthHost(async (issuer) => [
    await oauthEndpoint(testService, issuer),
    await caEndpoint(issuer, caFile),
  ]);
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await host.app.close();
  await rm(folder, { recursive: true });
});
afterEach(() => context?.close());

test('a setup link leads to a form that has its code already, and that to the new account', async () => {
  const { link = '' } = (await issueSetupLink(testService, null, host.issuer)) ?? {};
  context = await browser.newContext();
  const page = await context.newPage();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(`${host.issuer}/start`);
  await fitsScreens(page, 'setup-without-code');
  await page.goto(`${host.issuer}/ca`);
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  await fitsScreens(page, 'ca');
  await page.goto('about:blank');
  await page.goto(link);
  expect(await page.getByLabel('Code').isVisible()).toBe(false);
  await page.getByLabel('Name').fill('Corner bakery');
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByLabel('Password').fill('password password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('alert').waitFor();
  await fitsScreens(page, 'setup-refused');
  await page.getByLabel('Password').fill('oats and barley, milk');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL(`${host.issuer}/console`);
  const code = link.split('#')[1] ?? '';
  expect(requested.filter((url) => url.split('#')[0]?.includes(code))).toEqual([]);
});
