import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { TRIP_TOKEN_ROLES } from '../../auth/trip-token.ts';
import { closePages, sharedBrowser, useTrustedKey } from '../browser/browser.ts';
import { httpsClient, jsonOf } from '../clients/https-client.ts';
import { listenOnLoopback } from '../hosts/loopback.ts';
import { askCommand } from '../processes/run-command.ts';
import { type ServiceProcess, serveProcess } from '../processes/waybridge-process.ts';
import { testCertificate } from '../hosts/test-host.ts';

const RECORDINGS = join(import.meta.dirname, '../../../shared/data/trips');
const OWN = join(import.meta.dirname, '../data/over-midnight.gpx');
const recording = join(RECORDINGS, '01-munich-city-motorway-1s.gpx');
/** A real recording where it is at hand; a clone alone has the one made for the tests. */
const GPX = existsSync(recording) ? recording : OWN;

let folder: string;
let service: ServiceProcess;
let ask: ReturnType<typeof httpsClient>;
let browser: Browser;
let embedder: Server;
let origin: string;
let page: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-walk-'));
  await useTrustedKey(folder);
  service = await serveProcess({ DATA_DIR: folder, LOG_LEVEL: 'error' }, '--no-demo');
  ask = httpsClient(await readFile(join(folder, 'tls/ca.pem'), 'utf8'));
  const certificate = await testCertificate();
  browser = await sharedBrowser();
  const { text: component } = await ask(`${service.url}/service-web-components.maplibre.umd.js`);
  embedder = createServer(certificate, (asked, response) => {
    const isScript = asked.url === '/service-web-components.maplibre.umd.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? component : page);
  });
  origin = `https://localhost:${await listenOnLoopback(embedder)}`;
});
afterAll(async () => {
  if (browser) await closePages(browser);
  embedder?.close();
  await service?.end();
  await rm(folder, { recursive: true });
});

test('a recorded trip is drawn on the page of an embedder, where it was recorded', async () => {
  const run = (...args: string[]) => askCommand(args, service.settings);
  const { key: account_key, owner_key, api_key } = await run('account', 'add', '--nickname', 'Bakery');
  const account = String(account_key);
  const { key: vehicle_key } = await run('vehicle', 'add', '--account', account, '--nickname', 'Van');
  await run('device', 'add', '--account', account, '--serial', 'SN-1', '--vehicle', String(vehicle_key));
  const { trips } = await run('trips', 'import', GPX, '--vehicle', String(vehicle_key));
  // It drives from its second position on.
  const recorded = (await positionsOf(GPX)).slice(1);
  expect(trips).toMatchObject([{ vehicle_key, points: recorded.length, created: true }]);

  const headers = { 'service-api-key': String(api_key) };
  const devices = jsonOf(await ask(`${service.url}/api/v2/devices`, { headers }));
  expect(devices).toMatchObject({ devices: [{ serial: 'SN-1', vehicle_key }] });

  const app = await run('app', 'add', '--account', account, '--name', 'Map', '--redirect-uri', `${origin}/back`);
  const { access_token } = await run(
    'oauth-token',
    'issue',
    '--app',
    String(app.client_id),
    '--user',
    String(owner_key),
  );
  const { token } = jsonOf(
    await ask(`${service.url}/api/special-purpose/v1/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${access_token}` },
      body: JSON.stringify({
        client_id: app.client_id,
        client_secret: app.client_secret,
        sub: `vehicle:${vehicle_key}`,
        aud: origin,
        roles: TRIP_TOKEN_ROLES,
        scope: 'loc-past',
      }),
    }),
  );

  page = `<!doctype html><title>Our van</title>
    <script>
      addEventListener('trip-render', ({ target, detail }) => {
        const source = detail.getSource('service-trips');
        globalThis.drawn = source.serialize().data;
        globalThis.rendered = true;
      });
      globalThis.failures = [];
      for (const name of ['error', 'api-error', 'auth-error']) {
        addEventListener(name, (event) => globalThis.failures.push(name + ': ' + (event.detail?.message ?? event.message)));
      }
    </script>
    <script type="module" src="/service-web-components.maplibre.umd.js"></script>
    <style>body { margin: 0 } service-trips-map { display: block; height: 100vh }</style>
    <service-trips-map service-token="${token}" vehicle-key="${vehicle_key}">
    </service-trips-map>`;
  const tab = await browser.newPage({ viewport: { width: 900, height: 600 } });
  await tab.goto(origin);
  await tab.waitForFunction('globalThis.rendered || globalThis.failures.length > 0');
  expect(await tab.evaluate('globalThis.failures')).toEqual([]);

  const drawn = (await tab.evaluate('globalThis.drawn')) as DrawnLines;
  const line = drawn.features.flatMap(({ geometry }) => geometry.coordinates);
  expect(line.length).toBeGreaterThan(1);
  const nearest = ([lon = 0, lat = 0]: number[]) =>
    Math.min(...recorded.map(([recordedLon, recordedLat]) => Math.hypot(recordedLon - lon, recordedLat - lat)));
  expect(Math.max(...line.map(nearest))).toBeLessThan(0.00002);
  expect(line.at(0)).toEqual(recorded.at(0)?.map((degrees) => expect.closeTo(degrees, 4)));
  expect(line.at(-1)).toEqual(recorded.at(-1)?.map((degrees) => expect.closeTo(degrees, 4)));
  expect(boundsOf(line)).toEqual(boundsOf(recorded).map((edge) => expect.closeTo(edge, 3)));

  expect(colorsOf(await tab.screenshot())).toBeGreaterThan(20);
});

/** The part of GeoJSON that the map's source is read for. */
interface DrawnLines {
  readonly features: readonly { readonly geometry: { readonly coordinates: number[][] } }[];
}

/** Longitude and latitude of each point of a GPX file, read without our own reader. */
async function positionsOf(file: string): Promise<[number, number][]> {
  const points = (await readFile(file, 'utf8')).matchAll(/<trkpt lat="([^"]+)" lon="([^"]+)"/g);
  return [...points].map(([, lat, lon]) => [Number(lon), Number(lat)]);
}

/** West, south, east and north of positions. */
function boundsOf(positions: readonly (readonly number[])[]): number[] {
  const [lons, lats] = [0, 1].map((axis) => positions.map((position) => position[axis] ?? 0)) as [number[], number[]];
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}

/** Counts the different byte pairs of an image, in units of 256: a blank one, compressed, has hardly any. */
function colorsOf(png: Buffer): number {
  return new Set(Array.from({ length: png.length >> 1 }, (_, at) => png.readUInt16BE(at * 2))).size / 256;
}
