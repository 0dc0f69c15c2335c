import { rm } from 'node:fs/promises';

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import {
  COMPONENT_EXAMPLES,
  type ComponentExample,
  type ComponentKind as Kind,
  examplesOf,
} from '../../../pages/component/component-examples.ts';
import { type ComponentReference, componentReference } from '../../../pages/component/component-reference.ts';
import { siteEndpoint } from '../../../pages/endpoints/site-endpoint.ts';
import { axeViolations } from '../../browser/axe-violations.ts';
import { closePages, sharedBrowser, useTrustedKey } from '../../browser/browser.ts';
import { demoFolder } from '../../services/demo-folder.ts';
import { runSize } from '../../services/run-size.ts';
import { testHost } from '../../hosts/test-host.ts';
import { type ServiceProcess, serveProcess } from '../../processes/waybridge-process.ts';
import { builtPackage } from '../../browser/built-package.ts';
import { testService } from '../../services/database.ts';

/** Messages of a browser about the requests that examples of failures make. */
const EXPECTED = /no-such-|status of 401/;

/** Attributes by which the element has all its panels. */
const ALL_PANELS = 'trip-list replay live fullscreen color-by="speed"';

let reference: ComponentReference;
let folder: string;
let service: ServiceProcess;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  await builtPackage();
  reference = (await componentReference()) as ComponentReference;
  folder = await demoFolder();
  await useTrustedKey(folder);
  service = await serveProcess({ DATA_DIR: folder, LOG_LEVEL: 'error' });
  browser = await sharedBrowser();
  page = await browser.newPage({ viewport: { width: 1100, height: 700 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text() + message.location().url))
      complaints.push(message.text());
  });
  await page.goto(`${service.url}/`);
  await page.getByRole('link', { name: 'Component', exact: true }).click();
  await page.locator('[data-event=trip-render]').first().waitFor();
});
afterAll(async () => {
  if (browser) await closePages(browser);
  await service?.end();
  await rm(folder, { recursive: true, force: true });
});

/** Nothing that an example does is an error of the page. */
afterEach(() => expect(complaints.splice(0)).toEqual([]));

/** Names of all things of a kind that the page describes. */
function named(kind: Kind): string[] {
  const entries = kind === 'members' ? reference.members.filter(({ attribute }) => !attribute) : reference[kind];
  return entries.map(({ name }) => name);
}

/** Names of the things of a kind whose examples are pressed: one in four, or all of them. */
function pressed(kind: Kind): string[] {
  return named(kind).filter((_, at) => at % runSize(4, 1) === 0);
}

/** Examples of one thing on the page. */
function examplesFor(kind: Kind, name: string): readonly ComponentExample[] {
  const entry = reference[kind].find((thing) => thing.name === name);
  return entry ? examplesOf(kind, entry) : [];
}

/** Presses the examples of something that need no provider, each before `seen` is awaited. */
async function press(kind: Kind, name: string, seen: (at: number) => Promise<void>): Promise<void> {
  const examples = examplesFor(kind, name);
  const buttons = page.locator(`[id="${kind}-${name}"] button.example`);
  expect(await buttons.count()).toBe(examples.length);
  for (const [at, { provider }] of examples.entries()) {
    const button = buttons.nth(at);
    if (provider) {
      expect(await button.isDisabled()).toBe(true);
      continue;
    }
    await page.evaluate(() => document.querySelector('.events tbody')?.replaceChildren());
    await button.click();
    await seen(at);
  }
}

/** Waits until the element has a part that can be seen. */
const sawPart = (name: string): Promise<void> => page.locator(`service-trips-map [part~=${name}]`).first().waitFor();

test.each(Object.keys(COMPONENT_EXAMPLES) as Kind[])('there are examples of all %s, and of nothing else', (kind) => {
  expect(named(kind)).toEqual(expect.arrayContaining(Object.keys(COMPONENT_EXAMPLES[kind])));
  expect(named(kind).filter((name) => examplesFor(kind, name).length === 0)).toEqual([]);
});

