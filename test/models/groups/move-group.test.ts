import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { AccountStore } from '../../../models/account/account.ts';
import { GroupStore } from '../../../models/account/group.ts';
import { UserStore } from '../../../models/account/user.ts';
import { accountAccessScope, unrestricted } from '../../../models/store/tenancy.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { completeMoves, moveGroup } from '../../../models/groups/move-group.ts';
import { MAX_TREE_DEPTH } from '../../../schema/account/group.ts';
import { type Change, ENDPOINTS, FleetClient, userDeletion, userRestoration } from '../../clients/fleet-client.ts';
import { account, appFor, device, group, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';

useDatabase();

let client: FleetClient;
let own: Awaited<ReturnType<typeof account>>;
beforeAll(async () => {
  client = await FleetClient.open();
});
afterAll(() => client.close());
beforeEach(async () => {
  own = await account();
});

const accessScope = unrestricted(testService);
const SCOPES = ['account.read', 'account.manage', 'vehicles.read', 'user.manage'];

function groupChange(key: string, input: Readonly<Record<string, unknown>>): Change {
  return {
    row: ['POST', `/group/${key}`],
    body: input,
    mutation: 'updateGroup',
    args: { group_key: ['String!', key], input: ['GroupInput!', input] },
    fields: 'key name active parent_group_key tree_depth member_counts { car user } children { key }',
  };
}

function groupDeactivation(key: string): Change {
  const args = { group_key: ['String!', key] as const };
  return { row: ['DELETE', `/group/${key}`], mutation: 'deactivateGroup', args, fields: 'key deleted' };
}

const groupNow = (key: string) => GroupStore.findOne(accessScope, { key });
const pathOf = async (model: typeof VehicleStore | typeof DeviceStore | typeof UserStore, key: string) => {
  const found = await (model as typeof VehicleStore).findOne(accessScope, { key }, { group_path: 1 });
  return found?.group_path.toSorted();
};

/** North with Harbour and Quay below it, South, and a vehicle, a device and a user in Quay. */
async function tree() {
  const { key } = own;
  const north = await group(key, 'North');
  const harbour = await group(key, 'Harbour', north);
  const quay = await group(key, 'Quay', harbour);
  const south = await group(key, 'South');
  const members = {
    vehicle: await vehicle(key, [quay]),
    device: (await device(key, { groups: [quay] })).key,
    user: await user(key, [quay], { account_role: 'viewer' }),
  };
  return { north, harbour, quay, south, ...members };
}

describe.each(ENDPOINTS)('By %s', (endpoint) => {
  test('a group moves with all groups, vehicles, devices and users below it', async () => {
    const { north, harbour, quay, south, ...members } = await tree();
    const change = groupChange(harbour.key, { parent_group_key: south.key });
    expect(await client.send(endpoint, change, own.headers)).toMatchObject({
      record: {
        ...{ key: harbour.key, parent_group_key: south.key, tree_depth: 3 },
        ...{ member_counts: { car: 1, user: 1 }, children: [{ key: quay.key }] },
      },
    });
    expect(await groupNow(harbour.key)).toMatchObject({ parent_key: south.key, group_path: [south.key, harbour.key] });
    const path = [south.key, harbour.key, quay.key];
    expect(await groupNow(quay.key)).toMatchObject({ parent_key: harbour.key, group_path: path, tree_depth: 4 });
    expect(await pathOf(VehicleStore, members.vehicle)).toEqual(path.toSorted());
    expect(await pathOf(DeviceStore, members.device)).toEqual(path.toSorted());
    expect(await pathOf(UserStore, members.user)).toEqual(path.toSorted());
    expect(await groupNow(north.key)).toMatchObject({ group_path: [north.key] });
  });

  test('a group moves to the top, and deeper', async () => {
    const { harbour, quay, south, ...members } = await tree();
    await client.send(endpoint, groupChange(quay.key, { parent_group_key: null }), own.headers);
    expect(await groupNow(quay.key)).toMatchObject({ parent_key: null, group_path: [quay.key], tree_depth: 2 });
    await client.send(endpoint, groupChange(south.key, { parent_group_key: harbour.key }), own.headers);
    await client.send(endpoint, groupChange(quay.key, { parent_group_key: south.key }), own.headers);
    expect(await groupNow(quay.key)).toMatchObject({ tree_depth: 5 });
    expect(await pathOf(VehicleStore, members.vehicle)).toHaveLength(4);
  });

  test('a member of several groups stays below the others', async () => {
    const { key } = own;
    const { north, harbour, quay, south } = await tree();
    const west = await group(key, 'West', north);
    const both = await vehicle(key, [quay, west]);
    await client.send(endpoint, groupChange(harbour.key, { parent_group_key: south.key }), own.headers);
    expect(await pathOf(VehicleStore, both)).toEqual(
      [south.key, harbour.key, quay.key, north.key, west.key].toSorted(),
    );
  });

  test('restricted users see what is below their groups after a move, and no more', async () => {
    const { north, harbour, south, ...members } = await tree();
    const before = (await appFor(await user(own.key, [north]), SCOPES)).headers;
    const after = (await appFor(await user(own.key, [south]), SCOPES)).headers;
    const sees = async (headers: Readonly<Record<string, string>>) =>
      Promise.all(
        [
          `/vehicle/${members.vehicle}`,
          `/device/${members.device}`,
          `/user/${members.user}`,
          `/group/${harbour.key}`,
        ].map(async (path) => (await client.get(path, headers)).status),
      );
    expect([await sees(before), await sees(after)]).toEqual([Array(4).fill(200), Array(4).fill(404)]);
    await client.send(endpoint, groupChange(harbour.key, { parent_group_key: south.key }), own.headers);
    expect([await sees(before), await sees(after)]).toEqual([Array(4).fill(404), Array(4).fill(200)]);
  });

  test('a group moves neither under itself nor below itself, nor under one that is not there', async () => {
    const { north, harbour, quay } = await tree();
    const inactive = await group(own.key, 'Closed', undefined, false);
    const foreign = await group((await account()).key, 'Foreign');
    for (const parent of [north.key, harbour.key, quay.key, inactive.key, foreign.key, 'none']) {
      const outcome = await client.send(endpoint, groupChange(north.key, { parent_group_key: parent }), own.headers);
      expect(outcome).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringMatching(/^parent_group_key must/) });
    }
    expect(await groupNow(north.key)).toMatchObject({ parent_key: null, group_path: [north.key] });
  });

  test('a move that would make the tree too deep is rejected', async () => {
    const { harbour, quay } = await tree();
    let parent = await group(own.key, 'Deep');
    while (parent.tree_depth < MAX_TREE_DEPTH - 1) parent = await group(own.key, 'Deep', parent);
    const change = groupChange(harbour.key, { parent_group_key: parent.key });
    expect(await client.send(endpoint, change, own.headers)).toMatchObject({ code: 'BAD_REQUEST' });
    const leaf = groupChange(quay.key, { parent_group_key: parent.key });
    expect(await client.send(endpoint, leaf, own.headers)).toMatchObject({ record: { tree_depth: MAX_TREE_DEPTH } });
  });

  test('a restricted user changes only groups below its own, and moves none out of sight', async () => {
    const { north, harbour, quay, south } = await tree();
    const { headers } = await appFor(await user(own.key, [harbour]), SCOPES);
    for (const [change, code] of [
      [groupChange(harbour.key, { name: 'Mine' }), 'FORBIDDEN'],
      [groupDeactivation(harbour.key), 'FORBIDDEN'],
      [groupChange(quay.key, { parent_group_key: null }), 'FORBIDDEN'],
      [groupChange(quay.key, { parent_group_key: south.key }), 'BAD_REQUEST'],
      [groupChange(quay.key, { parent_group_key: north.key }), 'BAD_REQUEST'],
      [groupChange(north.key, { name: 'Mine' }), 'NOT_FOUND'],
      [groupDeactivation(south.key), 'NOT_FOUND'],
      [groupChange(quay.key, { name: 'Pier' }), 'OK'],
    ] as const) {
      expect(await client.send(endpoint, change, headers)).toMatchObject({ code });
    }
    expect(await groupNow(quay.key)).toMatchObject({ name: 'Pier', parent_key: harbour.key });
  });

  test('a group is renamed, deactivated, and activated again; its members stay in it', async () => {
    const { quay, user: member } = await tree();
    expect(await client.send(endpoint, groupDeactivation(quay.key), own.headers)).toMatchObject({
      record: { key: quay.key, deleted: true },
    });
    expect(await UserStore.findOne(accessScope, { key: member })).toMatchObject({
      group_keys: [quay.key],
    });
    expect((await client.get('/groups', own.headers)).body).not.toContain(quay.key);
    const change = groupChange(quay.key, { name: ' Pier ', active: true });
    expect(await client.send(endpoint, change, own.headers)).toMatchObject({ record: { name: 'Pier', active: true } });
    for (const [input, message] of [
      [{ name: null }, 'name must be a string'],
      [{ active: null }, 'active must be true or false'],
      [{ name: ' ' }, 'name must have 1 to 255 characters'],
    ] as const) {
      const outcome = await client.send(endpoint, groupChange(quay.key, input), own.headers);
      expect(outcome).toMatchObject({ code: 'BAD_REQUEST', message });
    }
  });

  test('of two moves that would make a circle together, one is rejected', async () => {
    for (let round = 0; round < 4; round++) {
      const [one, other] = [await group(own.key, 'One'), await group(own.key, 'Other')];
      const outcomes = await Promise.all([
        client.send(endpoint, groupChange(one.key, { parent_group_key: other.key }), own.headers),
        client.send(endpoint, groupChange(other.key, { parent_group_key: one.key }), own.headers),
      ]);
      expect(outcomes.map(({ code }) => code).sort()).toEqual(['BAD_REQUEST', 'OK']);
    }
  });

  test('a user who is brought back is where its group has been moved to', async () => {
    const { harbour, quay, south, user: member } = await tree();
    await client.send(endpoint, userDeletion(member), own.headers);
    await client.send(endpoint, groupChange(harbour.key, { parent_group_key: south.key }), own.headers);
    const { headers } = await appFor(await user(own.key, [south]), SCOPES);
    expect(await client.send(endpoint, userRestoration(member), headers)).toMatchObject({ code: 'OK' });
    expect(await pathOf(UserStore, member)).toEqual([south.key, harbour.key, quay.key].toSorted());
  });
});

