import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { SCOPES } from '../../../auth/scopes/scope.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { fitsScreens } from '../../browser/fits-screens.ts';
import { sendForm } from '../../browser/send-form.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase } from '../../services/database.ts';
import { listenOnLoopback } from '../../hosts/loopback.ts';
import { authorizeUrl, registeredApp, signInUser, useOauthHost } from '../../hosts/oauth-host.ts';

useDatabase();
const service = useOauthHost();

const S256 = {
  code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
  code_challenge_method: 'S256',
};

let browser: Browser;
let appServer: Server;
let redirect_uri: string;
/** An address of the app at another origin than its callback. */
let elsewhere: string;
let referrers: (string | undefined)[];
let user: Awaited<ReturnType<typeof signInUser>>;
let context: BrowserContext;

beforeAll(async () => {
  browser = await sharedBrowser();
  appServer = createServer(answerAsApp);
  const port = await listenOnLoopback(appServer);
  redirect_uri = `http://localhost:${port}/callback`;
  elsewhere = `http://127.0.0.1:${port}/elsewhere`;
  user = await signInUser();
});
afterAll(async () => {
  await closePages(browser);
  appServer?.close();
});
beforeEach(() => {
  referrers = [];
});
afterEach(() => context?.close());

/** The app: a page that opens sign-in in a window, a callback that hands its code to that page, and one that redirects on. */
function answerAsApp({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(url, redirect_uri);
  referrers.push(headers.referer);
  if (pathname === '/callback/on') return void response.writeHead(302, { Location: elsewhere + search }).end();
  response.setHeader('Content-Type', 'text/html');
  const script =
    pathname === '/callback/window' ? 'opener.postMessage(location.search, location.origin); close();' : '';
  response.end(`<!doctype html><title>App</title>Back at the app<script>${script}</script>`);
}

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  context = await browser.newContext(options);
  return context.newPage();
}

async function requestOf(
  name: string,
  scopes: readonly string[] = ['account.read', 'account.manage'],
  callback = redirect_uri,
): Promise<string> {
  const { client_id } = await registeredApp({ scopes, name, redirect_uris: [callback] });
  return authorizeUrl(service.at, { client_id, redirect_uri: callback, state: 's1', scope: scopes.join(' ') });
}

async function signIn(page: Page, { email, password } = user): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Follows the link of the page after an answer. */
async function goOn(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.waitForURL(`${redirect_uri}?**`);
}

describe('a user in a real browser, without scripts', () => {
  test('signs in, unticks a scope, allows the rest, and is back at the app', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(await requestOf('Route planner'));
    await signIn(page);
    await page.getByRole('checkbox', { name: /change the account/ }).uncheck();
    await page.getByRole('button', { name: 'Allow' }).click();
    await goOn(page);
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('state'), searchParams.get('iss')]).toEqual(['s1', service.at.issuer]);
    expect(searchParams.get('code')).toBeTruthy();
  });

  test('denies, and the app receives the error', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(await requestOf('Route planner'));
    await signIn(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await goOn(page);
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
    await page.getByRole('link', { name: 'Continue' }).focus();
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
    await page.getByText(`You are signed in as ${other.email}`).waitFor();
    await page.getByRole('button', { name: 'Allow' }).click();
    await goOn(page);
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy();
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
    await sendForm(page, 'Delete Fuel log');
    expect(await page.textContent('main')).not.toContain('Fuel log');
  });
});

