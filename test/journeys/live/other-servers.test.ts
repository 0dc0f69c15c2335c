import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { revokeApiKey } from '../../../auth/api-keys.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { onChange } from '../../../notifying/changes/on-change.ts';
import { heed, isAnybodyListening, lookAtOthers } from '../../../notifying/live/other-processes.ts';
import { watchOthers } from '../../../notifying/live/watch-processes.ts';
import { subscribe } from '../../clients/event-client.ts';
import { account } from '../../services/account-fixture.ts';
import { needsCapabilities } from '../../services/capabilities.ts';
import { useDatabase, testService, storeNamed } from '../../services/database.ts';
import { at, ingestHost, recordingDevice, timeAt } from '../../hosts/ingest-host.ts';
import { queriesDuring } from '../../services/queries-during.ts';
import { listen } from '../../hosts/test-host.ts';

useDatabase();
needsCapabilities('capped collections');

const MOVED = `subscription ($vehicle_keys: [String!]) {
  vehicle_moved(vehicle_keys: $vehicle_keys) { vehicle_key vehicle_location { timestamp } } }`;
const CHANGES = 'subscription { changes { nodes { kind } } }';

const messages = () => testService.connection.collection('server_messages');

let host: Awaited<ReturnType<typeof ingestHost>>;
let port: number;
beforeAll(async () => {
  host = await ingestHost();
  port = await listen(host.app);
});
afterAll(() => host.app.close());
beforeEach(async () => {
  // Streams of the test before end when the server has noticed that their clients have.
  await vi.waitFor(() => expect(isAnybodyListening(testService)).toBe(false), { interval: 5, timeout: 60_000 });
  await testService.connection.db?.dropCollection('server_messages');
});
afterEach(() => {
  vi.useRealTimers();
});

/** Watches as a server does; the intervals at which it looks by itself pass where a test says so. */
function watch() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const faults: unknown[] = [];
  const watching = watchOthers(testService, (error) => faults.push(error));
  onTestFinished(async () => {
    await watching.close();
    expect(faults).toEqual([]);
  });
  return faults;
}

/** Sends a message as another server does. */
const tell = (message: object) =>
  messages().insertOne({
    sender: 'another',
    sent_at: new Date(),
    log_account_keys: [],
    moved: [],
    changes_permissions: false,
    ...message,
  });

/** Lets time pass until something is true; a turn of the loop is one interval of looking. */
async function passUntil(isTrue: () => boolean | Promise<boolean>) {
  await vi.waitFor(
    async () => {
      vi.advanceTimersByTime(150);
      expect(await isTrue()).toBe(true);
    },
    { interval: 5, timeout: 60_000 },
  );
}

/** Resolves once messages are read: after the first look, a log that has not changed is announced by nothing else. */
async function untilMessagesAreRead(account_key: string) {
  let announced = 0;
  const stop = onChange(testService, account_key, () => {
    announced += 1;
  });
  onTestFinished(stop);
  await passUntil(async () => announced > 0 && (await messages().countDocuments()) > 0);
  const before = announced;
  await tell({ log_account_keys: [account_key] });
  await passUntil(() => announced > before);
  return { announced: () => announced };
}

describe('a server tells others', () => {
  const sent = async (field: string) => {
    await passUntil(async () => (await messages().countDocuments({ [field]: { $nin: [false, []] } })) > 0);
    return messages().findOne({ [field]: { $nin: [false, []] } });
  };

  test('of entries in logs', async () => {
    watch();
    const { headers, key } = await account();
    await host.ask('mutation { createVehicle(input: { nickname: "Van" }) { key } }', headers);
    await numberChanges(testService);
    expect(await sent('log_account_keys')).toMatchObject({ log_account_keys: expect.arrayContaining([key]) });
  });

  test('of positions, whoever follows them here, those that came at the same time in one message', async () => {
    watch();
    const one = await recordingDevice();
    const other = await recordingDevice(one.owner);
    for (const { secret } of [one, other]) await host.post(secret, { points: [at(0)] });
    for (const { secret } of [one, other]) await host.post(secret, { points: [at(10)] });
    const keys = new Set<string>();
    await passUntil(async () => {
      for (const { moved } of await messages().find().toArray()) {
        for (const { account_key, vehicle_keys } of moved) {
          expect(account_key).toBe(one.owner.key);
          for (const key of vehicle_keys) keys.add(key);
        }
      }
      return keys.size === 2;
    });
    expect([...keys].sort()).toEqual([one.vehicle_key, other.vehicle_key].sort());
  });

  test('of permissions that it has changed, and not of those of which others told it', async () => {
    watch();
    const { key, apiKeyKey } = await account();
    await heed(testService, {
      sender: 'another',
      sent_at: new Date(),
      log_account_keys: [key],
      moved: [],
      changes_permissions: true,
    });
    await revokeApiKey(apiKeyKey, accountAccessScope(testService, key));
    await sent('changes_permissions');
    expect(await messages().countDocuments({ changes_permissions: true })).toBe(1);
  });
});

