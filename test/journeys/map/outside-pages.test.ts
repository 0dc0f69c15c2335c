import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { LINE, TOKEN } from '../../browser/element-site.ts';
import { type FakeTripsService, pageOf, startFakeTripsService, wireTrip } from '../../browser/fake-trips-service.ts';
import { OUTSIDE_PAGES, OutsidePages } from '../../browser/outside-pages.ts';
import { type FakeMapProvider, startFakeMapProvider } from '../../hosts/fake-map-provider.ts';

let pages: OutsidePages;
let service: FakeTripsService;
let provider: FakeMapProvider;
let browser: Browser;

beforeAll(async () => {
  [service, provider, browser] = await Promise.all([startFakeTripsService(), startFakeMapProvider(), sharedBrowser()]);
  service.respond = () => pageOf([wireTrip('trip-1', LINE)]);
  pages = await OutsidePages.start(service.url, TOKEN);
  // As somebody who builds does: a test's NODE_ENV would make development builds.
  vi.stubEnv('NODE_ENV', 'production');
  await pages.bundle();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await closePages(browser);
  await Promise.all([service?.close(), provider?.close(), pages?.close()]);
});

test('the package has the files that its package.json names, and no sources', async () => {
  const { paths } = pages.packed;
  const beside = ['CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.txt', 'package.json'];
  expect(paths.filter((path) => !path.startsWith('dist/')).sort()).toEqual(beside);
  const manifest = await readFile(join(pages.folder, 'node_modules/service-web-components/package.json'), 'utf8');
  const named = [...manifest.matchAll(/"\.\/(dist\/[^"*]+)"/g)].map(([, path]) => path);
  expect(named.length).toBeGreaterThan(10);
  expect(paths).toEqual(expect.arrayContaining(named));
  expect(paths.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([]);
});

test.each(['service-web-components', 'service-web-components/maplibre'])(
  'on a server %s can be imported and rendered, and brings no document',
  async (entry) => {
    const seen = await pages.run(`
      const complaints = [];
      console.warn = console.error = (text) => complaints.push(text);
      const before = Object.getOwnPropertyNames(globalThis);
      const { ServiceTripsMap } = await import('${entry}');
      const isRendered = new ServiceTripsMap().render().strings.join('').includes('region');
      const added = Object.getOwnPropertyNames(globalThis).filter((name) => !before.includes(name) && !/^(lit|reactiveElement)/.test(name));
      console.log(JSON.stringify({ isRendered, complaints, added }));`);
    // Lit's registry stands in for that of a browser.
    expect(JSON.parse(seen)).toEqual({ isRendered: true, complaints: [], added: ['customElements'] });
  },
);

/** Opens a page, whose complaints are thrown. */
async function open(path: string): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  const complaints: string[] = [];
  const page = await browser.newPage();
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  pages.requests.length = 0;
  service.calls.length = 0;
  await page.goto(pages.address + path);
  return { page, complaints };
}

test.each(Object.entries(OUTSIDE_PAGES))(
  'the example with %s shows the trips of the packed element',
  async (_, path) => {
    const { page, complaints } = await open(path);
    await page
      .getByText('Trips: 1')
      .waitFor()
      .catch((error: Error) => {
        throw new Error(`${error.message}\n${complaints.join('\n')}`);
      });
    const drawn = await page.evaluate(() => {
      const map = document.querySelector('service-trips-map')?.map;
      return map && 'queryRenderedFeatures' in map
        ? map.queryRenderedFeatures({ layers: ['service-trips-line'] }).length
        : 0;
    });
    expect(drawn).toBeGreaterThan(0);
    const engines = pages.requests.filter((path) => /maplibre-gl.*\.js$/.test(path));
    if (path.startsWith('dist/')) expect(engines).toHaveLength(1);
    expect(service.calls).toMatchObject([
      { authorization: `Bearer ${TOKEN}`, variables: { vehicle_key: 'VEHICLE_KEY' } },
    ]);
    expect(complaints).toEqual([]);
    await page.close();
  },
);

/** Errors in the types of the engine itself, which are checked too. */
const ENGINES_OWN = /^\S*node_modules\/@?(maplibre|mapbox)/;

test('the examples compile where the types of packages are checked as well', async () => {
  expect((await pages.compile()).filter((line) => !ENGINES_OWN.test(line))).toEqual([]);
});

test('a bundled page with a static map never loads an engine', async () => {
  const { page, complaints } = await open('dist/bare.html');
  const attributes = { 'service-url': service.url, 'service-token': TOKEN, 'vehicle-key': 'vehicle-1' };
  const still = { 'map-type': 'static', 'map-provider-url': provider.url, 'map-provider-access-token': 'pk.test' };
  await page.evaluate(
    async (values) => {
      const element = document.createElement('service-trips-map');
      for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
      const shown = new Promise((resolve) => element.addEventListener('trip-render', resolve, { once: true }));
      document.body.append(element);
      await shown;
    },
    { ...attributes, ...still },
  );
  expect(provider.requests.some((path) => path.startsWith('/styles/'))).toBe(true);
  expect(pages.requests.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(0);
  expect(pages.requests.filter((path) => /maplibre-gl.*\.js$/.test(path))).toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
});
