import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { AddressRanges } from '../../../http/requests/address-ranges.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { RuleEventStore } from '../../../models/rules/rule-event.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { sendBehind, sendDue } from '../../../notifying/webhooks/webhook-dispatch.ts';
import { webhookEvents } from '../../../resolvers/webhooks/webhook-events.ts';
import { notificationSender } from '../../../server/database/notification-sender.ts';
import type { Headers } from '../../clients/account-client.ts';
import { account, appFor, group, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService, sendNotificationsBy } from '../../services/database.ts';
import { ingestHost, recordingDevice, timeAt } from '../../hosts/ingest-host.ts';
import { webhookReceiver } from '../../hosts/webhook-receiver.ts';
import { atTime, request } from '../places/visit-world.ts';
import { drivenAt, rule, ruleEventsOf } from './rule-world.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let receiver: Awaited<ReturnType<typeof webhookReceiver>>;
beforeAll(async () => {
  host = await ingestHost();
  receiver = await webhookReceiver();
  sendNotificationsBy(notificationSender(AddressRanges.parse('127.0.0.0/8, ::1') ?? AddressRanges.NONE, receiver.ca));
});
afterAll(async () => {
  await host.app.close();
  await receiver.close();
});

const ask = (headers: Headers, method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) =>
  request(host, method, path, headers, payload);

describe('a rule', () => {
  test('is made, read, renamed and deleted', async () => {
    const owner = await account();
    const van = await vehicle(owner.key);
    const input = { name: ' Too fast ', speed_limit: 75, vehicle_keys: [van, van] };
    const { status, body } = await ask(owner.headers, 'POST', '/rules', input);
    expect(status).toBe(201);
    const made = body as { key: string };
    const fields = { name: 'Too fast', speed_limit: 75, silent_minutes: null, vehicle_keys: [van] };
    expect(made).toMatchObject(fields);
    expect((await ask(owner.headers, 'GET', '/rules')).body).toEqual({ rules: [made] });
    await ask(owner.headers, 'POST', `/rule/${made.key}`, { name: 'Over 75' });
    expect((await ask(owner.headers, 'GET', `/rule/${made.key}`)).body).toMatchObject({ ...fields, name: 'Over 75' });
    const path = `/rule/${made.key}`;
    expect((await ask(owner.headers, 'DELETE', path)).body).toEqual({ key: made.key, deleted: true });
    expect((await ask(owner.headers, 'GET', path)).status).toBe(404);
  });

  test.each([
    [{}, 'speed_limit or silent_minutes is required'],
    [{ speed_limit: 50, silent_minutes: 60 }, 'speed_limit or silent_minutes is required'],
    [{ speed_limit: 0 }, 'speed_limit must be above 0'],
    [{ speed_limit: 301 }, 'speed_limit must be above 0'],
    [{ silent_minutes: 14 }, 'silent_minutes must be 15 to 43200'],
    [{ speed_limit: 50, vehicle_keys: ['nothing'] }, 'vehicle_keys'],
  ])('%j is rejected', async (limit, message) => {
    const { headers } = await account();
    const { status, body } = await ask(headers, 'POST', '/rules', { name: 'Rule', ...limit });
    expect([status, (body as { errors: string }).errors]).toEqual([400, expect.stringContaining(message)]);
  });

  test('is of its account, and of users who are restricted to no group', async () => {
    const owner = await account();
    const { key } = await rule(host, owner.headers, { speed_limit: 50 });
    const other = await account();
    expect((await ask(other.headers, 'GET', `/rule/${key}`)).status).toBe(404);
    const ofGroup = await user(owner.key, [await group(owner.key, 'Drivers')]);
    for (const [user_key, expected] of [
      [await user(owner.key), 200],
      [ofGroup, 403],
      [await user(owner.key, [], { account_role: 'driver' }), 403],
    ] as const) {
      const app = await appFor(user_key, ['account_activity.read', 'account_activity.manage']);
      expect((await ask(app.headers, 'GET', '/rules')).status).toBe(expected);
      const made = await ask(app.headers, 'POST', '/rules', { name: 'Rule', speed_limit: 50 });
      expect(made.status).toBe(expected === 200 ? 201 : 403);
    }
  });
});

