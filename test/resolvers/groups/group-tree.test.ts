import { expect, test } from 'vitest';

import { GroupStore, type StoredGroup } from '../../../models/account/group.ts';
import { newKey } from '../../../models/key.ts';
import type { Group } from '../../../schema/account/group.ts';
import { account, appFor, group, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { type AskGraphql, graphqlClient } from '../../clients/graphql-client.ts';
import { queriesDuring } from '../../services/queries-during.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';

useDatabase();

const DEPTH = 20;
const TREE = `{ groups { ${'children { '.repeat(3)} key ${'}'.repeat(3)} key tree_depth member_counts { car user } } }`;

type Placed = Pick<StoredGroup, 'key' | 'tree_depth' | 'group_path'>;

/** Makes groups in chains of the given depth under the account. */
async function forest(account_key: string, groups: number): Promise<void> {
  const made: (Placed & Record<string, unknown>)[] = [];
  for (let at = 0; at < groups; at++) {
    const parent: Placed | undefined = at % (DEPTH - 1) === 0 ? undefined : made.at(-1);
    const key = newKey();
    made.push({
      key,
      name: `group ${at}`,
      active: true,
      tree_depth: (parent?.tree_depth ?? 1) + 1,
      created: new Date(),
      updated: new Date(),
      account_key,
      parent_key: parent?.key ?? null,
      group_path: [...(parent?.group_path ?? []), key],
    });
  }
  await GroupStore.insertMany(unrestricted(testService), made);
}

test.each([10, 10_000])('a tree of %i groups takes the same few queries', async (groups) => {
  const ask: AskGraphql = await graphqlClient();
  const { key, headers } = await account();
  await forest(key, groups);
  const queries = await queriesDuring(async () => {
    const { data } = await ask(TREE, headers);
    expect(data?.groups).toHaveLength(Math.ceil(groups / (DEPTH - 1)));
  });
  expect(queries.filter(({ collection }) => ['groups', 'vehicles', 'users'].includes(collection))).toHaveLength(3);
});

test('a member of several groups of a branch counts once in each', async () => {
  const ask = await graphqlClient();
  const { key, headers } = await account();
  const north = await group(key, 'North');
  const harbour = await group(key, 'Harbour', north);
  const yard = await group(key, 'Yard', north);
  await vehicle(key, [north, harbour, yard]);
  const { data } = await ask('{ groups { member_counts { car } children { member_counts { car } } } }', headers);
  const one = { member_counts: { car: 1 } };
  expect(data?.groups as Group[]).toEqual([{ ...one, children: [one, one] }]);
});

test('a group names the group above it to callers who see that, for a whole tree by as few queries as for one', async () => {
  const ask = await graphqlClient();
  const { key: account_key, headers } = await account();
  const north = await group(account_key, 'North');
  const harbour = await group(account_key, 'Harbour', north);
  const quay = await group(account_key, 'Quay', harbour);
  const pier = await group(account_key, 'Pier', quay);
  await vehicle(account_key, [pier]);
  const fields = 'key parent_group_key parent { key member_counts { car } children { key } }';
  const above = ({ key }: { readonly key: string }, below: { readonly key: string }) => ({
    parent_group_key: key,
    parent: { key, member_counts: { car: 1 }, children: [{ key: below.key }] },
  });
  const none = { parent_group_key: null, parent: null };
  const below = (children: readonly object[]) => ({ children });
  const inHarbour = below([
    { key: quay.key, ...above(harbour, quay), ...below([{ key: pier.key, ...above(quay, pier) }]) },
  ]);
  const tree = (depth: number): string => (depth === 0 ? '' : `{ ${fields} children ${tree(depth - 1)} }`);
  const query = (depth: number) => `{ groups ${tree(depth).replace(/ children \s*}/, ' }')} }`;
  const queries = await queriesDuring(async () => {
    const { data } = await ask(query(4), headers);
    expect(data?.groups).toEqual([
      { key: north.key, ...none, ...below([{ key: harbour.key, ...above(north, harbour), ...inHarbour }]) },
    ]);
  });
  expect(queries.filter(({ collection }) => collection === 'groups').length).toBeLessThanOrEqual(7);
  const restricted = await appFor(await user(account_key, [harbour]), ['account.read']);
  const { data } = await ask(query(3), restricted.headers);
  expect(data?.groups).toEqual([{ key: harbour.key, ...none, ...inHarbour }]);
});
