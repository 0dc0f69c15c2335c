import type { Locator, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';

import { account, group } from '../../services/account-fixture.ts';
import { useDatabase } from '../../services/database.ts';
import { administrator, looksGood, signIn, useConsole } from './console-page.ts';

useDatabase();
const site = useConsole();

const PAGES = ['places', 'rules', 'sharing', 'people', 'groups', 'keys', 'devices', 'webhooks', 'changes', 'settings'];

let fleet: Awaited<ReturnType<typeof account>>;
let page: Page;

/** Opens a page of the console of a new account with a vehicle and its device. */
async function open(path: string, prepare?: (accountKey: string) => Promise<unknown>, locale?: string): Promise<void> {
  fleet = await account();
  await api('mutation { pairVehicle(input: { nickname: "Red van", serial: "WB-0042" }) { vehicle_key } }');
  await prepare?.(fleet.key);
  page = await site.open(path, fleet.key, { locale });
  await page.waitForURL(`${site.host.issuer}${path}`);
}

/** Answer of GraphQL to the account's API key, or to another one; the code if it is an error. */
async function api(query: string, key = fleet.api_key): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'service-api-key': key };
  const body = JSON.stringify({ query });
  const answer = await site.host.fetch(`${site.host.issuer}/graphql`, { method: 'POST', headers, body });
  const { data, errors } = JSON.parse(await answer.text());
  return errors ? errors[0].extensions.code : data;
}

const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (name: string): Locator => page.getByRole('dialog', { name, exact: true });

const field = (name: string): Locator => page.getByLabel(name, { exact: true });

/** Presses a button of a dialog. */
const send = (title: string, name = title): Promise<void> =>
  dialog(title).getByRole('button', { name, exact: true }).click();

/** Presses an action of a row, which may be in its menu. */
async function act(label: string, name: string): Promise<void> {
  const direct = button(`${label}: ${name}`);
  const more = field(`More actions: ${name}`);
  await direct.or(more).first().waitFor();
  if (await direct.isVisible()) return direct.click();
  await more.click();
  await page.getByRole('listitem').getByRole('button', { name: label, exact: true }).click();
}

afterEach(() => page?.close());

test('places: one is written by its coordinates, another is drawn, and a privacy zone shows what others see', async () => {
  await open('/console/places');
  await page.getByText('No places yet').waitFor();
  await button('Enter coordinates').click();
  await field('Name').fill('Depot');
  await page.getByLabel('Latitude').fill('53.0758');
  await page.getByLabel('Longitude').fill('8.8072');
  await send('Add the place');
  await button('Depot').waitFor();
  expect(await api('{ places { nodes { name radius point { lat lon } } } }')).toEqual({
    places: { nodes: [{ name: 'Depot', radius: 150, point: { lat: 53.0758, lon: 8.8072 } }] },
  });
  await button('Draw a circle').click();
  await page.getByText('Click where the center is').waitFor();
  const canvas = page.locator('.area-map canvas');
  await canvas.click({ position: { x: 200, y: 120 } });
  await canvas.hover({ position: { x: 240, y: 120 } });
  await canvas.click({ position: { x: 240, y: 120 } });
  await field('Name').fill('Drawn');
  await send('Add the place');
  await button('Drawn').waitFor();
  await button('Add a privacy zone').click();
  await page.getByLabel('Latitude').fill('53.08');
  await page.getByLabel('Longitude').fill('8.81');
  await page.getByLabel('What others see of trips that enter it').selectOption('hide');
  await page.getByRole('img', { name: 'Others do not see the trip' }).waitFor();
  await looksGood(page, 'zone-form');
  await send('Add a privacy zone');
  await page.getByText('Nothing of the whole trip').waitFor();
  expect(await api('{ privacyZones { nodes { trips radius_meters } } }')).toEqual({
    privacyZones: { nodes: [{ trips: 'hide', radius_meters: 150 }] },
  });
  await looksGood(page, 'places');
});