test('a browser runs the file by the hash that the page prints, and no changed file', async () => {
  await page.getByText('With the hash of the file').click();
  const printed = await page.locator('#component-pinned').innerText();
  const [, src = '', integrity = ''] = /src="([^"]+maplibre[^"]+)"\s+integrity="([^"]+)"/.exec(printed) ?? [];
  expect(integrity).toMatch(/^sha384-[\w+/]{64}$/);
  const other = await browser.newPage();
  const refused: string[] = [];
  other.on('console', (message) => refused.push(message.text()));
  const html = `<script type="module" src="${src}" integrity="${integrity}" crossorigin="anonymous"></script>`;
  const address = `${service.url}/embedding`;
  await other.route(address, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  const isDefined = (): Promise<boolean> => other.evaluate(() => customElements.get('service-trips-map') !== undefined);
  await other.goto(address);
  expect(await isDefined()).toBe(true);
  const body = await page.evaluate(async (url) => `${await (await fetch(url)).text()};`, src);
  await other.route(src, (route) => route.fulfill({ contentType: 'text/javascript', body }));
  await other.goto(address);
  expect(await isDefined()).toBe(false);
  expect(refused.join()).toContain("Failed to find a valid digest in the 'integrity' attribute");
  await other.close();
});

test('an example of an attribute sets it on the live element', async () => {
  for (const name of pressed('attributes')) {
    await press('attributes', name, async (at) => {
      const code = await page.locator(`[id="attributes-${name}"] button.example`).nth(at).textContent();
      if (/…|^no /.test(code ?? '')) return;
      const value = await page.locator('service-trips-map').getAttribute(name);
      expect(value === '' ? name : `${name}="${value}"`).toBe(code);
    });
  }
});

test('an example of an event makes it come', async () => {
  for (const name of pressed('events')) {
    await press('events', name, () => page.locator(`.events [data-event=${name}]`).first().waitFor());
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.waitForFunction(() => document.querySelector('service-trips-map')?.state === null);
  }
});

test('an example of a slot is seen in it', async () => {
  for (const name of pressed('slots')) {
    await press('slots', name, () => page.getByText(`Your content in the slot “${name}”`).waitFor());
  }
});

test('an example of a part shows it', async () => {
  for (const name of pressed('cssParts')) {
    await press('cssParts', name, (at) => sawPart(COMPONENT_EXAMPLES.cssParts[name]?.[at]?.part ?? ''));
  }
});

test('an example of a state puts the element into it', async () => {
  for (const name of pressed('cssStates')) {
    await press('cssStates', name, () => page.locator(`service-trips-map:state(${name})`).waitFor());
  }
});

test('an example of a custom property sets it', async () => {
  for (const name of pressed('cssProperties')) {
    await press('cssProperties', name, async (at) => {
      const value = await page
        .locator('service-trips-map')
        .evaluate((map, property) => getComputedStyle(map).getPropertyValue(property), name);
      expect(value).toBe(COMPONENT_EXAMPLES.cssProperties[name]?.[at]?.style?.[name]);
    });
  }
});

test('a provider of tokens brings the trips back', async () => {
  await press('members', 'tokenProvider', () => page.locator('.events [data-event=trip-render]').first().waitFor());
  await press('members', 'reverseGeocodeHandler', () => page.getByText('Example Street').waitFor());
});

test('the address shows to others what an example or written attributes have made of the element', async () => {
  const attributesOf = (other: Page) =>
    other
      .locator('service-trips-map')
      .evaluate((map) => Object.fromEntries([...map.attributes].map(({ name, value }) => [name, value])));
  const visit = async (address: string) => {
    const other = await browser.newPage();
    await other.goto(address);
    await other.locator('service-trips-map').waitFor();
    return other;
  };
  await page.locator('[data-id="attributes-theme-1"]').click();
  await page.waitForURL(/\?example=attributes-theme-1$/);
  const pressed = await visit(page.url());
  expect(await attributesOf(pressed)).toMatchObject({ theme: 'dark' });
  expect(await pressed.locator('[data-id="attributes-theme-1"]').getAttribute('aria-pressed')).toBe('true');
  await pressed.close();
  const input = page.getByRole('textbox', { name: 'Attributes' });
  expect(await input.inputValue()).toBe('theme="dark"');
  await input.fill('theme="dark" trip-list units="km"');
  await input.press('Enter');
  await page.waitForURL(/\?attributes=/);
  const written = await visit(page.url());
  expect(await attributesOf(written)).toMatchObject({ theme: 'dark', 'trip-list': '', units: 'km' });
  await written.close();
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.waitForURL(({ search }) => search === '');
});

