import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { createGrant, revokeGrant } from '../../../auth/grants.ts';
import { AddressRanges } from '../../../http/requests/address-ranges.ts';
import { UserStore } from '../../../models/account/user.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { WebhookStore } from '../../../models/webhooks/webhook.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { sendBehind } from '../../../notifying/webhooks/webhook-dispatch.ts';
import { webhookEvents } from '../../../resolvers/webhooks/webhook-events.ts';
import { notificationSender } from '../../../server/database/notification-sender.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { fitsScreens } from '../../browser/fits-screens.ts';
import { sendForm } from '../../browser/send-form.ts';
import { app } from '../../services/account-fixture.ts';
import { useDatabase, testService, sendNotificationsBy } from '../../services/database.ts';
import { at, ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { signInUser, useOauthHost, Visitor } from '../../hosts/oauth-host.ts';
import { verify, webhookReceiver } from '../../hosts/webhook-receiver.ts';

useDatabase();
const service = useOauthHost();

const SCOPES = ['account_activity.read', 'account_activity.manage'];

let receiver: Awaited<ReturnType<typeof webhookReceiver>>;
let ingest: Awaited<ReturnType<typeof ingestHost>>;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  receiver = await webhookReceiver();
  ingest = await ingestHost();
  browser = await sharedBrowser();
  sendNotificationsBy(notificationSender(AddressRanges.parse('127.0.0.0/8, ::1') ?? AddressRanges.NONE, receiver.ca));
});
afterAll(async () => {
  await closePages(browser);
  await ingest.app.close();
  await receiver.close();
});
afterEach(() => context?.close());

let device: Awaited<ReturnType<typeof recordingDevice>>;
let user: Awaited<ReturnType<typeof signInUser>>;
let client_id: string;
beforeEach(async () => {
  await WebhookStore.deleteMany(unrestricted(testService), {});
  receiver.received.length = 0;
  device = await recordingDevice();
  user = await signInUser(device.owner.key);
  ({ client_id } = await app(device.owner.key, { scopes: SCOPES, name: 'Planner' }));
});

const allow = (scopes = SCOPES) => createGrant(testService, { user_key: user.key, client_id, scopes });

const hooks = () => WebhookStore.find(unrestricted(testService));

