import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { listen } from '../../hosts/test-host.ts';
import { API_KEY, graphqlHost } from '../../hosts/graphql-host.ts';

describe('GET with Accept: text/html', () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';

  test('shows a browser on this machine the page, which loads nothing and runs its own script only', async () => {
    const { app } = await graphqlHost();
    const answer = await app.inject({ url: '/graphql', headers: { accept } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const nonce = /nonce-([\w-]+)/.exec(String(answer.headers['content-security-policy']))?.[1];
    expect(answer.body).toContain(`<script nonce="${nonce}">`);
    expect(answer.body.match(/<\/script/g)).toHaveLength(1);
    expect(answer.body).not.toMatch(/https?:\/\//);
    expect((await app.inject({ url: '/graphql', headers: { accept } })).body).not.toContain(nonce);
  });

  test.each([
    ['another machine', { remoteAddress: '192.0.2.1', headers: { accept } }],
    ['a proxy on this machine', { headers: { accept, 'x-forwarded-for': '203.0.113.9' } }],
    ['a program', { headers: { accept: 'application/json' } }],
  ])('shows %s no page', async (_, request) => {
    const { app } = await graphqlHost();
    const answer = await app.inject({ url: '/graphql', ...request });
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['content-type']).toMatch(/^application\//);
  });
});

describe('the page in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  afterAll(() => closePages(browser));

  const open = async (): Promise<{ page: Page; complaints: string[] }> => {
    const { app } = await graphqlHost();
    const port = await listen(app);
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', (error) => void complaints.push(error.message));
    await page.goto(`https://127.0.0.1:${port}/graphql`);
    await page.getByRole('heading', { name: 'Queries' }).waitFor();
    return { page, complaints };
  };

  test('runs an operation with variables and headers by the keyboard', async () => {
    const { page, complaints } = await open();
    await page.getByLabel('Operation').fill('query ($name: String!) { greeting(name: $name) }');
    await page.getByLabel('Variables').fill('{ "name": "you" }');
    await page.getByLabel('Headers').fill(`Service-Api-Key: ${API_KEY}`);
    await page.keyboard.press('Control+Enter');
    await page.getByText('200 OK').waitFor();
    expect(await page.getByRole('region', { name: 'Result' }).textContent()).toContain('"greeting": "Hello you"');
    expect(complaints).toEqual([]);
  });

  test('shows refusals, and says what is wrong with the variables', async () => {
    const { page } = await open();
    await page.getByLabel('Operation').fill('{ node { name } }');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('401 Unauthorized').waitFor();
    await page.getByLabel('Variables').fill('{ cut');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('The variables must be a JSON object').waitFor();
  });

  test('drafts an operation for a field of the schema', async () => {
    const { page } = await open();
    await page.getByText('greeting', { exact: true }).click();
    await page.getByRole('button', { name: 'Try greeting' }).click();
    expect(await page.getByLabel('Operation').inputValue()).toBe(
      'query ($name: String!) {\n  greeting(name: $name)\n}\n',
    );
    expect(await page.getByLabel('Variables').inputValue()).toBe('{\n  "name": ""\n}');
  });

  test('leads from a field to its type', async () => {
    const { page } = await open();
    await page.getByText('node', { exact: true }).click();
    await page.getByRole('link', { name: 'Node' }).first().click();
    await page.locator('#type-Node[open]').waitFor();
  });
});
