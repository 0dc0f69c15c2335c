import { readFile } from 'node:fs/promises';

import { afterEach, expect, test, vi } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { account, device, vehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';
import { administrator, looksGood, signIn, useConsole } from './console-page.ts';

useDatabase();
const site = useConsole({ trustedDocumentsOnly: true });
afterEach(() => {
  vi.useRealTimers();
});

/** Sends a position as Traccar Client does that took over the settings of a link. */
async function sendAsTraccarClient(link: string, speed = '0'): Promise<number> {
  const { searchParams } = new URL(link);
  const query = new URLSearchParams({
    ...{ id: searchParams.get('id') ?? '', timestamp: String(Math.floor(Date.now() / 1000)) },
    ...{ lat: '53.0758', lon: '8.8072', speed, bearing: '0', altitude: '5', accuracy: '6', batt: '80' },
  });
  const answer = await site.host.fetch(`${searchParams.get('url')}?${query}`, { method: 'GET' });
  return answer.status;
}

test('an administrator adds a vehicle, sees the dot turn green with its first position, and finds it in the list', async () => {
  const { key } = await account();
  const page = await site.open('/console', key);
  await page.getByText('No vehicles yet').waitFor();
  await looksGood(page, 'no-vehicles');
  await page.getByRole('link', { name: 'Add a vehicle' }).first().click();
  await page.getByLabel('Name of the vehicle').fill('Red van');
  await looksGood(page, 'add-vehicle');
  await page.getByRole('button', { name: 'Add the vehicle' }).click();
  await page.getByText('Waiting for the first position').waitFor();
  await page.getByRole('img', { name: 'QR code with the settings of Traccar Client' }).waitFor();
  await looksGood(page, 'pairing');
  const link = (await page.getByRole('link', { name: 'Open Traccar Client' }).getAttribute('href')) ?? '';
  expect(await sendAsTraccarClient(link)).toBe(200);
  await page.getByText('The first position has arrived.').waitFor();
  await looksGood(page, 'paired');
  await page.goto(`${site.host.issuer}/console`);
  await page.getByRole('link', { name: /Red van.*Standing/ }).waitFor();
  await page.locator('canvas').waitFor();
  await looksGood(page, 'vehicles');
  expect(await sendAsTraccarClient(link, '40')).toBe(200);
  await page.getByRole('link', { name: /Red van.*Driving/ }).waitFor();
  await page.getByText('Show as GraphQL / REST').click();
  await page.locator('.request').getByText(`'${site.host.issuer}/api/v2/vehicles?expand=devices'`).waitFor();
});

/** A vehicle that has driven today, with what its device sent in vain. */
async function drivenVehicle(account_key: string, now: number) {
  const vehicle_key = await vehicle(account_key);
  const { key: device_key } = await device(account_key, { vehicle_key, status: 'installed' });
  const { secret } = await issueIngestKey(testService, { account_key, device_key });
  const start = now - 40 * 60_000;
  const points = Array.from({ length: 60 }, (_, at) => ({
    point: { lat: 53.0758 + at * 0.0008, lon: 8.8072 + at * 0.0011 },
    timestamp: new Date(start + at * 10_000).toISOString(),
    speed: 25,
  }));
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const sent = await site.host.fetch(`${site.host.issuer}/api/v2/ingest`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ points }),
  });
  expect(sent.status).toBe(200);
  await site.host.fetch(`${site.host.issuer}/api/v2/ingest/osmand?id=${secret}&lat=0&lon=0&timestamp=1`, {
    method: 'GET',
  });
  return vehicle_key;
}

