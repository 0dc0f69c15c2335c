import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { revokeGrant } from '../../../auth/grants.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { streamingFetch, subscribe } from '../../clients/event-client.ts';
import { followByApollo, followByFetch, followByGraphqlSse } from '../../clients/event-followers.ts';
import { account, appFor, group, user } from '../../services/account-fixture.ts';
import { needsCapabilities } from '../../services/capabilities.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { ingestHost } from '../../hosts/ingest-host.ts';
import { listen, testCertificate } from '../../hosts/test-host.ts';

useDatabase();
needsCapabilities('$unionWith');

const CHANGES = `subscription ($after: String, $first: Int) {
  changes(after: $after, first: $first) { nodes { kind key happened vehicle { nickname } } page_info { end_cursor } } }`;

let host: Awaited<ReturnType<typeof ingestHost>>;
let port: number;
beforeAll(async () => {
  host = await ingestHost();
  port = await listen(host.app);
});
afterAll(() => host.app.close());

type Headers = Record<string, string>;

interface Page {
  readonly nodes: readonly { readonly key: string }[];
  readonly page_info: { readonly end_cursor: string };
}

const follow = async (headers: Headers, variables: Record<string, unknown> = {}) => {
  const { next } = await subscribe(port, CHANGES, headers, variables);
  return { next, page: async () => (await next())?.data?.changes as Page };
};

async function mutate(headers: Headers, mutation: string): Promise<string> {
  const { made } = await host.ask(`mutation { made: ${mutation} { key } }`, headers);
  await numberChanges(testService);
  return (made as { key: string }).key;
}

const created = (key: string, nickname: string) => ({
  kind: 'vehicle',
  key,
  happened: 'created',
  vehicle: { nickname },
});

test('changes begins with the cursor of now, and sends what changes from then on', async () => {
  const { headers } = await account();
  await mutate(headers, 'createVehicle(input: { nickname: "Before" })');
  const { page } = await follow(headers);
  expect((await page()).nodes).toEqual([]);
  for (const name of ['Van', 'Bus']) {
    const key = await mutate(headers, `createVehicle(input: { nickname: "${name}" })`);
    expect((await page()).nodes).toEqual([created(key, name)]);
  }
});

test('changes that begins with a cursor sends all that has changed since, in pages of the asked size', async () => {
  const { headers } = await account();
  const start = await (await follow(headers)).page();
  const names = ['A', 'B', 'C'];
  const keys: string[] = [];
  for (const name of names) keys.push(await mutate(headers, `createVehicle(input: { nickname: "${name}" })`));
  const { page } = await follow(headers, { after: start.page_info.end_cursor, first: 2 });
  const [first, second] = [await page(), await page()];
  expect([first, second].map(({ nodes }) => nodes.length)).toEqual([2, 1]);
  expect([...first.nodes, ...second.nodes]).toEqual(names.map((name, at) => created(keys[at] ?? '', name)));
  const resumed = await follow(headers, { after: first.page_info.end_cursor });
  expect((await resumed.page()).nodes).toEqual(second.nodes);
});

test('changes goes on without a gap and without repeating where the rights of others change', async () => {
  const owner = await account();
  const { headers } = owner;
  const other = await appFor(await user(owner.key), ['vehicles.read']);
  await numberChanges(testService);
  const { page } = await follow(headers);
  await page();
  const before = await mutate(headers, 'createVehicle(input: { nickname: "Before" })');
  expect((await page()).nodes).toEqual([created(before, 'Before')]);
  await revokeGrant(testService, other.grant.id_hash);
  const after = await mutate(headers, 'createVehicle(input: { nickname: "After" })');
  expect((await page()).nodes).toEqual([created(after, 'After')]);
});

test('changes ends once the access of the app has ended, with nothing of what comes then', async () => {
  const owner = await account();
  const app = await appFor(await user(owner.key), ['vehicles.read']);
  const { page, next } = await follow(app.headers);
  await page();
  await revokeGrant(testService, app.grant.id_hash);
  await mutate(owner.headers, 'createVehicle(input: { nickname: "Secret" })');
  expect(await next()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
});

test('changes tells who is restricted to groups of nothing in other groups', async () => {
  const owner = await account();
  const north = await group(owner.key, 'North');
  const app = await appFor(await user(owner.key, [north]), ['vehicles.read']);
  const { page } = await follow(app.headers);
  await page();
  await mutate(owner.headers, 'createVehicle(input: { nickname: "Elsewhere" })');
  const inside = `createVehicle(input: { nickname: "Here", group_keys: ["${north.key}"] })`;
  const key = await mutate(owner.headers, inside);
  expect((await page()).nodes).toEqual([created(key, 'Here')]);
});

test('changes with a cursor that is none, or for whoever may read nothing, is an error', async () => {
  const owner = await account();
  const wrong = await follow(owner.headers, { after: 'none' });
  await expect(wrong.next()).rejects.toThrow('400');
  const app = await appFor(await user(owner.key), ['trippoints.read']);
  const { next } = await follow(app.headers);
  await expect(next()).rejects.toThrow('403');
});

describe('changes, while the service restarts,', () => {
  const FOLLOWED = 'subscription { changes(first: 2) { nodes { key } page_info { end_cursor } } }';
  const make = (headers: Headers) => mutate(headers, 'createVehicle(input: { nickname: "Van" })');

  test.each([
    ['a reader of events that sends Last-Event-ID', followByFetch],
    ['graphql-sse', followByGraphqlSse],
    ['Apollo Client', followByApollo],
  ])('come to %s without a gap, each once', async (_, follow) => {
    const { headers } = await account();
    let service = await ingestHost();
    const at = await listen(service.app);
    const pages: string[][] = [];
    const seen = () => pages.flat();
    let isBack = Promise.resolve();
    const end = follow({
      url: `https://127.0.0.1:${at}/graphql`,
      query: FOLLOWED,
      credentials: headers,
      fetchFn: streamingFetch((await testCertificate()).ca),
      retry: () => isBack,
      take: ({ nodes }) => pages.push(nodes.map(({ key }) => key)),
    });
    onTestFinished(async () => {
      end();
      await service.app.close();
    });
    await expect.poll(() => pages).toHaveLength(1);
    const made: string[] = [];
    for (const isGraceful of [true, false]) {
      made.push(await make(headers));
      await expect.poll(() => seen()).toContain(made.at(-1));
      // What comes now may be under way when the service ends.
      made.push(await make(headers), await make(headers));
      let back: () => void = () => undefined;
      isBack = new Promise((resolve) => {
        back = resolve;
      });
      if (!isGraceful) service.app.server.closeAllConnections();
      await service.app.close();
      made.push(await make(headers), await make(headers), await make(headers));
      service = await ingestHost();
      await service.app.listen({ port: at, host: '127.0.0.1' });
      back();
    }
    made.push(await make(headers));
    await expect.poll(() => seen()).toContain(made.at(-1));
    expect(seen()).toEqual(made);
  });

  test.each([
    ['none', 400, 'Last-Event-ID was not returned by this list for the same parameters'],
    ['c'.repeat(23), 410, expect.stringMatching(/^Last-Event-ID /)],
  ])('do not go on from the Last-Event-ID %s', async (id, status, message) => {
    const { headers } = await account();
    const sent = { host: 'localhost', accept: 'text/event-stream', 'last-event-id': id, ...headers };
    const answer = await host.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: sent,
      payload: { query: FOLLOWED },
    });
    expect([answer.statusCode, answer.json().errors]).toMatchObject([status, [{ message }]]);
  });
});
