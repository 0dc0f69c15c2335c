import { afterAll, beforeAll, expect, test } from 'vitest';

import { revokeGrant } from '../../../auth/grants.ts';
import { numberChanges } from '../../../resolvers/changes/number-changes.ts';
import { subscribe } from '../../clients/event-client.ts';
import { account, appFor, group, user } from '../../services/account-fixture.ts';
import { useDatabase } from '../../services/database.ts';
import { ingestHost } from '../../services/ingest-host.ts';
import { listen } from '../../services/test-host.ts';

useDatabase();

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
  await numberChanges();
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
  await numberChanges();
  const { page } = await follow(headers);
  await page();
  const before = await mutate(headers, 'createVehicle(input: { nickname: "Before" })');
  expect((await page()).nodes).toEqual([created(before, 'Before')]);
  await revokeGrant(other.grant.id_hash);
  const after = await mutate(headers, 'createVehicle(input: { nickname: "After" })');
  expect((await page()).nodes).toEqual([created(after, 'After')]);
});

test('changes ends once the access of the app has ended, with nothing of what comes then', async () => {
  const owner = await account();
  const app = await appFor(await user(owner.key), ['vehicles.read']);
  const { page, next } = await follow(app.headers);
  await page();
  await revokeGrant(app.grant.id_hash);
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
