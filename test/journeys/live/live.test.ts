import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { closePages, sharedBrowser, useTrustedKey } from '../../browser/browser.ts';
import { builtFile } from '../../browser/built-file.ts';
import { type HttpsClient, httpsClient } from '../../clients/https-client.ts';
import { demoFolder } from '../../services/demo-folder.ts';
import { closeServer, listenOnLoopback } from '../../hosts/loopback.ts';
import { testCertificate } from '../../hosts/test-host.ts';
import { type ServiceProcess, serveProcess } from '../../processes/waybridge-process.ts';
import { verify, type WebhookReceiver, webhookReceiver } from '../../hosts/webhook-receiver.ts';

type Json = Readonly<Record<string, unknown>>;

interface Keys {
  readonly api_key: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly access_token: string;
}

/** Positions of the drive, one each second, and those that arrive while no server is there. */
const COUNT = 12;
const KILLED_AT = 6;

let folder: string;
let keys: Keys;
let receiver: WebhookReceiver;
let service: ServiceProcess;
let client: HttpsClient;
let site: Server;
let origin: string;
let browser: Browser;
let vehicleKey: string;
let page = '';

beforeAll(async () => {
  [folder, receiver] = await Promise.all([demoFolder(), webhookReceiver()]);
  await useTrustedKey(folder);
  keys = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
  const authority = join(folder, 'receiver.pem');
  await writeFile(authority, receiver.ca);
  const networks = { WEBHOOK_NETWORKS: '127.0.0.0/8, ::1', NODE_EXTRA_CA_CERTS: authority };
  service = await serveProcess({ DATA_DIR: folder, LOG_LEVEL: 'error', ...networks }, '--no-demo');
  const ca = await readFile(join(folder, 'tls/ca.pem'), 'utf8');
  client = httpsClient(ca);
  const [certificate, component] = [await testCertificate(), await readFile(await builtFile('maplibre-gl'), 'utf8')];
  site = createServer(certificate, async ({ url = '/' }, response) => {
    const send = (type: string, text: string) => response.writeHead(200, { 'content-type': type }).end(text);
    if (url === '/component.js') return send('text/javascript', component);
    if (url === '/style.json') return send('application/json', await readFile(LOCAL_STYLE, 'utf8'));
    if (url === '/token') return send('text/plain', await tripToken());
    return send('text/html', page);
  });
  origin = `https://localhost:${await listenOnLoopback(site)}`;
  browser = await sharedBrowser();
});
afterAll(async () => {
  if (browser) await closePages(browser);
  await service?.end();
  if (site) await closeServer(site);
  await receiver?.close();
  await rm(folder, { recursive: true, force: true });
});

const LOCAL_STYLE = new URL('../../../element/local-style.json', import.meta.url);

