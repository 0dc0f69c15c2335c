import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { SCOPES } from '../../../auth/scopes/scope.ts';
import { numberGrowth } from '../../../notifying/changes/number-changes.ts';
import { injectedFetch } from '../../clients/injected-fetch.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { APP, openClientPage, useClientPages, type Waybridge } from '../../browser/client-page.ts';
import { at, ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { appFor, user } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';
import { runSize } from '../../services/run-size.ts';
import { inOrder, kindsOf, type QueriedRecords, queryRecords, withoutEmpty } from './queried-records.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let context: BrowserContext;
beforeAll(async () => {
  host = await ingestHost();
  context = await (await sharedBrowser()).newContext();
  const send = injectedFetch(host.app);
  await useClientPages(context, {
    '/graphql': async (route) => {
      const request = route.request();
      // The server of the app forwards the request, as its own.
      const { origin, ...headers } = request.headers();
      const answer = await send(request.url(), { headers, body: request.postData() });
      // A tab that was closed takes no answer.
      await route.fulfill({ status: answer.status, body: await answer.text() }).catch(() => undefined);
    },
  });
});
afterAll(async () => {
  await closePages(await sharedBrowser());
  await host.app.close();
});

/** Opens a tab that follows the account in IndexedDB, and counts what it is notified of. */
async function openTab(token: string): Promise<Page> {
  const page = await openClientPage(context);
  await page.evaluate(
    async ([address, accessToken]) => {
      const app = window as unknown as { readonly Waybridge: Waybridge; notified: number };
      const { bearer, indexedDbStore, replica } = app.Waybridge;
      const copy = replica({ url: address, credentials: bearer(accessToken) }, await indexedDbStore());
      app.notified = 0;
      void copy.follow({ signal: new AbortController().signal, changed: () => void app.notified++ });
    },
    [APP, token] as const,
  );
  return page;
}

/** The copy that the tabs of the browser share. */
async function copied(page: Page): Promise<QueriedRecords> {
  const lists = await page.evaluate(
    async (kinds) => {
      const { indexedDbStore } = (window as unknown as { readonly Waybridge: Waybridge }).Waybridge;
      const store = await indexedDbStore();
      return Promise.all(
        kinds.map(async (kind) => [kind, (await store.list(kind)).map(({ record }) => record)] as const),
      );
    },
    kindsOf('owner', false),
  );
  return withoutEmpty(Object.fromEntries(lists.map(([kind, records]) => [kind, inOrder(records)])));
}

test('tabs that follow one copy, and are closed at any time, keep it exact', async () => {
  const device = await recordingDevice();
  const { headers, access_token } = await appFor(await user(device.owner.key), Object.keys(SCOPES));
  const tabs = [await openTab(access_token), await openTab(access_token)];
  const rounds = runSize(4, 100);
  for (let round = 0; round < rounds; round++) {
    const name = `Van ${round}`;
    await host.ask(`mutation { createVehicle(input: { nickname: "${name}" }) { key } }`, device.owner.headers);
    const rename = `updateVehicle(key: "${device.vehicle_key}", input: { nickname: "${name}" })`;
    await host.ask(`mutation { ${rename} { key } }`, device.owner.headers);
    await host.post(device.secret, { points: [0, 5, 10].map((seconds) => at(round * 600 + seconds)) });
    await numberGrowth(testService, [device.owner.key]);
    await tabs[round % tabs.length]?.close();
    tabs[round % tabs.length] = await openTab(access_token);
  }
  for (const tab of tabs) {
    const queried = await queryRecords((query) => host.ask(query, headers), 'app', kindsOf('app', false));
    await expect.poll(() => copied(tab)).toEqual(withoutEmpty(queried));
    // Each tab shows what the other has stored.
    await expect.poll(() => tab.evaluate(() => (window as unknown as { notified: number }).notified)).not.toBe(0);
  }
});