test('a vehicle has its days, the trips of one on the map, and a trip that is shared and saved as a file', async () => {
  // At noon, so that all of it is on one day.
  const now = new Date().setHours(12, 0, 0, 0);
  vi.useFakeTimers({ toFake: ['Date'], now });
  const { key } = await account();
  const vehicle_key = await drivenVehicle(key, now);
  const page = await site.open(`/console/vehicle?key=${vehicle_key}`, key, { now });
  await page.getByRole('heading', { name: 'Van' }).waitFor();
  await page.locator('service-trips-map [part=speeds]').waitFor();
  await page.getByText('The clock of the device is years behind').waitFor();
  await page.getByText('Cities: GeoNames, CC BY 4.0').waitFor();
  await looksGood(page, 'vehicle');
  await page.getByRole('table', { name: 'Trips of the day' }).getByRole('link').click();
  await page.locator('service-trips-map [part=speeds]').waitFor();
  await page.getByText('Cities: GeoNames, CC BY 4.0').waitFor();
  await looksGood(page, 'trip');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as GPX' }).click(),
  ]);
  expect(String(await readFile(await file.path()))).toMatch(/(?:<trkpt .*\n){60}/);
  await page.getByRole('link', { name: 'Share this trip' }).click();
  const form = page.getByRole('dialog', { name: 'Share' });
  await looksGood(page, 'share');
  await form.getByRole('button', { name: 'Share' }).click();
  expect(await page.locator('dialog .secret').textContent()).toContain('/s/');
});

test('a vehicle gets trips from a file, which is sent by its page, and a file that is none is explained', async () => {
  const { key } = await account();
  const page = await site.open('/console/add-vehicle', key);
  await page.getByLabel('Name of the vehicle').fill('Van');
  await page.getByRole('radio', { name: /^File/ }).check();
  await page.getByRole('button', { name: 'Add the vehicle' }).click();
  const file = page.getByLabel('File of recorded trips');
  await file.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no trips') });
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByRole('alert').getByText('This file type is not recognized.').waitFor();
  await looksGood(page, 'import-failed');
  await page.getByRole('link', { name: 'Open the vehicle' }).click();
  await page.getByText('Import a file').click();
  const positions = Array.from(
    { length: 30 },
    (_, at) =>
      `<trkpt lat="53.0${700 + at * 10}" lon="8.8"><time>2026-03-01T12:${String(at).padStart(2, '0')}:00Z</time></trkpt>`,
  );
  const gpx = `<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${positions.join('')}</trkseg></trk></gpx>`;
  await file.setInputFiles({ name: 'trips.gpx', mimeType: 'application/gpx+xml', buffer: Buffer.from(gpx) });
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByText('1 new trip, 30 positions.').waitFor();
  await page.getByRole('heading', { name: 'Sunday 1 March' }).waitFor();
  await looksGood(page, 'imported');
});

test('a file is imported for the user who is signed in by pages of the console alone', async () => {
  const { key } = await account();
  const vehicle_key = await drivenVehicle(key, Date.now());
  const page = await site.open('/console', key);
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const send = async (headers: Record<string, string>) => {
    const body = '{}';
    const url = `${site.host.issuer}/console/vehicle/${vehicle_key}/imports`;
    return (await site.host.fetch(url, { method: 'POST', headers: { cookie, ...headers }, body })).status;
  };
  expect(await send({ origin: site.host.issuer })).toBe(202);
  expect(await send({ origin: 'https://elsewhere.example' })).toBe(401);
  expect(await send({})).toBe(401);
  expect(await send({ origin: site.host.issuer, cookie: '' })).toBe(401);
});

test('a page is in the language of the reader, asks for the password again where it must, and then leads back', async () => {
  const { key } = await account();
  const page = await site.open('/console/add-vehicle', key, { locale: 'de-DE' });
  await page.getByLabel('Name des Fahrzeugs').fill('Roter Bus');
  await page.getByRole('radio', { name: /Traccar/ }).check();
  await page.getByLabel('Seriennummer').fill('A1');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
  await page.getByRole('button', { name: 'Fahrzeug hinzufügen' }).click();
  expect(await page.getByRole('alert').textContent()).toContain('Dafür brauchen wir Ihr Passwort');
  await page.getByRole('link', { name: 'Neu anmelden' }).click();
  await signIn(page, await administrator(key));
  await page.getByLabel('Name des Fahrzeugs').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/add-vehicle');
});
