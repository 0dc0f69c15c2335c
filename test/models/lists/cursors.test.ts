import { beforeAll, expect, test } from 'vitest';

import { ingestHost } from '../../hosts/ingest-host.ts';
import { account, device, group, appFor, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase } from '../../services/database.ts';
import { type List, rest, ROWS } from './every-list.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
  return () => host.app.close();
});

type Headers = List['headers'];

interface Listed {
  readonly nodes: readonly { readonly key: string; readonly time?: string }[];
  readonly page_info: { readonly end_cursor: string };
}

async function listed(list: string, headers: Headers): Promise<Listed> {
  const data = await host.ask(`{ list: ${list} { nodes { key } page_info { end_cursor } } }`, headers);
  return data.list as Listed;
}

async function expectRejected(list: string, headers: Headers) {
  const { errors } = await host.graphql(`{ ${list} { nodes { key } } }`, headers);
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' }, message: expect.stringMatching(/^after /) }]);
}

test('A cursor of another list, another account or another search is rejected', async () => {
  const [own, other] = [await account(), await account()];
  for (const { key } of [own, other]) {
    await vehicle(key);
    await device(key, { serial: 'abc' });
  }
  const wrong = [
    await listed('devices', other.headers),
    await listed('vehicles', own.headers),
    await listed('devices(q: "b")', own.headers),
  ];
  for (const { page_info } of wrong) await expectRejected(`devices(after: "${page_info.end_cursor}")`, own.headers);
});

test.each([
  ['vehicles(last: 0)', 'last must be 1 to 1000'],
  ['events(last: 1001)', 'last must be 1 to 1000'],
  ['vehicles(before: "a")', 'before requires last'],
  ['events(last: 1, after: "a")', 'last cannot be combined with after'],
  ['events(last: 1, before: "a")', 'before was not returned by this list for the same parameters'],
  ['changes(wait: 1, last: 1)', 'Unknown argument "last" on field "Query.changes". Did you mean "wait"?'],
])('%s: %s', async (list, message) => {
  const { headers } = await account();
  const { errors } = await host.graphql(`{ ${list} { page_info { end_cursor } } }`, headers);
  expect(errors).toMatchObject([{ message }]);
});

test('A cursor of a search goes on when a tag of the search is deleted, or the vehicle with the number searched', async () => {
  const { headers } = await account();
  const [red, blue] = [await tag('Red'), await tag('Blue')];
  async function tag(value: string): Promise<string> {
    return (await rest(host, 'POST', '/tags', headers, { value, type: 'Car' })).key;
  }
  async function van(nickname: string, fields: object = {}): Promise<string> {
    return (await rest(host, 'POST', '/vehicles', headers, { nickname, ...fields })).key;
  }
  const vin = 'WVWZZZ1JZXW000001';
  const [first, last] = [await van('1'), await van('2')];
  await rest(host, 'POST', `/tag/${red}/apply?action=add`, headers, { entity_keys: [first, last] });
  const tagged = `tag_keys: ["${red}", "${blue}"]`;
  const ofTags = await listed(`vehicles(${tagged}, first: 1)`, headers);
  await rest(host, 'DELETE', `/tag/${blue}`, headers);
  const { end_cursor: afterFirst } = ofTags.page_info;
  expect(ofTags.nodes).toEqual([{ key: first }]);
  expect((await listed(`vehicles(${tagged}, after: "${afterFirst}")`, headers)).nodes).toEqual([{ key: last }]);

  const numbered = await van('3', { vin });
  const found = await listed(`vehicles(q: "${vin}")`, headers);
  expect(found.nodes).toEqual([{ key: numbered }]);
  await rest(host, 'DELETE', `/vehicle/${numbered}`, headers);
  const { end_cursor: afterFound } = found.page_info;
  expect((await listed(`vehicles(q: "${vin}", after: "${afterFound}")`, headers)).nodes).toEqual([]);
});

test('The key of a deleted vehicle is a cursor in the list of vehicles, for the searches that it matched', async () => {
  const { key, headers } = await account();
  const [gone, next] = [await vehicle(key), await vehicle(key)];
  await rest(host, 'DELETE', `/vehicle/${gone}`, headers);
  expect((await listed(`vehicles(q: "van", after: "${gone}")`, headers)).nodes).toEqual([{ key: next }]);
  await expectRejected(`vehicles(q: "bus", after: "${gone}")`, headers);
  await expectRejected(`users(after: "${gone}")`, headers);
  await expectRejected(`vehicles(after: "${gone}")`, (await account()).headers);
});

test('The key of a device that left the groups of a user is a cursor; that of one which was never in them is none', async () => {
  const { key, headers: owner } = await account();
  const [north, south] = [await group(key, 'North'), await group(key, 'South')];
  const dock = await group(key, 'Dock', north);
  const [left, stays] = [await device(key, { groups: [dock] }), await device(key, { groups: [north] })];
  const never = await device(key, { groups: [south] });
  const { headers } = await appFor(await user(key, [north]), ['account.read']);
  await rest(host, 'POST', `/group/${dock.key}`, owner, { parent_group_key: south.key });
  const keysFrom = async ({ key: cursor }: { readonly key: string }) =>
    (await rest(host, 'GET', `/devices?cursor=${cursor}`, headers)).devices.map((one: { key: string }) => one.key);
  expect(await keysFrom(left)).toEqual([stays.key]);
  // Reading the log stores its entries, in place of the notes in the device.
  await rest(host, 'GET', '/changes', owner);
  expect(await keysFrom(left)).toEqual([stays.key]);
  await expect(keysFrom(never)).rejects.toThrow('400');
});

test.each([
  ['visits', 'entry_timestamp'],
  ['events', 'timestamp'],
])('%s go on from cursors of version 0.2, which have their times', async (field, time) => {
  const list = await ROWS.find((row) => row.field === field)?.open(host);
  for (let number = 0; number < 4; number++) await list?.make(number);
  const nodesOf = async (args = '') => {
    const data = await host.ask(`{ list: ${field}${args} { nodes { key time: ${time} } } }`, list?.headers ?? {});
    return (data.list as Listed).nodes;
  };
  const all = await nodesOf();
  expect(all.length).toBeGreaterThan(3);
  for (const [at, { key, time: written = '' }] of all.entries()) {
    const cursor = `${Date.parse(written).toString(36)}.${key}`;
    expect(await nodesOf(`(after: "${cursor}")`)).toEqual(all.slice(at));
    expect(await nodesOf(`(after: ">${cursor}")`)).toEqual(all.slice(at + 1));
  }
});
