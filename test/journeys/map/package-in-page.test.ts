import { mkdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { type FakeMapProvider, startFakeMapProvider } from '../../services/fake-map-provider.ts';
import { closeServer, listenOnLoopback } from '../../services/loopback.ts';
import { at, runNode } from '../../browser/built-file.ts';
import { Consumer } from '../../browser/built-package.ts';
import { LINE, TOKEN } from '../../browser/element-page.ts';
import { type FakeTripsService, pageOf, startFakeTripsService, wireTrip } from '../../browser/fake-trips-service.ts';

/** A site of somebody who bundles the package, and the requests of a browser. */
let site: Server;
let address: string;
const requests: string[] = [];
let consumer: Consumer;
let service: FakeTripsService;
let provider: FakeMapProvider;
let browser: Browser;

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

beforeAll(async () => {
  [consumer, service, provider, browser] = await Promise.all([
    Consumer.create(),
    startFakeTripsService(),
    startFakeMapProvider(),
    sharedBrowser(),
  ]);
  service.respond = () => pageOf([wireTrip('trip-1', LINE)]);
  await mkdir(join(consumer.folder, 'public'));
  await consumer.write(
    'index.html',
    '<!doctype html><html lang="en"><script type="module" src="/page.js"></script></html>',
  );
  await consumer.write('page.js', "import 'service-web-components/maplibre';");
  await consumer.write('public/style.json', await readFile(at('element/local-style.json'), 'utf8'));
  await runNode(at('node_modules/vite/bin/vite.js'), 'build', consumer.folder, '--logLevel', 'error');
  site = createServer(async ({ url = '/' }, response) => {
    requests.push(url);
    const path = join(consumer.folder, 'dist', url === '/' ? 'index.html' : url);
    const body = await readFile(path).catch(() => null);
    response.writeHead(body ? 200 : 404, { 'content-type': TYPES[extname(path)] ?? 'application/json' }).end(body);
  });
  address = `http://127.0.0.1:${await listenOnLoopback(site)}/`;
}, 120_000);

afterAll(async () => {
  await closePages(browser);
  await Promise.all([service.close(), provider.close(), closeServer(site), consumer.remove()]);
});

/** Opens the site with an element, and waits until its trips are shown. */
async function show(attributes: Readonly<Record<string, string>>): Promise<Page> {
  const page = await browser.newPage();
  requests.length = 0;
  await page.goto(address);
  await page.evaluate(
    async (values) => {
      const element = document.createElement('service-trips-map');
      for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
      const shown = new Promise((resolve, reject) => {
        element.addEventListener('trip-render', resolve, { once: true });
        element.addEventListener('error', ({ detail }) => reject(detail), { once: true });
      });
      document.body.append(element);
      await shown;
    },
    { 'service-url': service.url, 'service-token': TOKEN, 'vehicle-key': 'vehicle-1', ...attributes },
  );
  return page;
}

const requestedEngine = (): boolean => requests.some((path) => /(mapbox|maplibre)-gl.*\.js$/.test(path));

test('the bundled package draws the trips, with an engine that the first interactive map has asked for', async () => {
  const page = await show({ 'map-style': '/style.json' });
  expect(requestedEngine()).toBe(true);
  const drawn = await page.evaluate(() => {
    const map = document.querySelector('service-trips-map')?.map;
    if (!map || !('queryRenderedFeatures' in map)) throw new Error('No map');
    return map.queryRenderedFeatures({ layers: ['service-trips-line'] }).length;
  });
  expect(drawn).toBeGreaterThan(0);
  await page.close();
});

test('a page with a static map never asks for an engine', async () => {
  const still = { 'map-type': 'static', 'map-provider-url': provider.url, 'map-provider-access-token': 'pk.test' };
  const page = await show(still);
  expect(provider.requests.some((path) => path.startsWith('/styles/'))).toBe(true);
  expect(requestedEngine()).toBe(false);
  await page.close();
});