describe('a server is told', () => {
  test('of entries in a log that is listened to, without reading it', async () => {
    watch();
    const { key } = await account();
    await untilMessagesAreRead(key);
  });

  test('of positions of vehicles that are followed, and reads those alone', async () => {
    const device = await recordingDevice();
    const still = await recordingDevice(device.owner);
    for (const { secret } of [device, still]) await host.post(secret, { points: [at(0)] });
    const vehicle_keys = [device.vehicle_key, still.vehicle_key];
    const { next } = await subscribe(port, MOVED, device.owner.headers, { vehicle_keys });
    await next();
    await next();
    watch();
    await untilMessagesAreRead(device.owner.key);
    // Under a lease, a position is announced before the time of its transmission is stored.
    const moved = { 'position.at': new Date(timeAt(10)), last_transmission: new Date(0) };
    await testService.connection
      .collection('devices')
      .updateMany({ key: { $in: [device.device_key, still.device_key] } }, { $set: moved });
    const { key: account_key } = device.owner;
    await tell({ moved: [{ account_key, vehicle_keys: [device.vehicle_key, 'unknown'] }] });
    const vehicle_location = { timestamp: timeAt(10) };
    expect(await next()).toEqual({ data: { vehicle_moved: { vehicle_key: device.vehicle_key, vehicle_location } } });
  });

  test('of a revocation, which ends streams of the log', async () => {
    const { headers, key, apiKeyKey } = await account();
    const { next } = await subscribe(port, CHANGES, headers);
    await next();
    await lookAtOthers(testService);
    const revoked = { $set: { revoked: new Date() } };
    await testService.connection.collection('api_keys').updateOne({ key: apiKeyKey }, revoked);
    await testService.connection
      .collection<{ _id: string }>('permission_stamps')
      .updateOne({ _id: 'permissions' }, { $set: { stamp: `after ${key}` } }, { upsert: true });
    await heed(testService, {
      sender: 'another',
      sent_at: new Date(),
      log_account_keys: [],
      moved: [],
      changes_permissions: true,
    });
    const error = expect.objectContaining({ extensions: { code: 'UNAUTHENTICATED' } });
    expect(await next()).toEqual({ errors: [error] });
  });
});

test('while messages come, the log is read once in five seconds, and nothing more often but permissions', async () => {
  watch();
  const { key } = await account();
  await untilMessagesAreRead(key);
  const read = await queriesDuring(async () => {
    for (let passed = 0; passed < 15_000; passed += 150) {
      vi.advanceTimersByTime(150);
      await messages().estimatedDocumentCount();
    }
  });
  const count = (wanted: string) => read.filter(({ collection }) => collection === wanted).length;
  expect(count('permission_stamps')).toBeGreaterThan(2);
  expect(count('permission_stamps')).toBeLessThanOrEqual(15_000 / 800 + 1);
  // Three looks, and one that had begun before.
  expect(count('changes')).toBeLessThanOrEqual(4);
  expect(count('devices')).toBe(0);
});

test('a server that may send no messages looks by itself, and says what went wrong', async () => {
  const faults = watch();
  const refused = vi.spyOn(storeNamed('ServerMessage'), 'insertMany').mockRejectedValue(new Error('Not permitted'));
  onTestFinished(() => refused.mockRestore());
  const { headers, key } = await account();
  let announced = 0;
  onTestFinished(onChange(testService, key, () => (announced += 1)));
  await passUntil(() => announced > 0 && faults.length > 0);
  const before = announced;
  await host.ask('mutation { createVehicle(input: { nickname: "Van" }) { key } }', headers);
  await numberChanges(testService);
  await passUntil(() => announced > before + 1);
  expect(new Set(faults.splice(0).map(String))).toEqual(new Set(['Error: Not permitted']));
});

test('where the database has no capped collection of messages, none is sent, and servers look by themselves', async () => {
  await testService.connection.createCollection('server_messages');
  watch();
  const { headers, key } = await account();
  let announced = 0;
  onTestFinished(onChange(testService, key, () => (announced += 1)));
  await passUntil(() => announced > 0);
  const before = announced;
  // The entry is added as another server does it: nobody here is told.
  await host.ask('mutation { createVehicle(input: { nickname: "Van" }) { key } }', headers);
  await numberChanges(testService);
  await passUntil(() => announced > before);
  expect(await messages().countDocuments()).toBe(0);
});