test('rules: one is made for a vehicle', async () => {
  await open('/console/rules');
  await button('Add a rule').click();
  await field('Name').fill('Too fast');
  await field('Make an event when').selectOption('silence');
  await field('Silent for (minutes)').waitFor();
  await field('Make an event when').selectOption('speed');
  await field('Speed limit (mph)').fill('75');
  await page.getByLabel('Red van').check();
  await looksGood(page, 'rule-form');
  await send('Add a rule');
  await page.getByText('Faster than 75 mph').waitFor();
  expect(await api('{ rules { nodes { name speed_limit } } }')).toEqual({
    rules: { nodes: [{ name: 'Too fast', speed_limit: 75 }] },
  });
  await looksGood(page, 'rules');
});

test('sharing: a vehicle is shared and embedded, its link is shown once with a code to scan, and revoked', async () => {
  await open('/console/sharing');
  await button('Share').click();
  await page.getByText('Map in a website').click();
  await page.getByLabel('Addresses of the websites').fill('http://shop.example');
  await page.getByLabel('The map follows the vehicle').check();
  await looksGood(page, 'share-form');
  await send('Share');
  await dialog('Share')
    .getByText(/embed_origins/)
    .waitFor();
  await page.getByLabel('Addresses of the websites').fill('shop.example\nhttps://other.example');
  await send('Share');
  await dialog('Link').getByRole('img', { name: 'QR code of the link' }).waitFor();
  const [link, frame] = await dialog('Link').locator('code').allTextContents();
  expect(link).toMatch(/\/s\/[\w-]+$/);
  expect(frame).toMatch(/^<iframe src="https:[^"]*\/s\/[\w-]+\/embed" /);
  await dialog('Link').getByRole('button', { name: 'Copy link' }).waitFor();
  await looksGood(page, 'share-link');
  await send('Link', 'Done');
  await page.getByRole('link', { name: 'Red van' }).waitFor();
  await page.getByText('other.example: Never').waitFor();
  const embeddings = [{ origin: 'https://shop.example' }, { origin: 'https://other.example' }];
  expect(await api('{ shares { nodes { opened_count ends_with_trip embeds_live embeddings { origin } } } }')).toEqual({
    shares: { nodes: [{ opened_count: 0, ends_with_trip: false, embeds_live: true, embeddings }] },
  });
  await looksGood(page, 'sharing');
  await act('Revoke', 'Red van');
  await send('Revoke');
  await page.getByText('Nothing is shared.').waitFor();
  expect(await api('{ shares { nodes { key } } }')).toEqual({ shares: { nodes: [] } });
});

test('people: somebody is invited to a group, changed, removed and restored', async () => {
  await open('/console/people', (key) => group(key, 'Night shift'));
  await button('Invite').click();
  await page.getByLabel('First name').fill('Grace');
  await page.getByLabel('E-mail address').fill('grace@bakery.example');
  await page.getByLabel('Role').selectOption('driver');
  await page.getByLabel('Night shift').check();
  await looksGood(page, 'invitation-form');
  await send('Invite');
  expect(await dialog('Invitation').locator('code').textContent()).toContain(site.host.issuer);
  await send('Invitation', 'Done');
  await page.getByText('grace@bakery.example').waitFor();
  const found = '{ users { nodes { first_name account_role groups { name } } } }';
  expect(JSON.stringify(await api(found))).toContain(
    '{"first_name":"Grace","account_role":"driver","groups":[{"name":"Night shift"}]}',
  );
  await act('Remove', 'Grace');
  await send('Remove: Grace', 'Remove');
  await page.getByText('Grace has been removed.').waitFor();
  expect(JSON.stringify(await api(found))).not.toContain('Grace');
  expect(await page.getByText('Done', { exact: true }).count()).toBe(0);
  await looksGood(page, 'people');
  await button('Restore').click();
  await page.getByText('grace@bakery.example').waitFor();
});

