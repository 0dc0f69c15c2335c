import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

import { gatewayEndpoint } from '../../../graphql/endpoint/gateway-endpoint.ts';
import { componentFiles } from '../../../pages/component/component-file.ts';
import { oauthEndpoint } from '../../../pages/endpoints/oauth-endpoint.ts';
import { siteEndpoint } from '../../../pages/endpoints/site-endpoint.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { mapEndpoint } from '../../../server/endpoints/map-endpoint.ts';
import { axeViolations } from '../../browser/axe-violations.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { type Credentials, oauthHost, type OauthHost, signInUser } from '../../hosts/oauth-host.ts';
import { testService } from '../../services/database.ts';
import { runSize } from '../../services/run-size.ts';

/** The console in a browser. */
export interface ConsoleInBrowser {
  readonly host: OauthHost;
  /** Opens a page of the console as a new administrator of an account, at a time in ms since 1970 unless it is now. */
  open(
    path: string,
    accountKey: string,
    options?: { readonly locale?: string | undefined; readonly now?: number },
  ): Promise<Page>;
}

/** The website, which has the file of the component. */
async function siteAt(issuer: string) {
  const addresses = { baseUrl: `${issuer}/api/v2`, authUrl: issuer, siteUrl: issuer, graphqlUrl: `${issuer}/graphql` };
  const config = { ...addresses, dataDir: '/nowhere', tlsCert: null, mapboxAccessToken: null, lan: null };
  return siteEndpoint(testService, config, await componentFiles(addresses), async () => null);
}

/** Gives a test file a service with the console, its interfaces and its map, and a browser. */
export function useConsole(documents: Parameters<typeof gatewayEndpoint>[3] = {}): ConsoleInBrowser {
  let host: OauthHost | undefined;
  let browser: Browser | undefined;
  let context: BrowserContext | undefined;
  beforeAll(async () => {
    host = await oauthHost(async (issuer) => [
      await oauthEndpoint(testService, issuer),
      await siteAt(issuer),
      await gatewayEndpoint(testService, new URL(`${issuer}/graphql`), issuer, documents),
      await accountEndpoint(testService, new URL(`${issuer}/api/v2`), new URL(issuer)),
      mapEndpoint({ siteUrl: issuer, dataDir: '/nowhere' }),
    ]);
    browser = await sharedBrowser();
  });
  afterAll(async () => {
    if (browser) await closePages(browser);
    await host?.app.close();
  });
  afterEach(() => context?.close());
  const present = () => {
    if (!host || !browser) throw new Error('The console is there in tests only');
    return { host, browser };
  };
  return {
    get host() {
      return present().host;
    },
    async open(path, accountKey, { locale = 'en-GB', now } = {}) {
      context = await present().browser.newContext({ locale, viewport: { width: 1280, height: 900 } });
      if (now !== undefined) await context.clock.setSystemTime(now);
      const page = await context.newPage();
      page.on('pageerror', (error) => expect.soft(error.message).toBe(''));
      await page.goto(`${present().host.issuer}${path}`);
      await signIn(page, await administrator(accountKey));
      return page;
    },
  };
}

/** A new administrator of an account. */
export const administrator = (accountKey: string) => signInUser(accountKey, [], { account_role: 'administrator' });

/** Fills in the sign-in form of a page. */
export async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const PHONE = { width: 360, height: 740 };
const WIDE = { width: 1280, height: 900 };

/** Color schemes and screens on which pages are looked at. */
const LOOKS = runSize(
  [
    ['light', PHONE],
    ['dark', WIDE],
  ] as const,
  [
    ['light', PHONE],
    ['light', WIDE],
    ['dark', PHONE],
    ['dark', WIDE],
  ] as const,
);

/**
 * Expects that a page is accessible and no wider than the screen: on a telephone in light colors and a desk in dark ones in
 * `npm test`, and on both in both in `npm run test:full`. Keeps a picture of each for people where `SCREENSHOTS` names a folder.
 */
export async function looksGood(page: Page, what: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  for (const [colorScheme, screen] of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(screen);
    const { width } = screen;
    if (SCREENSHOTS) {
      await page.waitForTimeout(700);
      await page.screenshot({ path: `${SCREENSHOTS}/${what}-${width}-${colorScheme}.png`, fullPage: true });
    }
    const violations = await axeViolations(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([what, width, colorScheme, violations, overflow]).toEqual([what, width, colorScheme, [], 0]);
  }
}