describe('A move that is interrupted', () => {
  type Write = 'updateOne' | 'bulkWrite';
  type WriteFunction = (...args: unknown[]) => Promise<unknown>;

  /** Lets the process that moves a group end at a write; returns whether there were so many writes. */
  async function interruptedAt(writes: number, move: () => Promise<unknown>): Promise<boolean> {
    let left = writes;
    const models = [GroupStore, VehicleStore, DeviceStore, UserStore, AccountStore];
    const collections = models.map((store) => store.driver(testService) as unknown as Record<Write, WriteFunction>);
    const spies = collections.flatMap((collection) =>
      (['updateOne', 'bulkWrite'] as const).map((name) => {
        const write = collection[name].bind(collection);
        return vi.spyOn(collection, name).mockImplementation(async (...args) => {
          if (left-- <= 0) throw new Error('The process has ended');
          return write(...args);
        });
      }),
    );
    await move().catch(() => undefined);
    for (const spy of spies) spy.mockRestore();
    return left < 0;
  }

  test('is completed by the next move, whichever write was the last', async () => {
    let isInterrupted = true;
    for (let writes = 1; isInterrupted; writes++) {
      const { harbour, quay, south, ...members } = await tree();
      isInterrupted = await interruptedAt(writes, () =>
        moveGroup(accountAccessScope(testService, own.key), harbour.key, south.key),
      );
      const [one, other] = [await group(own.key, 'One'), await group(own.key, 'Other')];
      await client.send('REST', groupChange(one.key, { parent_group_key: other.key }), own.headers);
      const isBegun = (await groupNow(harbour.key))?.parent_key === south.key;
      expect(isBegun || writes === 1).toBe(true);
      if (!isBegun) continue;
      const path = [south.key, harbour.key, quay.key].toSorted();
      expect((await groupNow(quay.key))?.group_path.toSorted()).toEqual(path);
      expect(await pathOf(VehicleStore, members.vehicle)).toEqual(path);
      expect(await pathOf(DeviceStore, members.device)).toEqual(path);
      expect(await pathOf(UserStore, members.user)).toEqual(path);
    }
  });

  test('is completed by housekeeping, which also finds what was written with an old path', async () => {
    const { harbour, quay, south, vehicle: member } = await tree();
    await client.send('REST', groupChange(harbour.key, { parent_group_key: south.key }), own.headers);
    const old = { group_path: quay.group_path };
    await VehicleStore.updateOne(accessScope, { key: member }, old);
    await completeMoves(testService, Date.now());
    expect(await pathOf(VehicleStore, member)).toEqual(quay.group_path.toSorted());
    await completeMoves(testService, Date.now() + 121_000);
    expect(await pathOf(VehicleStore, member)).toEqual([south.key, harbour.key, quay.key].toSorted());
    expect(await groupNow(harbour.key)).toMatchObject({ moved_at: null });
  });
});
