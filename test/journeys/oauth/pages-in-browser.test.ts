import { createServer, type Server } from 'node:http';

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { SCOPES } from '../../../auth/scope.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { fitsScreens } from '../../browser/fits-screens.ts';
import { useDatabase } from '../../services/database.ts';
import { listenOnLoopback } from '../../services/loopback.ts';
import { authorizeUrl, registeredApp, signInUser, useOauthHost } from '../../services/oauth-host.ts';

useDatabase();
const service = useOauthHost();

let browser: Browser;
let appServer: Server;
let redirect_uri: string;
let user: Awaited<ReturnType<typeof signInUser>>;
let context: BrowserContext;

beforeAll(async () => {
  browser = await sharedBrowser();
  appServer = createServer((_request, response) => response.end('Back at the app'));
  redirect_uri = `http://localhost:${await listenOnLoopback(appServer)}/callback`;
  user = await signInUser();
});
afterAll(async () => {
  await closePages(browser);
  appServer?.close();
});
afterEach(() => context?.close());

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  context = await browser.newContext(options);
  return context.newPage();
}

async function requestOf(
  name: string,
  scopes: readonly string[] = ['account.read', 'account.manage'],
): Promise<string> {
  const { client_id } = await registeredApp({ scopes, name, redirect_uris: [redirect_uri] });
  return authorizeUrl(service.at, { client_id, redirect_uri, state: 's1', scope: scopes.join(' ') });
}

async function signIn(page: Page, { email, password } = user): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('a user in a real browser, without scripts', () => {
  test('signs in, unticks a scope, allows the rest, and is back at the app', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(await requestOf('Route planner'));
    await signIn(page);
    await page.getByRole('checkbox', { name: /change the account/ }).uncheck();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${redirect_uri}?**`);
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('state'), searchParams.get('iss')]).toEqual(['s1', service.at.issuer]);
    expect(searchParams.get('code')).toBeTruthy();
  });

  test('denies, and the app receives the error', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(await requestOf('Route planner'));
    await signIn(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(`${redirect_uri}?**`);
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
  });

  test('does it all by keyboard', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(await requestOf('Route planner'));
    await page.locator('[name=email]:focus').waitFor();
    await page.keyboard.type(user.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(user.password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await page.getByRole('checkbox').first().focus();
    await page.keyboard.press('Space');
    expect(await page.getByRole('checkbox').first().isChecked()).toBe(false);
    for (const name of ['checkbox', 'button']) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).type)).toBe(
        name === 'button' ? 'submit' : 'checkbox',
      );
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(`${redirect_uri}?code=**`);
  });

  test('uses another account', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(await requestOf('Route planner'));
    await signIn(page);
    const other = await signInUser();
    await page.getByRole('link', { name: 'Use another account' }).click();
    await signIn(page, other);
    expect(await page.textContent('main')).toContain(`You are signed in as ${other.email}`);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${redirect_uri}?code=**`);
  });

  test('registers an app and deletes it on the developer platform', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(`${service.at.issuer}/apps`);
    await signIn(page, await signInUser());
    await page.getByLabel('Name').fill('Fuel log');
    await page.getByLabel('Redirect addresses').fill('https://fuel.example/callback');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: 'Save this secret now' }).waitFor();
    await page.getByText('Delete…').click();
    await page.getByRole('button', { name: 'Delete Fuel log' }).click();
    expect(await page.textContent('main')).not.toContain('Fuel log');
  });
});

test('an app whose name is markup runs nothing and draws nothing', async () => {
  const page = await open();
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => void dialogs.push(dialog.message()));
  await page.goto(await requestOf('<img src=x onerror=alert(1)><script>alert(2)</script>'));
  await signIn(page);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('<img src=x onerror=alert(1)>');
  expect([dialogs, await page.locator('main img, main script').count()]).toEqual([[], 0]);
});

test('clickjacking: no page shows in a frame', async () => {
  const page = await open();
  await page.goto(redirect_uri);
  for (const address of [await requestOf('Route planner'), `${service.at.issuer}/apps`]) {
    await page.setContent(`<iframe src="${address}"></iframe>`);
    const frame = await page.locator('iframe').elementHandle();
    const content = await frame?.contentFrame();
    await content?.waitForLoadState();
    expect(await content?.getByLabel('Password').count()).toBe(0);
    expect(content?.url()).not.toContain(service.at.issuer);
  }
});

test('every page fits every screen, in light and dark', async () => {
  const page = await open();
  await page.goto(await requestOf('Verkehrsleitzentralenauswertungsprogramm', Object.keys(SCOPES)));
  await fitsScreens(page, 'sign-in');
  await signIn(page, { ...user, password: 'wrong' });
  await fitsScreens(page, 'wrong');
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  await fitsScreens(page, 'consent');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.goto(`${service.at.issuer}/apps`);
  await page.getByLabel('Name').fill('Fuel log');
  await page.getByLabel('Redirect addresses').fill('https://fuel.example/a/rather/long/path/of/an/address/callback');
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByText('Delete…').first().click();
  await fitsScreens(page, 'apps');
  await page.goto(`${service.at.issuer}/authorize?client_id=unknown`);
  await fitsScreens(page, 'error');
});

test('text stands out from its ground by 4.5 to 1 at least, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open({ colorScheme });
    await page.goto(await requestOf('Route planner'));
    await signIn(page, { ...user, email: 'nobody@example.com', password: 'wrong' });
    const ratios = await page.evaluate(contrasts);
    await page.goto(`${service.at.issuer}/security`);
    await signIn(page);
    ratios.push(...(await page.evaluate(contrasts)));
    expect(ratios.length).toBeGreaterThan(20);
    for (const [text, ratio] of ratios) expect([colorScheme, text, ratio >= 4.5]).toEqual([colorScheme, text, true]);
    await context.close();
  }
});

/** Each text of the page with the contrast to its ground (WCAG 2.2, success criterion 1.4.3); runs in the page. */
function contrasts(): [text: string, ratio: number][] {
  const luminance = (color: string): number => {
    const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((value) => {
      const part = Number(value) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (element: Element | null): string => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (!/^rgba\(.*, 0\)$/.test(backgroundColor)) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  return [...document.querySelectorAll('h1, h2, h3, p, label, button, bdi, a, dt, dd, th, td, .badge')].map(
    (element) => {
      const pair = [luminance(getComputedStyle(element).color), luminance(groundOf(element))];
      return [element.textContent ?? '', (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05)];
    },
  );
}