describe('events of a rule', () => {
  test('are entries of the log and notifications, and late positions correct them', async () => {
    const device = await recordingDevice();
    const { headers } = device.owner;
    const { key: rule_key } = await rule(host, headers, { speed_limit: 50 });
    const events = ['trip_over_speeding', 'device_silent'];
    await ask(headers, 'POST', '/webhooks', { url: receiver.url, events });
    let { cursor } = (await ask(headers, 'GET', '/changes')).body as { cursor: string };
    const changed = async () => {
      await leasedWorkEnded(testService);
      await numberChanges(testService);
      await sendBehind(testService, webhookEvents);
      await sendDue(testService, webhookEvents);
      const { body } = await ask(headers, 'GET', `/changes?cursor=${cursor}&expand=event`);
      ({ cursor } = body as { cursor: string });
      const { changes } = body as { changes: { kind: string; happened: string; event: unknown }[] };
      return changes.filter(({ kind }) => kind === 'event');
    };
    await host.post(device.secret, { points: [drivenAt(0, 40), drivenAt(10, 60), drivenAt(20, 70), drivenAt(30, 40)] });
    const [made, ...others] = await changed();
    const context = { rule: { key: rule_key }, ended: timeAt(20), trip: { key: expect.any(String) } };
    expect(made).toMatchObject({ happened: 'created', event: { event: 'trip_over_speeding', context } });
    expect(others).toEqual([]);
    expect(receiver.received.map(({ body }) => body)).toMatchObject([
      { event: 'trip_over_speeding', timestamp: timeAt(10), rule: { key: rule_key }, ended: timeAt(20) },
    ]);
    // A position between the two: there were two events.
    await host.post(device.secret, { points: [drivenAt(15, 40)] });
    expect((await changed()).map(({ happened }) => happened).toSorted()).toEqual(['created', 'updated']);
    expect(receiver.received.map(({ body }) => body.timestamp)).toEqual([timeAt(10), timeAt(20)]);
    // One before: the first began earlier.
    await host.post(device.secret, { points: [drivenAt(5, 55)] });
    expect((await changed()).map(({ happened }) => happened).toSorted()).toEqual(['created', 'deleted']);
    expect(await ruleEventsOf(host, device)).toEqual([
      [rule_key, timeAt(5), timeAt(10), 60],
      [rule_key, timeAt(20), timeAt(20), 70],
    ]);
  });

  test('end with the next position at or below the limit, and begin among positions that came before', async () => {
    const device = await recordingDevice();
    const { key } = await rule(host, device.owner.headers, { speed_limit: 50 });
    const send = async (seconds: number, speed: number) => {
      await host.post(device.secret, { points: [drivenAt(seconds, speed)] });
      await leasedWorkEnded(testService);
    };
    await send(0, 40);
    await send(10, 60);
    expect(await ruleEventsOf(host, device)).toEqual([[key, timeAt(10), null, 60]]);
    for (const seconds of [20, 30, 40]) await send(seconds, 40);
    expect(await ruleEventsOf(host, device)).toEqual([[key, timeAt(10), timeAt(10), 60]]);
    await send(35, 70);
    expect(await ruleEventsOf(host, device)).toEqual([
      [key, timeAt(10), timeAt(10), 60],
      [key, timeAt(35), timeAt(35), 70],
    ]);
  });

  test.each([
    ['the vehicle drives on after a pause', [3600, 3610]],
    ['its device is heard again', [3600]],
  ])('end with their trip, which is over as soon as %s', async (_, later) => {
    const device = await recordingDevice();
    const { key } = await rule(host, device.owner.headers, { speed_limit: 50 });
    await host.post(device.secret, { points: [drivenAt(0, 40), drivenAt(10, 60)] });
    expect(await ruleEventsOf(host, device)).toEqual([[key, timeAt(10), null, 60]]);
    await host.post(device.secret, { points: later.map((seconds) => drivenAt(seconds, 0)) });
    expect(await ruleEventsOf(host, device)).toEqual([[key, timeAt(10), timeAt(10), 60]]);
  });

  test('a device that falls silent is noticed by the clock, and positions that come late say otherwise', async () => {
    const device = await recordingDevice();
    const { headers } = device.owner;
    const { key } = await rule(host, headers, { silent_minutes: 60 });
    const silentAt = async (seconds: number) => {
      await leasedWorkEnded(testService);
      await atTime(seconds, () => closeOfflineTrips(testService));
      return ruleEventsOf(host, device);
    };
    await atTime(10, () => host.post(device.secret, { points: [drivenAt(0, 40), drivenAt(10, 40)] }));
    expect(await silentAt(1000)).toEqual([]);
    expect(await silentAt(3620)).toEqual([[key, timeAt(10), null, null]]);
    // It had no network for half an hour, and then for two hours.
    await atTime(7000, () => host.post(device.secret, { points: [drivenAt(1800, 40)] }));
    expect(await ruleEventsOf(host, device)).toEqual([[key, timeAt(1800), null, null]]);
    await atTime(9010, () => host.post(device.secret, { points: [drivenAt(9000, 40)] }));
    expect(await ruleEventsOf(host, device)).toEqual([[key, timeAt(1800), timeAt(9000), null]]);
    await host.post(device.secret, { points: [drivenAt(3600, 40), drivenAt(7100, 40)] });
    expect(await ruleEventsOf(host, device)).toEqual([]);
  });

  test('a silence is one also while the engine is known to run', async () => {
    const device = await recordingDevice();
    const { key } = await rule(host, device.owner.headers, { silent_minutes: 15 });
    for (const points of [[drivenAt(0, 40, 'engine_start')], [drivenAt(10, 40)], [drivenAt(910, 40)]]) {
      await host.post(device.secret, { points });
      await leasedWorkEnded(testService);
    }
    expect(await ruleEventsOf(host, device)).toEqual([[key, timeAt(10), timeAt(910), null]]);
  });

  test('a silence ends when its device leaves the vehicle, and a rule takes its events with it', async () => {
    const device = await recordingDevice();
    const { headers } = device.owner;
    const { key } = await rule(host, headers, { silent_minutes: 15 });
    await atTime(0, () => host.post(device.secret, { points: [drivenAt(0, 40)] }));
    await leasedWorkEnded(testService);
    await atTime(1000, () => closeOfflineTrips(testService));
    await atTime(2000, () => ask(headers, 'POST', `/device/${device.device_key}`, { vehicle_key: null }));
    expect(await ruleEventsOf(host, device)).toEqual([[key, timeAt(0), timeAt(2000), null]]);
    await ask(headers, 'DELETE', `/rule/${key}`);
    const rule_key = { rule_key: key };
    expect(await RuleEventStore.countDocuments(unrestricted(testService), rule_key)).toBe(0);
  });

  test('hold for the vehicles that the rule names', async () => {
    const [one, other] = [await recordingDevice(), await recordingDevice()];
    for (const { owner, vehicle_key } of [one, other]) {
      const elsewhere = await vehicle(owner.key);
      const vehicle_keys = vehicle_key === one.vehicle_key ? [vehicle_key] : [elsewhere];
      const input = { name: 'Rule', speed_limit: 50, vehicle_keys };
      await atTime(-10, () => ask(owner.headers, 'POST', '/rules', input));
    }
    for (const { secret } of [one, other]) await host.post(secret, { points: [drivenAt(0, 60), drivenAt(10, 60)] });
    expect(await ruleEventsOf(host, one)).toHaveLength(1);
    expect(await ruleEventsOf(host, other)).toEqual([]);
  });
});
