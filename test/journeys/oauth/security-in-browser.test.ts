import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';

import { issueApiKey } from '../../../auth/api-keys.ts';
import { createGrant } from '../../../auth/grants.ts';
import { AccountStore } from '../../../models/account/account.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { issueResetLink } from '../../../auth/passwords/reset-link.ts';
import { account } from '../../services/account-fixture.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { fitsScreens } from '../../browser/fits-screens.ts';
import { sendForm } from '../../browser/send-form.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { enter, registeredApp, signInUser, useOauthHost, Visitor } from '../../hosts/oauth-host.ts';

useDatabase();
const service = useOauthHost();

const NEW_PASSWORD = 'oats and barley, milk';

let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  browser = await sharedBrowser();
});
afterAll(() => closePages(browser));
afterEach(() => context?.close());

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  context = await browser.newContext({ javaScriptEnabled: false, ...options });
  return context.newPage();
}

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto(`${service.at.issuer}/security`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Security', exact: true }).waitFor();
}

describe('a user in a real browser, without scripts', () => {
  test('changes the password and signs out everywhere', async () => {
    const user = await signInUser();
    const page = await open();
    await signIn(page, user);
    await page.getByLabel('Current password').fill(user.password);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByLabel('Also revoke the access of all apps.').check();
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password has been changed.').waitFor();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page, { ...user, password: NEW_PASSWORD });
  });

  test('sets a password by a reset link, and signs in with it', async () => {
    const user = await signInUser();
    const { token } = await issueResetLink(testService, user.key);
    const page = await open();
    await page.goto(`${service.at.issuer}/security/reset?token=${token}`);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, { ...user, password: NEW_PASSWORD });
  });
});

test('every page fits every screen, in light and dark', async () => {
  const { key: account_key } = await account();
  const user = await signInUser(account_key);
  await AccountStore.updateOne(unrestricted(testService), { key: account_key }, { owner_key: user.key });
  const { client_id } = await registeredApp({
    scopes: ['account.read'],
    name: 'Verkehrsleitzentralenauswertungsprogramm',
  });
  await createGrant(testService, { user_key: user.key, client_id, scopes: ['account.read', 'vehicles.read'] });
  await issueApiKey(testService, account_key);
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/604.1';
  await enter(service.at, new Visitor(service.at, safari), '/security', user);
  await enter(service.at, new Visitor(service.at, safari), '/security', { ...user, password: 'wrong' });
  const page = await open({ javaScriptEnabled: true });
  await signIn(page, user);
  await fitsScreens(page, 'security');
  await page.getByLabel('Current password').fill(user.password);
  await page.getByLabel('New password').fill('passwordpassword');
  await sendForm(page, 'Change password');
  await page.getByText('Revoke…').first().click();
  await fitsScreens(page, 'security-refused');
  const { token } = await issueResetLink(testService, user.key);
  await page.goto(`${service.at.issuer}/security/reset?token=${token}`);
  await fitsScreens(page, 'reset');
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('heading', { name: 'Your password has been changed' }).waitFor();
  await fitsScreens(page, 'reset-done');
  await page.goto(`${service.at.issuer}/security/reset?token=${token}`);
  await fitsScreens(page, 'reset-expired');
});