async function request(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, bearer?: string): Promise<Json> {
  const credentials = bearer ? { authorization: `Bearer ${bearer}` } : { 'service-api-key': keys.api_key };
  const headers = { ...credentials, 'content-type': 'application/json' };
  const answer = await client(`${service.url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  expect([200, 201], `${path}: ${answer.text}`).toContain(answer.status);
  return answer.text === '' ? {} : JSON.parse(answer.text);
}

/** A special-purpose token, as the server of the page requests it. */
async function tripToken(): Promise<string> {
  const { client_id, client_secret } = keys;
  const claims = {
    sub: `vehicle:${vehicleKey}`,
    aud: origin,
    roles: 'service://<service-trips-map />',
    scope: 'loc-past',
  };
  const body = { client_id, client_secret, ...claims };
  return String((await request('POST', '/api/special-purpose/v1/token', body, keys.access_token)).token);
}

/** Waits until a page has come to be as a script says. */
const becomes = (page: Page, script: string) =>
  expect.poll(() => page.evaluate(script).catch(String), { message: script }).toBe(true);

/** A script that says whether the marker of a page's map is at a position. */
const isAt = ({ lat, lon }: { readonly lat: number; readonly lon: number }) => `(() => {
  const element = document.querySelector('service-trips-map');
  const marker = element?.shadowRoot.querySelector('.live-vehicle')?.getBoundingClientRect();
  const around = element?.map?.getContainer().getBoundingClientRect();
  if (!marker || !around) return false;
  const { lng, lat } = element.map.unproject([marker.x + marker.width / 2 - around.x, marker.y + marker.height / 2 - around.y]);
  return Math.hypot(lng - ${lon}, lat - ${lat}) < 0.0002;
})()`;

test('a drive is seen as it happens: on a map elsewhere, by a link on a phone, and by a webhook, also across a kill', async () => {
  const vehicle = await request('POST', '/api/v2/vehicles', { nickname: 'Van 12' });
  vehicleKey = String(vehicle.key);
  const device = await request('POST', '/api/v2/devices', { serial: 'LIVE-1', vehicle_key: vehicleKey });
  const issue = `mutation { issueDeviceKey(device_key: "${device.key}") { device_key_secret } }`;
  const { data } = (await request('POST', '/graphql', { query: issue })) as {
    data: Record<string, { device_key_secret: string }>;
  };
  const secret = data.issueDeviceKey?.device_key_secret ?? '';
  const hook = await request('POST', '/api/v2/webhooks', { url: receiver.url, events: ['trip_start', 'trip_end'] });
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const share = await request('POST', '/api/v2/shares', { vehicle_key: vehicleKey, expires });

  const began = Date.now();
  const pointAt = (number: number) => ({ lat: 43.77 + number * 0.0005, lon: 11.25 + number * 0.001 });
  const drive = (number: number, ...events: string[]) => {
    const timestamp = new Date(began + number * 1000).toISOString();
    const points = [{ point: pointAt(number), timestamp, heading: 55, speed: 12, events }];
    return request('POST', '/api/v2/ingest', { points }, secret);
  };
  await drive(1, 'engine_start');
  await drive(2);

  page = `<!doctype html><meta charset="utf-8"><title>Elsewhere</title>
    <service-trips-map live vehicle-key="${vehicleKey}" service-url="${service.url}/graphql" map-style="/style.json"></service-trips-map>
    <script>
      seen = [];
      for (const type of ['live-connected', 'live-disconnected', 'auth-error', 'api-error', 'error'])
        addEventListener(type, ({ detail }) => seen.push(type));
      document.querySelector('service-trips-map').tokenProvider = async () => (await fetch('/token')).text();
    </script><script type="module" src="/component.js"></script>`;
  const map = await browser.newPage({ viewport: { width: 1000, height: 600 } });
  await map.goto(origin);
  await becomes(map, isAt(pointAt(2)));
  const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true });
  await phone.goto(String(share.url));
  await becomes(phone, "document.querySelector('service-trips-map')?.trips.length === 1");
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390);

  for (let number = 3; number <= KILLED_AT; number++) await drive(number);
  await becomes(map, isAt(pointAt(KILLED_AT)));
  const { child } = service;
  await service.end('SIGKILL');
  expect(child.signalCode).toBe('SIGKILL');
  await becomes(map, "seen.includes('live-disconnected')");
  await expect(drive(KILLED_AT + 1)).rejects.toThrow();
  service = await serveProcess(service.settings, '--no-demo');
  for (let number = KILLED_AT + 1; number < COUNT; number++) await drive(number);
  await drive(COUNT, 'engine_stop');
  await becomes(map, isAt(pointAt(COUNT)));
  await becomes(
    map,
    `document.querySelector('service-trips-map').trips[0].path.at(-1)[0] > ${pointAt(COUNT).lon - 0.0001}`,
  );
  expect(await map.evaluate("seen.filter((type) => type !== 'live-disconnected')")).toEqual([
    'live-connected',
    'live-connected',
  ]);
  await becomes(phone, `document.querySelector('service-trips-map').trips[0]?.durationSeconds >= ${COUNT - 1}`);

  const { trips } = (await request('GET', `/api/v2/trips?vehicle_key=${vehicleKey}`)) as { trips: { key: string }[] };
  expect(trips).toHaveLength(1);
  const { geometry } = await request('GET', `/api/v2/trip/${trips[0]?.key}.geojson`);
  expect((geometry as { coordinates: number[][] }).coordinates).toHaveLength(COUNT);
  await expect.poll(() => new Set(receiver.received.map(({ body }) => body.key)).size).toBe(2);
  for (const received of receiver.received) verify(String(hook.secret), received);
  // Twice only around the kill, with the same id, and before the next.
  const arrivals = receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body.event}`);
  const inTurn = arrivals.filter((arrival, at) => arrival !== arrivals[at - 1]);
  expect(inTurn.map((arrival) => arrival.split(' ').at(-1))).toEqual(['trip_start', 'trip_end']);

  await request('DELETE', `/api/v2/share/${share.key}`);
  await phone.waitForSelector('.share-ended');
  expect(await phone.locator('service-trips-map').count()).toBe(0);
});