test('groups: one is made, a vehicle becomes its member, and it is shared', async () => {
  await open('/console/groups');
  await button('Add a group').click();
  await field('Name').fill('Bremen');
  await send('Add a group');
  await act('Vehicles', 'Bremen');
  await page.getByLabel('Red van').check();
  await send('Bremen', 'Save');
  await page.getByText('1 vehicle, 0 people').waitFor();
  expect(await api('{ groups { name member_counts { car } } }')).toEqual({
    groups: [{ name: 'Bremen', member_counts: { car: 1 } }],
  });
  await looksGood(page, 'groups');
  await page.goto(page.url().replace('/groups', '/sharing'));
  await button('Share').click();
  await field('Shows').selectOption({ label: 'Group: Bremen' });
  await looksGood(page, 'share-group');
  await send('Share');
  await send('Link', 'Done');
  await page.getByRole('link', { name: 'Bremen' }).waitFor();
  const { groups } = (await api('{ groups { key } }')) as { groups: [{ key: string }] };
  expect(await api('{ shares { nodes { vehicle_key group_key } } }')).toEqual({
    shares: { nodes: [{ vehicle_key: null, group_key: groups[0].key }] },
  });
  await act('Revoke', 'Bremen');
  await send('Revoke');
  await page.getByText('Nothing is shared.').waitFor();
});

test('keys: an API key is issued, works, and is rejected when it is revoked; others are issued too', async () => {
  await open('/console/keys');
  await button('Issue a key').first().click();
  await field('Name').fill('Planner');
  await send('Issue a key: API keys', 'Issue a key');
  const key = (await dialog('API keys').locator('code').textContent()) ?? '';
  await looksGood(page, 'key');
  await send('API keys', 'Done');
  expect(await api('{ account { nickname } }', key)).toEqual({ account: { nickname: 'Bakery' } });
  await act('Revoke', 'Planner');
  await send('Revoke');
  await page.getByText('Revoked', { exact: true }).waitFor();
  expect(await api('{ account { nickname } }', key)).toBe('UNAUTHENTICATED');
  for (const kind of ['Forwarder keys', 'Device keys']) {
    await page.getByRole('region', { name: kind }).getByRole('button', { name: 'Issue a key' }).click();
    await field('Name').fill(kind);
    await send(`Issue a key: ${kind}`, 'Issue a key');
    await send(kind, 'Done');
    await page.getByRole('cell', { name: kind, exact: true }).waitFor();
  }
  expect(await api('{ forwarderKeys { nodes { name } } }')).toEqual({
    forwarderKeys: { nodes: [{ name: 'Forwarder keys' }] },
  });
  await looksGood(page, 'keys');
});

test('devices: one is added, its trip detection changed, and it is removed', async () => {
  await open('/console/devices');
  await button('Add a device').click();
  await page.getByLabel('Serial number').fill('WB-0043');
  await send('Add a device');
  await act('Trip detection', 'WB-0043');
  await page.getByLabel('Standing ends a trip (seconds)').fill('420');
  await looksGood(page, 'trip-detection');
  await send('Trip detection: WB-0043', 'Save');
  await dialog('Trip detection: WB-0043').waitFor({ state: 'detached' });
  expect(await api('{ devices(q: "WB-0043") { nodes { trip_settings { stop_seconds gap_seconds } } } }')).toEqual({
    devices: { nodes: [{ trip_settings: { stop_seconds: 420, gap_seconds: null } }] },
  });
  await looksGood(page, 'devices');
  await act('Remove', 'WB-0043');
  await send('Remove: WB-0043', 'Remove');
  await page.getByText('WB-0043 has been removed.').waitFor();
  expect(await api('{ devices { nodes { serial } } }')).toEqual({ devices: { nodes: [{ serial: 'WB-0042' }] } });
});

test('webhooks: one is made, its secret is shown once, a test is posted and its deliveries are listed', async () => {
  await open('/console/webhooks');
  await button('Add a webhook').click();
  await field('Address').fill('https://bakery.example/events');
  await looksGood(page, 'webhook-form');
  await send('Add a webhook');
  expect(await dialog('Secret of the webhook').locator('code').textContent()).toMatch(/^whsec_[\w+/]{20}/);
  await send('Secret of the webhook', 'Done');
  await page.getByText('Trip ended, Trip started').waitFor();
  expect(await api('{ webhooks { nodes { url events status } } }')).toEqual({
    webhooks: {
      nodes: [{ url: 'https://bakery.example/events', events: ['trip_end', 'trip_start'], status: 'active' }],
    },
  });
  await act('Deliveries', 'https://bakery.example/events');
  await page.getByText('Nothing has been sent yet.').waitFor();
  await looksGood(page, 'webhooks');
});