describe('a user in a real browser', () => {
  const allow = (page: Page) => page.getByRole('button', { name: 'Allow' });

  async function consent(callback?: string): Promise<Page> {
    const page = await open();
    await page.goto(redirect_uri);
    await page.goto(await requestOf('Route planner', ['account.read'], callback));
    await signIn(page);
    await allow(page).waitFor();
    return page;
  }

  test('is back at the app without a further click, and the app learns no address of a page', async () => {
    const page = await consent();
    await allow(page).click();
    await page.waitForURL(`${redirect_uri}?code=**`);
    expect(referrers.filter(Boolean).join()).not.toContain(service.at.issuer);
  });

  test('is sent on by the callback to another origin', async () => {
    const page = await consent(`${redirect_uri}/on`);
    await allow(page).click();
    await page.waitForURL(`${elsewhere}?code=**`);
    expect(await page.textContent('body')).toBe('Back at the app');
  });

  test('clicks twice on Allow, goes back, and reloads, and is at the app with the same code each time', async () => {
    const page = await consent();
    const form = page.url();
    await allow(page).dblclick();
    // The second click ends the navigation of the first, for which waitForURL would fail.
    await expect.poll(() => page.url()).toContain(`${redirect_uri}?code=`);
    await page.waitForLoadState();
    const first = page.url();
    await page.goBack({ waitUntil: 'commit' });
    await page.waitForURL(first);
    for (const again of [form, form.replace('/request/', '/')]) {
      await page.goto(again, { waitUntil: 'commit' });
      await page.waitForURL(first);
    }
  });

  test('comes from a window of the app, which gets the code and is never told that the window is closed before', async () => {
    const page = await open();
    await page.goto(redirect_uri);
    const request = await requestOf('Route planner', ['account.read'], `${redirect_uri}/window`);
    const opened = page.waitForEvent('popup');
    const message = page.evaluate(
      (url) =>
        new Promise<string>((resolve) => {
          addEventListener('message', ({ data }) => resolve(data), { once: true });
          Object.assign(window, { popup: window.open(url, 'sign-in', 'popup') });
        }),
      request,
    );
    const isClosed = () => page.evaluate(() => (window as unknown as { popup: Window }).popup.closed);
    const popup = await opened;
    await popup.getByLabel('Password').waitFor();
    expect(await isClosed()).toBe(false);
    await signIn(popup);
    await allow(popup).waitFor();
    expect(await isClosed()).toBe(false);
    await allow(popup).click();
    expect(Object.fromEntries(new URLSearchParams(await message))).toMatchObject({
      code: expect.any(String),
      state: 's1',
    });
    await expect.poll(isClosed).toBe(true);
  });

  test.each([true, false])('goes to an app of another scheme (scripts: %s)', async (javaScriptEnabled) => {
    const callback = 'com.example.app:/callback';
    const { client_id } = await registeredApp({ scopes: ['account.read'], redirect_uris: [callback], isPublic: true });
    const page = await open({ javaScriptEnabled });
    const session = await page.context().newCDPSession(page);
    await session.send('Page.enable');
    const asked: string[] = [];
    session.on('Page.frameRequestedNavigation', ({ url }) => void asked.push(url));
    await page.goto(authorizeUrl(service.at, { client_id, redirect_uri: callback, state: 's1', ...S256 }));
    await signIn(page);
    await allow(page).click();
    const link = page.getByRole('link', { name: 'Continue' });
    const href = await link.getAttribute('href');
    expect(href).toMatch(/^com\.example\.app:\/callback\?code=[\w-]{43}&state=s1&iss=/);
    if (!javaScriptEnabled) await link.click();
    await expect.poll(() => asked).toContain(href);
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
  await page.route(`${redirect_uri}**`, (route) => route.fulfill({ status: 204 }));
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('link', { name: 'Continue' }).waitFor();
  await fitsScreens(page, 'onward');
  await page.goto(`${service.at.issuer}/apps`);
  await page.getByLabel('Name').fill('Fuel log');
  await page.getByLabel('Redirect addresses').fill('https://fuel.example/a/rather/long/path/of/an/address/callback');
  await sendForm(page, 'Register');
  await page.getByText('Delete…').first().click();
  await fitsScreens(page, 'apps');
  await page.goto(`${service.at.issuer}/authorize?client_id=unknown`);
  await fitsScreens(page, 'error');
  const one = await signInUser();
  await signInUser((await account({ nickname: 'Donaudampfschifffahrtsgesellschaft Passau' })).key, [], {
    email: one.email,
  });
  await page.context().clearCookies();
  await page.goto(await requestOf('Verkehrsleitzentralenauswertungsprogramm'));
  await signIn(page, one);
  await page.getByRole('heading', { name: 'Choose an account' }).waitFor();
  await fitsScreens(page, 'accounts');
});

test('text stands out from its ground by 4.5 to 1 at least, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open({ colorScheme });
    await page.goto(await requestOf('Route planner'));
    await signIn(page, { ...user, email: 'nobody@example.com', password: 'wrong' });
    await page.waitForLoadState();
    const ratios = await page.evaluate(contrasts);
    await page.goto(`${service.at.issuer}/security`);
    await signIn(page);
    await page.waitForLoadState();
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