test('an address does not choose where tokens are sent, nor what runs', async () => {
  const other = await browser.newPage();
  const elsewhere: string[] = [];
  other.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !/^(data|blob):/.test(request.url())) elsewhere.push(request.url());
  });
  const hostile =
    'service-url="https://elsewhere.example/" service-token="x" onclick="1" trip-list><img src=x onerror=alert(1)>';
  await other.goto(`${service.url}/docs/component?${new URLSearchParams({ attributes: hostile })}`);
  await other.getByText('Ignored: service-url, service-token, onclick').waitFor();
  const map = other.locator('service-trips-map');
  expect(await map.getAttribute('trip-list')).toBe('');
  expect([await map.getAttribute('service-url'), await map.getAttribute('onclick')]).toEqual([null, null]);
  await other.locator('[data-event=trip-render]').first().waitFor({ state: 'attached' });
  expect(elsewhere).toEqual([]);
  await other.close();
});

/** Widths and colors of screens; `npm test` looks at one page on one in three. */
const SCREENS = [320, 390, 1280].flatMap((width) => (['light', 'dark'] as const).map((colors) => ({ width, colors })));

test.each(
  runSize(
    SCREENS.filter((_, at) => [0, 3].includes(at)),
    SCREENS,
  ),
)('on a screen of $width pixels in $colors colors axe finds nothing, and nothing is wider', async (screen) => {
  const { width, colors } = screen;
  const all = ['', 'docs/component', `docs/component?${new URLSearchParams({ attributes: ALL_PANELS })}`];
  const paths = runSize([all[SCREENS.indexOf(screen) % all.length] ?? ''], all);
  for (const path of paths) {
    const other = await browser.newPage({
      viewport: { width, height: 800 },
      colorScheme: colors,
      reducedMotion: 'reduce',
    });
    await other.goto(`${service.url}/${path}`);
    await other.waitForFunction(() => (document.querySelector('service-trips-map')?.trips.length ?? 0) > 0);
    expect(await axeViolations(other), path).toEqual([]);
    expect(await other.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
    await other.close();
  }
});

test.each([
  ['without a demonstration', { host: 'localhost:8443' }, undefined, 'waybridge serve --demo'],
  ['for somebody elsewhere', { host: 'localhost:8443' }, '203.0.113.7', 'embed the element as above'],
])('%s the page says what to do, and runs no element', async (_, headers, remoteAddress, words) => {
  const config = {
    baseUrl: 'https://localhost:8443/api/v2',
    authUrl: 'https://localhost:8443',
    siteUrl: 'https://localhost:8443',
    graphqlUrl: 'https://localhost:8443/graphql',
    dataDir: folder,
    tlsCert: null,
    lan: null,
    mapboxAccessToken: null,
  };
  const { app } = await testHost([await siteEndpoint(testService, config, new Map(), async () => null)]);
  const request = { url: '/docs/component', headers, ...(remoteAddress ? { remoteAddress } : {}) };
  const { body, headers: answered } = await app.inject(request);
  expect(body).toContain(words);
  expect(body).not.toContain('umd.js"></script>\n</head>');
  const nonce = /script-src 'nonce-([\w-]+)'/.exec(String(answered['content-security-policy']))?.[1];
  const scripts = body.match(/<script\b[^>]*>/g) ?? [];
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.every((script) => script.includes(` nonce="${nonce}"`))).toBe(true);
  expect(body).toContain('trip-list');
});