test('changes: the security log names who did what, and changes appear while the page is open', async () => {
  await open('/console/changes');
  await page.getByText('Nothing has changed since.').waitFor();
  await page.getByText('Signed in').first().waitFor();
  await page.waitForFunction(() => localStorage.getItem('console-changes-seen'));
  await api('mutation { createPlace(input: { name: "Depot", radius: 100, point: { lat: 53, lon: 8 } }) { key } }');
  await page.getByRole('cell', { name: 'Depot' }).waitFor();
  await looksGood(page, 'changes');
  await button('Mark as seen').click();
  await page.getByText('Nothing has changed since.').waitFor();
});

test('changes: what was deleted is listed, and restored', async () => {
  await open('/console/changes');
  await page.waitForFunction(() => localStorage.getItem('console-changes-seen'));
  const { vehicles } = (await api('{ vehicles { nodes { key } } }')) as { vehicles: { nodes: { key: string }[] } };
  await api(`mutation { deleteVehicle(key: "${vehicles.nodes[0]?.key}") { key } }`);
  await page.reload();
  const changed = page.getByRole('region', { name: 'Records that changed' });
  await changed.getByRole('cell', { name: 'Red van' }).first().waitFor();
  await looksGood(page, 'deleted');
  await button('Restore: Red van').click();
  await button('Restore: Red van').waitFor({ state: 'detached' });
  expect(JSON.stringify(await api('{ vehicles { nodes { nickname } } }'))).toContain('Red van');
});

test('settings: the business is renamed, positions are kept for a time, and a tag is put on a vehicle', async () => {
  await open('/console/settings');
  await field('Name').fill('Corner bakery');
  await button('Save').first().click();
  await page.getByText('Saved').waitFor();
  await page.getByLabel('Days').fill('365');
  await button('Save').nth(1).click();
  await page.getByText(/^Now: no limit\. From .*: 365 days\.$/).waitFor();
  await button('Add a tag').click();
  await page.getByLabel('Tag', { exact: true }).fill('Cold chain');
  await send('Add a tag');
  await act('Put on', 'Cold chain');
  await page.getByLabel('Red van').check();
  await send('Put on: Cold chain', 'Put on');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.locator('.toasts p').count()).toBeLessThan(2);
  expect(await api('{ account { nickname } vehicles { nodes { tags { value } } } }')).toEqual({
    account: { nickname: 'Corner bakery' },
    vehicles: { nodes: [{ tags: [{ value: 'Cold chain' }] }] },
  });
  await looksGood(page, 'settings');
  await button('Keep: no limit').click();
  await page.getByText(/^Now: /).waitFor({ state: 'detached' });
  expect(await api('{ account { retention { positions_days pending { effective } } } }')).toEqual({
    account: { retention: null },
  });
});

test('every page is read in German, and fits', async () => {
  await open('/console/places', undefined, 'de-DE');
  for (const name of PAGES) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${site.host.issuer}/console/${name}`);
    await page.locator('.records').first().waitFor();
    await looksGood(page, `${name}-de`);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await page.locator('.records').first().waitFor();
    const { x = -1 } = (await page.locator('.pages [aria-current]').boundingBox()) ?? {};
    expect([name, x > 0, x < 300]).toEqual([name, true, true]);
  }
});

test('a page whose session has ended leads to sign-in, and then back', async () => {
  const { key } = await account();
  const page = await site.open('/console/add-vehicle', key);
  await page.getByLabel('Name of the vehicle').fill('Van');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Add the vehicle' }).click();
  await signIn(page, await administrator(key));
  await page.getByLabel('Name of the vehicle').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/add-vehicle');
});