/** Opens the page of the app, without scripts, from the developer platform. */
async function openPage(): Promise<Page> {
  context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${service.at.issuer}/apps`);
  await page.getByLabel('E-mail address').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Webhooks of Planner' }).click();
  return page;
}

test('the page of an app adds, tests, pauses and resumes a webhook, and shows what it was sent', async () => {
  await allow();
  const page = await openPage();
  const address = page.getByLabel('Address');
  await address.fill('http://planner.example/events');
  await sendForm(page, 'Add');
  expect(await page.getByRole('alert').textContent()).toContain('url must be an https address');
  await address.fill(receiver.url);
  await page.getByRole('checkbox', { name: 'trip_end' }).uncheck();
  await sendForm(page, 'Add');
  const secret = (await page.locator('code.secret').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  const [hook] = await hooks();
  expect(hook).toMatchObject({ client_id, user_key: user.key, url: receiver.url, events: ['trip_start'] });

  await sendForm(page, 'Send a test');
  expect(await page.getByRole('status').textContent()).toContain('200 after');
  expect(await page.textContent('main')).not.toContain(secret);
  verify(secret, receiver.received[0] as never);

  await sendForm(page, 'Pause');
  expect((await hooks())[0]?.status).toBe('paused');
  await sendForm(page, 'Resume');
  expect((await hooks())[0]?.status).toBe('active');

  await ingest.post(device.secret, { points: [at(0), at(10)] });
  await leasedWorkEnded(testService);
  await numberChanges(testService);
  await sendBehind(testService, webhookEvents);
  await page.getByRole('link', { name: 'All apps' }).click();
  await page.getByRole('link', { name: 'Webhooks of Planner' }).click();
  await page.getByRole('link', { name: 'Deliveries' }).click();
  const row = page.getByRole('row', { name: /trip_start delivered/ });
  expect(await row.textContent()).toContain(device.vehicle_key);
  expect(receiver.received.map(({ body }) => body.event)).toEqual(['test', 'trip_start']);
  await sendForm(page, 'Send again');
  await sendBehind(testService, webhookEvents);
  await fitsScreens(page, 'app-webhooks');

  await page.getByText('New secret…').click();
  await sendForm(page, 'Replace the secret');
  expect(await page.locator('code.secret').textContent()).not.toBe(secret);
  await page.getByText('Delete…').click();
  await sendForm(page, 'Delete this webhook');
  expect(await hooks()).toEqual([]);
});

/** A signed-in browser, which sends forms of the platform. */
async function signedIn({ email, password } = user) {
  const visitor = new Visitor(service.at);
  const url = `${service.at.issuer}/apps`;
  const tokenIn = (text: string) => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const form = await visitor.get(url);
  const page = await visitor.post(`${url}/sign-in`, { email, password, form_token: tokenIn(form.text) });
  const send = (action: string, fields: Readonly<Record<string, string>>) =>
    visitor.post(`${url}/${action}`, { form_token: tokenIn(page.text), client_id, ...fields });
  return {
    open: () => visitor.get(`${url}?app=${client_id}`),
    send,
    add: () => send('webhook-add', { url: 'https://planner.example/events', events: 'trip_start' }),
  };
}

test('an app that its user has not allowed what webhooks need has none, also by a forged form', async () => {
  const grant = await allow(['account_activity.read']);
  const { open, add } = await signedIn();
  expect((await open()).text).toContain('account_activity.manage');
  expect((await add()).status).toBe(403);
  await allow();
  expect((await add()).text).toContain('whsec_');
  await revokeGrant(testService, grant.id_hash);
  expect((await open()).text).toContain('https://planner.example/events');
  await UserStore.updateOne(unrestricted(testService), { key: user.key }, { account_role: 'viewer' });
  expect((await open()).text).not.toContain('planner.example');
  expect((await add()).status).toBe(403);
});

test('an app of another account has no page, whatever the user has allowed it', async () => {
  const someone = await signInUser();
  await createGrant(testService, { user_key: someone.key, client_id, scopes: SCOPES });
  const { open, add } = await signedIn(someone);
  const page = await open();
  expect([page.status, page.text]).toEqual([404, expect.stringContaining('<h1>Developer platform</h1>')]);
  expect(page.text).toContain('does not exist, or is of another account');
  expect((await add()).status).toBe(403);
  expect(await hooks()).toEqual([]);
});

test('another user of the account neither sees nor changes the webhooks that the app has for this one', async () => {
  await allow();
  expect((await (await signedIn()).add()).status).toBe(200);
  const before = await hooks();
  const { key = '' } = before[0] ?? {};
  const other = await signInUser(device.owner.key);
  await createGrant(testService, { user_key: other.key, client_id, scopes: SCOPES });
  const { open, send } = await signedIn(other);
  expect((await open()).text).toContain('None yet');
  for (const action of ['test', 'status', 'secret', 'delete', 'replay']) {
    const { text } = await send(`webhook-${action}`, { webhook: key, status: 'paused', delivery: key });
    expect([action, text.includes('None yet'), text.includes('whsec_')]).toEqual([action, true, false]);
  }
  expect(await hooks()).toEqual(before);
});

test('the page says that apps are sent nothing in an account with privacy zones', async () => {
  await allow();
  const { open } = await signedIn();
  expect((await open()).text).not.toContain('privacy zones');
  const zone = 'createPrivacyZone(input: { lat: 53.0758, lon: 8.8, radius_meters: 200 })';
  await ingest.ask(`mutation { ${zone} { key } }`, device.owner.headers);
  expect((await open()).text).toContain('privacy zones');
});
