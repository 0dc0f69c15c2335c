import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { revokeGrant } from '../../../auth/grants.ts';
import { AddressRanges } from '../../../http/requests/address-ranges.ts';
import { SecurityEventStore } from '../../../models/account/security-event.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { WebhookDeliveryStore } from '../../../models/webhooks/webhook-delivery.ts';
import { WebhookStore } from '../../../models/webhooks/webhook.ts';
import { unrestricted, accountAccessScope } from '../../../models/store/tenancy.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { sendDeliveries } from '../../../notifying/webhooks/send-deliveries.ts';
import { sendBehind, sendDue, watchWebhooks } from '../../../notifying/webhooks/webhook-dispatch.ts';
import { webhookEvents } from '../../../resolvers/webhooks/webhook-events.ts';
import { notificationSender } from '../../../server/database/notification-sender.ts';
import { account, appFor, group, user } from '../../services/account-fixture.ts';
import { useDatabase, testService, sendNotificationsBy } from '../../services/database.ts';
import { at, ingestHost, recordingDevice, timeAt } from '../../hosts/ingest-host.ts';
import { AccountClient } from '../../clients/account-client.ts';
import { type Received, verify, webhookReceiver } from '../../hosts/webhook-receiver.ts';

useDatabase();

const THIS_MACHINE = '127.0.0.0/8, ::1';

/** Has webhooks sent to the public internet, and to these networks. */
function sendTo(networks: string): void {
  sendNotificationsBy(notificationSender(AddressRanges.parse(networks) ?? AddressRanges.NONE, receiver.ca));
}

let host: Awaited<ReturnType<typeof ingestHost>>;
let client: AccountClient;
let receiver: Awaited<ReturnType<typeof webhookReceiver>>;
beforeAll(async () => {
  host = await ingestHost();
  client = await AccountClient.of(host.app);
  receiver = await webhookReceiver();
  sendTo(THIS_MACHINE);
});
afterAll(async () => {
  await host.app.close();
  await receiver.close();
});
beforeEach(async () => {
  // Those of other tests would be sent events at a later time.
  await WebhookStore.deleteMany(unrestricted(testService), {});
  receiver.received.length = 0;
  receiver.answer(() => undefined);
});

afterEach(() => {
  for (const { body } of receiver.received) client.expectNotification(body);
});

type Headers = Readonly<Record<string, string>>;
type Device = Awaited<ReturnType<typeof recordingDevice>>;
type Json = Readonly<Record<string, unknown>>;

interface Hook {
  readonly key: string;
  readonly secret: string;
}

const BOTH = ['trip_start', 'trip_end'];

async function request(headers: Headers, method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) {
  const sent = { host: 'localhost', ...headers };
  const answer = await host.app.inject({ method, url: `/api/v2${path}`, headers: sent, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body === '' ? null : JSON.parse(answer.body) };
}

async function webhook(headers: Headers, events: readonly string[] = BOTH): Promise<Hook> {
  const { status, body } = await request(headers, 'POST', '/webhooks', { url: receiver.url, events });
  expect(status).toBe(201);
  return body;
}

const hookOf = async (headers: Headers, { key }: Hook) => (await request(headers, 'GET', `/webhook/${key}`)).body;
const deliveriesOf = async (headers: Headers, { key }: Hook): Promise<Json[]> =>
  (await request(headers, 'GET', `/webhook/${key}/deliveries`)).body.deliveries;

/** Sends a whole trip that begins some seconds after noon. */
async function drive({ secret }: Device, seconds = 0): Promise<void> {
  const points = [at(seconds, 'engine_start'), at(seconds + 10), at(seconds + 20, 'engine_stop')];
  expect(await host.post(secret, { points })).toMatchObject({ status: 200 });
  await leasedWorkEnded(testService);
}

/** Sends the beginnings of two trips, parted by a pause alone. */
async function driveTwice({ secret }: Device): Promise<void> {
  for (const seconds of [0, 600]) await host.post(secret, { points: [at(seconds), at(seconds + 10)] });
  await leasedWorkEnded(testService);
}

/** Sends late positions by which the trips of {@link driveTwice} are one. */
async function joinDrives({ secret }: Device): Promise<void> {
  expect(await host.post(secret, { points: [150, 300, 450].map((seconds) => at(seconds)) })).toMatchObject({
    status: 200,
  });
  await leasedWorkEnded(testService);
}

/** Sends what webhooks are to be sent by now. */
async function dispatch(): Promise<void> {
  await numberChanges(testService);
  await sendBehind(testService, webhookEvents);
  await sendDue(testService, webhookEvents);
}

/** Does something at a later time by the clock of the service. */
async function later<Result>(hours: number, work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

/** A time as `asctime` of C writes it, which RFC 9110 allows: in GMT, without saying so. */
function asctime(time: number): string {
  const [day, date, month, year, clock] = new Date(time).toUTCString().replace(',', '').split(' ');
  return `${day} ${month} ${date?.replace(/^0/, ' ')} ${clock} ${year}`;
}

const summary = (received: readonly Received[]) => received.map(({ body }) => [body.event, body.timestamp]);
const ids = (received: readonly Received[]) => received.map(({ headers }) => headers['webhook-id']);

describe('a webhook', () => {
  test('is sent the events that it names in the order of its vehicle, signed', async () => {
    const device = await recordingDevice();
    const { headers, key: account_key } = device.owner;
    await drive(device);
    const hook = await webhook(headers);
    await drive(device, 3600);
    await dispatch();
    const [started, ended] = receiver.received;
    expect(summary(receiver.received)).toEqual([
      ['trip_start', timeAt(3600)],
      ['trip_end', timeAt(3620)],
    ]);
    for (const got of receiver.received) verify(hook.secret, got);
    const { body: list } = await request(headers, 'GET', '/trips');
    const { key } = list.trips[0];
    const point = { lat: 53.0758, lon: 8.8 + 3600 * 0.0001 };
    expect(started?.body).toMatchObject({ key: `trip_start.${key}`, account_key, user_key: null, point });
    expect(started?.body.trip).not.toHaveProperty('ended_timestamp');
    expect(ended?.body).toMatchObject({
      key: `trip_end.${key}`,
      device: { key: device.device_key },
      car: { key: device.vehicle_key, vin: null, motion_status: 'stopped', speed: expect.any(Number) },
      trip: {
        key,
        distance: list.trips[0].gps_distance,
        started_timestamp: timeAt(3600),
        started_address: expect.stringMatching(/, Lower Saxony, Germany$/),
        started_latitude: point.lat,
        started_longitude: point.lon,
        ended_timestamp: timeAt(3620),
        ended_address: expect.stringMatching(/, Lower Saxony, Germany$/),
      },
    });
    await dispatch();
    expect(receiver.received).toHaveLength(2);
  });

  test('is sent what devices report, arrivals and departures, and is told of these once the place is deleted', async () => {
    const device = await recordingDevice();
    const { headers } = device.owner;
    const place = { name: 'Depot', point: at(3000).point, radius: 100 };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 2, 1) });
    const { key } = (await request(headers, 'POST', '/places', place)).body;
    vi.useRealTimers();
    const events = ['trip_hard_brake', 'vehicle_geofence_arrival', 'vehicle_geofence_departure'];
    await webhook(headers, events);
    const points = [at(2950, 'trip_hard_brake'), at(3000), at(3050)];
    await host.post(device.secret, { points });
    await leasedWorkEnded(testService);
    await dispatch();
    expect(receiver.received.map(({ body }) => body.event).toSorted()).toEqual(events.toSorted());
    const places = receiver.received.flatMap(({ body }) => body.place ?? []);
    expect(places).toEqual([
      { key, name: 'Depot' },
      { key, name: 'Depot' },
    ]);
    receiver.received.length = 0;
    await request(headers, 'DELETE', `/place/${key}`);
    await dispatch();
    expect(receiver.received.map(({ body: { event, deleted } }) => [event, deleted])).toEqual([
      ['vehicle_geofence_arrival', true],
      ['vehicle_geofence_departure', true],
    ]);
  });

  test('is sent an event again where a late position has corrected it, with another id and the same key', async () => {
    const device = await recordingDevice();
    await webhook(device.owner.headers, ['trip_start']);
    for (const seconds of [60, 50]) {
      await host.post(device.secret, { points: [at(seconds), at(seconds + 20)] });
      await leasedWorkEnded(testService);
      await dispatch();
    }
    expect(summary(receiver.received)).toEqual([
      ['trip_start', timeAt(60)],
      ['trip_start', timeAt(50)],
    ]);
    const [first, second] = receiver.received;
    expect(second?.body.key).toBe(first?.body.key);
    expect(new Set(ids(receiver.received)).size).toBe(2);
  });

  test('is told of an event that late positions have made none, if it was sent, and again once it is one', async () => {
    const device = await recordingDevice();
    const { headers } = device.owner;
    const hook = await webhook(headers);
    await driveTwice(device);
    await dispatch();
    receiver.received.length = 0;
    await joinDrives(device);
    await dispatch();
    const gone = receiver.received.filter(({ body }) => body.deleted === true);
    expect(summary(gone).toSorted()).toEqual([
      ['trip_end', timeAt(10)],
      ['trip_start', timeAt(600)],
    ]);
    for (const got of gone) {
      verify(hook.secret, got);
      expect(got.body).toMatchObject({ account_key: device.owner.key, car: { key: device.vehicle_key } });
    }
    expect((await request(headers, 'GET', '/events')).body.events.map(({ event }: Json) => event)).toEqual([
      'trip_start',
    ]);
    const list = await deliveriesOf(headers, hook);
    expect(list.filter(({ deleted }) => deleted === true).map(({ status }) => status)).toEqual([
      'delivered',
      'delivered',
    ]);
    receiver.received.length = 0;
    await host.post(device.secret, { points: [at(610, 'engine_stop')] });
    await leasedWorkEnded(testService);
    await dispatch();
    expect(summary(receiver.received)).toEqual([['trip_end', timeAt(610)]]);
  });

  test('is not told that an event is none which it was not sent', async () => {
    const device = await recordingDevice();
    await webhook(device.owner.headers, ['trip_end']);
    await driveTwice(device);
    await joinDrives(device);
    await dispatch();
    expect(receiver.received).toEqual([]);
  });

  test('that answers 503 is sent the event again with the same id before those that follow; other vehicles do not wait', async () => {
    const device = await recordingDevice();
    const other = await recordingDevice(device.owner);
    await webhook(device.owner.headers);
    receiver.answer(({ body }) => ((body.car as Json).key === device.vehicle_key ? { status: 503 } : undefined));
    await drive(device);
    await drive(other);
    await dispatch();
    const ofVehicle = (key: string) => receiver.received.filter(({ body }) => (body.car as Json).key === key);
    expect(summary(ofVehicle(other.vehicle_key))).toHaveLength(2);
    expect(summary(ofVehicle(device.vehicle_key))).toEqual([['trip_start', timeAt(0)]]);
    receiver.answer(() => undefined);
    await later(0.01, dispatch);
    expect(summary(ofVehicle(device.vehicle_key)).map(([event]) => event)).toEqual([
      'trip_start',
      'trip_start',
      'trip_end',
    ]);
    const [first, second] = ids(ofVehicle(device.vehicle_key));
    expect(second).toBe(first);
  });

  test('that is slow is sent the next event as soon as it has answered', async () => {
    const device = await recordingDevice();
    await webhook(device.owner.headers);
    await drive(device);
    const reads = vi.spyOn(WebhookDeliveryStore, 'find');
    receiver.answer(async () => {
      // Meanwhile it is looked whether anything else is to be sent.
      const { length } = reads.mock.calls;
      if (receiver.received.length === 1) await vi.waitUntil(() => reads.mock.calls.length > length, 10_000);
      return undefined;
    });
    await dispatch();
    expect(summary(receiver.received).map(([event]) => event)).toEqual(BOTH);
  });

  test('that asks for a pause by Retry-After is left alone for so long', async () => {
    const device = await recordingDevice();
    await webhook(device.owner.headers, ['trip_start']);
    receiver.answer(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    await drive(device);
    await dispatch();
    await later(0.9, dispatch);
    expect(receiver.received).toHaveLength(1);
    await later(1.1, dispatch);
    expect(receiver.received).toHaveLength(2);
  });

  test.each([
    ['less than the pause of the service', '1', 5],
    ['a date', () => new Date(Date.now() + 3_600_000).toUTCString(), 3600],
    ['a date in the form of asctime', () => asctime(Date.now() + 3_600_000), 3600],
    ['a date that is over', 'Sunday, 06-Nov-94 08:49:37 GMT', 5],
    ['no time', 'soon', 5],
    ['more than three days', '99999999', 3 * 86_400],
  ])(
    'that asks for %s by Retry-After is left alone for the longer pause, up to three days',
    async (_, asked, pause) => {
      const device = await recordingDevice();
      const { headers } = device.owner;
      const hook = await webhook(headers, ['trip_start']);
      receiver.answer(() => ({ status: 503, headers: { 'retry-after': typeof asked === 'string' ? asked : asked() } }));
      await drive(device);
      await dispatch();
      const [delivery] = (await deliveriesOf(headers, hook)) as [Json];
      const [made] = delivery.attempts as [Json];
      const ended = Date.parse(String(made.timestamp)) + Number(made.duration_ms);
      // Times of answers, and dates, have whole seconds.
      expect(Math.abs((Date.parse(String(delivery.next_attempt)) - ended) / 1000 - pause)).toBeLessThan(3);
    },
  );

  test('that takes long to refuse an event is sent it again 5 seconds after that at the earliest', async () => {
    const device = await recordingDevice();
    const { headers } = device.owner;
    const hook = await webhook(headers, ['trip_start']);
    let answered = 0;
    receiver.answer(() => {
      // As long as a request may take.
      answered = Date.now() + 14_000;
      vi.useFakeTimers({ toFake: ['Date'], now: answered });
      return { status: 503 };
    });
    onTestFinished(() => void vi.useRealTimers());
    await drive(device);
    await dispatch();
    const [delivery] = await deliveriesOf(headers, hook);
    expect(Date.parse(String(delivery?.next_attempt))).toBeGreaterThanOrEqual(
      Math.floor(answered / 1000) * 1000 + 5000,
    );
    expect(receiver.received).toHaveLength(1);
  });

  test('that refuses an event five times is sent those that follow', async () => {
    const device = await recordingDevice();
    const { headers } = device.owner;
    const hook = await webhook(headers);
    receiver.answer(({ body }) => (body.event === 'trip_start' ? { status: 422 } : undefined));
    await drive(device);
    await dispatch();
    for (const hours of [0.1, 0.3, 0.5, 2]) await later(hours, dispatch);
    expect(receiver.received.map(({ body }) => body.event)).toEqual([...Array(5).fill('trip_start'), 'trip_end']);
    const [ended, started] = (await deliveriesOf(headers, hook)) as [Json, Json];
    expect(started).toMatchObject({ event: 'trip_start', status: 'set_aside', next_attempt: null });
    expect((started.attempts as Json[])[4]).toMatchObject({ status_code: 422, response: 'status 422' });
    expect(ended).toMatchObject({ event: 'trip_end', status: 'delivered' });
  });

  test('that answers 410 is disabled', async () => {
    const device = await recordingDevice();
    const { headers } = device.owner;
    const hook = await webhook(headers);
    receiver.answer(() => ({ status: 410 }));
    await drive(device);
    await dispatch();
    await later(1, dispatch);
    expect(receiver.received).toHaveLength(1);
    expect(await hookOf(headers, hook)).toMatchObject({ status: 'disabled', notice: expect.stringContaining('410') });
  });

  test('that takes nothing for three days is paused, and is sent what has waited once it is active again', async () => {
    const device = await recordingDevice();
    const { headers } = device.owner;
    const hook = await webhook(headers);
    receiver.answer(() => ({ status: 500 }));
    await drive(device);
    await dispatch();
    const hours = [0.1, 0.2, 0.5, 1.5, 4, 10, 20, 35, 56];
    for (const after of hours) await later(after, dispatch);
    expect(await hookOf(headers, hook)).toMatchObject({ status: 'active', notice: null });
    await later(80, dispatch);
    expect(receiver.received).toHaveLength(hours.length + 2);
    expect(await hookOf(headers, hook)).toMatchObject({
      status: 'paused',
      notice: expect.stringContaining('three days'),
    });
    receiver.answer(() => undefined);
    await later(81, dispatch);
    expect(receiver.received).toHaveLength(hours.length + 2);
    await request(headers, 'POST', `/webhook/${hook.key}`, { status: 'active' });
    await dispatch();
    expect(summary(receiver.received.slice(-2)).map(([event]) => event)).toEqual(BOTH);
    expect(await hookOf(headers, hook)).toMatchObject({ status: 'active', notice: null });
  });

  test('is in the security log when it is made, sent elsewhere, given another secret and deleted, and by whom', async () => {
    const owner = await account();
    const user_key = await user(owner.key);
    const app = await appFor(user_key, ['account_activity.read', 'account_activity.manage']);
    const hook = await webhook(app.headers, ['trip_start']);
    await request(app.headers, 'POST', `/webhook/${hook.key}`, { events: ['trip_end'] });
    await request(app.headers, 'POST', `/webhook/${hook.key}`, { url: 'https://fleet.example/' });
    await request(owner.headers, 'POST', `/webhook/${hook.key}/rotate_secret`, {});
    await request(owner.headers, 'DELETE', `/webhook/${hook.key}`);
    const accessScope = accountAccessScope(testService, owner.key);
    const logged = await SecurityEventStore.find(accessScope, { subject: hook.key }).sort({ _id: 1 });
    expect(logged.map(({ kind, actor, user_key: of }) => [kind, actor, of])).toEqual([
      ['webhook_created', 'app', user_key],
      ['webhook_address_changed', 'app', user_key],
      ['webhook_secret_rotated', 'owner', null],
      ['webhook_deleted', 'owner', null],
    ]);
  });

  test('has requests signed by two secrets while the old one is replaced', async () => {
    const device = await recordingDevice();
    const { headers } = device.owner;
    const hook = await webhook(headers, ['trip_start']);
    const { body: rotated } = await request(headers, 'POST', `/webhook/${hook.key}/rotate_secret`, {});
    await drive(device);
    await dispatch();
    const [got] = receiver.received as [Received];
    for (const { secret } of [hook, rotated]) verify(secret, got);
    await later(25, async () => {
      await drive(device, 7200);
      await dispatch();
      const last = receiver.received.at(-1) as Received;
      verify(rotated.secret, last);
      expect(() => verify(hook.secret, last)).toThrow('No matching signature');
    });
  });

  test('is sent one delivery again, or all since a time in their order, also of kinds that it names since', async () => {
    const device = await recordingDevice();
    const { headers } = device.owner;
    const since = new Date().toISOString();
    const hook = await webhook(headers, ['trip_end']);
    await drive(device);
    await dispatch();
    const [delivery] = await deliveriesOf(headers, hook);
    const replay = (body: object) => request(headers, 'POST', `/webhook/${hook.key}/replay`, body);
    expect(await replay({ delivery_key: delivery?.key })).toMatchObject({ status: 200 });
    await dispatch();
    expect(ids(receiver.received)).toEqual([delivery?.key, delivery?.key]);
    await request(headers, 'POST', `/webhook/${hook.key}`, { events: BOTH });
    expect(await replay({ since })).toMatchObject({ status: 200 });
    await dispatch();
    expect(receiver.received.slice(2).map(({ body }) => body.event)).toEqual(BOTH);
    for (const [body, errors] of [
      [{}, 'delivery_key or since is required, and not both'],
      [{ delivery_key: 'none' }, 'delivery_key does not belong to this webhook'],
      [{ since: 'yesterday' }, 'since is not an ISO 8601 date-time'],
    ] as const) {
      expect(await replay(body)).toEqual({ status: 400, body: { errors } });
    }
  });

  test('is tested by an event that is not logged', async () => {
    const { headers } = await account();
    const hook = await webhook(headers);
    receiver.answer(() => ({ status: 418 }));
    const { body } = await request(headers, 'POST', `/webhook/${hook.key}/test`, {});
    expect(body).toMatchObject({ status_code: 418, response: 'status 418', duration_ms: expect.any(Number) });
    expect(receiver.received[0]?.body).toMatchObject({ event: 'test', user_key: null });
    verify(hook.secret, receiver.received[0] as Received);
    expect(await deliveriesOf(headers, hook)).toEqual([]);
  });

  test('is sent nothing while it is paused, and nothing once it is deleted', async () => {
    const device = await recordingDevice();
    const { headers } = device.owner;
    const hook = await webhook(headers);
    await request(headers, 'POST', `/webhook/${hook.key}`, { status: 'paused' });
    await drive(device);
    await dispatch();
    expect(receiver.received).toEqual([]);
    expect(await request(headers, 'DELETE', `/webhook/${hook.key}`)).toMatchObject({ status: 200 });
    await dispatch();
    expect(receiver.received).toEqual([]);
    expect(await request(headers, 'GET', `/webhook/${hook.key}`)).toMatchObject({ status: 404 });
  });

  test('is sent each event once by several servers', async () => {
    const device = await recordingDevice();
    const hook = await webhook(device.owner.headers);
    await drive(device);
    await numberChanges(testService);
    await Promise.all([1, 2, 3].map(() => sendDeliveries(testService, webhookEvents, hook.key)));
    expect(receiver.received).toHaveLength(2);
  });
});

test('a stop ends requests that are under way; they are sent again, with the same id', async () => {
  const device = await recordingDevice();
  const { headers } = device.owner;
  const hook = await webhook(headers, ['trip_start']);
  await drive(device);
  await numberChanges(testService);
  const stop = new AbortController();
  receiver.answer(() => {
    stop.abort();
    return new Promise(() => undefined);
  });
  await sendDeliveries(testService, webhookEvents, hook.key, stop.signal);
  expect(await deliveriesOf(headers, hook)).toMatchObject([{ status: 'pending', attempts: [] }]);
  receiver.answer(() => undefined);
  await sendDue(testService, webhookEvents);
  const [first, second] = ids(receiver.received);
  expect([second, receiver.received.length]).toEqual([first, 2]);
});

describe('an event of the time in which the clock was ahead is sent again once it is set back', () => {
  test.each<[string, (stop: AbortController) => { status: number } | Promise<never>]>([
    ['if it was not accepted', () => ({ status: 503 })],
    [
      'if its first request was ended',
      (stop) => {
        stop.abort();
        return new Promise(() => undefined);
      },
    ],
  ])('%s', async (_, answer) => {
    const device = await recordingDevice();
    await webhook(device.owner.headers, ['trip_start']);
    const stop = new AbortController();
    receiver.answer(() => answer(stop));
    await drive(device);
    await numberChanges(testService);
    await later(24, async () => {
      for (const send of [sendBehind, sendDue]) await send(testService, webhookEvents, stop.signal);
    });
    expect(receiver.received).toHaveLength(1);
    receiver.answer(() => undefined);
    await sendDue(testService, webhookEvents);
    const [first, second] = ids(receiver.received);
    expect([second, receiver.received.length]).toEqual([first, 2]);
  });
});

test('a fault of the service is thrown, and the event is sent later', async () => {
  const device = await recordingDevice();
  const hook = await webhook(device.owner.headers, ['trip_start']);
  await drive(device);
  await numberChanges(testService);
  await WebhookStore.updateOne(unrestricted(testService), { key: hook.key }, { 'secrets.0.sealed': 'damaged' });
  await expect(sendDeliveries(testService, webhookEvents, hook.key)).rejects.toThrow('KEY_ENCRYPTION_SECRET');
  expect(receiver.received).toEqual([]);
  await request(device.owner.headers, 'POST', `/webhook/${hook.key}/rotate_secret`, {});
  await WebhookStore.updateOne(unrestricted(testService), { key: hook.key }, { $pop: { secrets: 1 } });
  await later(0.1, dispatch);
  expect(receiver.received).toHaveLength(1);
});

test('a fault of the database at the end of sending releases the webhook, which is due for the next', async () => {
  const device = await recordingDevice();
  const hook = await webhook(device.owner.headers, ['trip_start']);
  await drive(device);
  await numberChanges(testService);
  const update = WebhookStore.updateOne.bind(WebhookStore);
  const failing = vi.spyOn(WebhookStore, 'updateOne').mockImplementation(async (accessScope, filter, change) => {
    if ('due' in change && !('lease' in change)) throw new Error('The database is away');
    return update(accessScope, filter, change);
  });
  onTestFinished(() => failing.mockRestore());
  await expect(sendDeliveries(testService, webhookEvents, hook.key)).rejects.toThrow('The database is away');
  const { lease, due } = (await WebhookStore.findOne(unrestricted(testService), { key: hook.key }, null)) ?? {};
  expect([lease, due]).toEqual([null, expect.any(Date)]);
});

test('events are sent five seconds after a fault of the database, or at the next entry', async () => {
  const device = await recordingDevice();
  await webhook(device.owner.headers, ['trip_start']);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const failing = vi.spyOn(WebhookStore, 'find').mockImplementationOnce(() => {
    throw new Error('The database is away');
  });
  onTestFinished(() => failing.mockRestore());
  const sent = new Promise<void>((resolve) => receiver.answer(() => void resolve()));
  const faulted = new Promise<unknown>((resolve) => {
    const watching = watchWebhooks(testService, webhookEvents, (error) => {
      resolve(error);
      setImmediate(() => vi.advanceTimersByTime(5000));
    });
    onTestFinished(() => watching.close());
  });
  await drive(device);
  await numberChanges(testService);
  expect(String(await faulted)).toBe('Error: The database is away');
  await sent;
  expect(summary(receiver.received)).toEqual([['trip_start', timeAt(0)]]);
});

describe('the webhook of an app', () => {
  const SCOPES = ['account_activity.read', 'account_activity.manage', 'vehicles.read'];

  test("is sent the events of its user's groups, and belongs to the app and the user alone", async () => {
    const device = await recordingDevice();
    const { headers, key: account_key } = device.owner;
    const hidden = await recordingDevice(device.owner);
    const night = await group(account_key, 'Night');
    await request(headers, 'POST', `/vehicle/${device.vehicle_key}`, { group_keys: [night.key] });
    const restricted = await appFor(await user(account_key, [night]), SCOPES);
    const stranger = await appFor(await user(account_key), SCOPES);
    const hook = await webhook(restricted.headers);
    await drive(device);
    await drive(hidden);
    await dispatch();
    expect(receiver.received.map(({ body }) => (body.car as Json).key)).toEqual([
      device.vehicle_key,
      device.vehicle_key,
    ]);
    expect(await request(stranger.headers, 'GET', `/webhook/${hook.key}`)).toMatchObject({ status: 404 });
    expect((await request(stranger.headers, 'GET', '/webhooks')).body.webhooks).toEqual([]);
    expect((await request(headers, 'GET', '/webhooks')).body.webhooks).toMatchObject([{ key: hook.key }]);
  });

  test('is sent nothing once its grant is revoked', async () => {
    const device = await recordingDevice();
    const app = await appFor(await user(device.owner.key), SCOPES);
    const hook = await webhook(app.headers);
    await drive(device);
    await revokeGrant(testService, app.grant.id_hash);
    await dispatch();
    expect(receiver.received).toEqual([]);
    expect(await hookOf(device.owner.headers, hook)).toMatchObject({
      status: 'disabled',
      notice: expect.stringContaining('access'),
    });
  });

  test('is sent nothing of what its user sees no longer when it is to be sent', async () => {
    const device = await recordingDevice();
    const app = await appFor(await user(device.owner.key), SCOPES);
    const hook = await webhook(app.headers);
    receiver.answer(() => ({ status: 500 }));
    await drive(device);
    await dispatch();
    receiver.answer(() => undefined);
    await request(device.owner.headers, 'DELETE', `/vehicle/${device.vehicle_key}`);
    await later(1, dispatch);
    expect(receiver.received).toHaveLength(1);
    expect(await deliveriesOf(app.headers, hook)).toEqual([]);
  });

  test.each([
    ['leaves the groups of its user', 'updateVehicle(key: "VEHICLE", input: { group_keys: [] })'],
    ['is hidden by a privacy zone', 'createPrivacyZone(input: { lat: 53.0758, lon: 8.8, radius_meters: 200 })'],
  ])('is not told that an event is none any more once the vehicle %s', async (_, mutation) => {
    const device = await recordingDevice();
    const { headers, key } = device.owner;
    const night = await group(key, 'Night');
    await request(headers, 'POST', `/vehicle/${device.vehicle_key}`, { group_keys: [night.key] });
    await webhook((await appFor(await user(key, [night]), SCOPES)).headers);
    await driveTwice(device);
    await dispatch();
    expect(receiver.received.length).toBeGreaterThan(0);
    receiver.received.length = 0;
    await host.ask(`mutation { ${mutation.replace('VEHICLE', device.vehicle_key)} { key } }`, headers);
    await joinDrives(device);
    await dispatch();
    expect(receiver.received).toEqual([]);
  });
});

const ADDRESSES = [
  'http://bakery.example/',
  'https://user:pass@bakery.example/',
  'https://bakery.example/#a',
  'bakery',
  'https://0x7f.1/',
  'https://bakery.example/a b',
  'https://bakery.\nexample/',
  'https://bakery.example/\u0000',
  'https://bakery.example\\@10.0.0.1/',
];

const PRIVATE = [
  '10.0.0.1',
  '192.168.1.9',
  '169.254.169.254',
  '[::1]',
  '[::127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[fd00::1]',
];

test.each<[object, unknown]>([
  [{ events: BOTH }, 'url is required'],
  [{ url: 'https://bakery.example/' }, 'events is required'],
  [{ url: 'https://bakery.example/', events: [] }, 'events must name at least one kind'],
  ...ADDRESSES.map((url): [object, unknown] => [
    { url, events: BOTH },
    expect.stringContaining('url must be an https address'),
  ]),
])('POST /webhooks with %j is 400', async (body, errors) => {
  const { headers } = await account();
  expect(await request(headers, 'POST', '/webhooks', body)).toEqual({ status: 400, body: { errors } });
});

test.each([...PRIVATE, 'localhost', 'hooks.localhost'])(
  'a webhook at %s is refused when it is made or changed, unless the operator names its network',
  async (host) => {
    const { headers } = await account();
    const refused = { status: 400, body: { errors: 'url must be on the public internet' } };
    const hook = await webhook(headers);
    sendTo('');
    onTestFinished(() => sendTo(THIS_MACHINE));
    const url = `https://${host}/`;
    expect(await request(headers, 'POST', '/webhooks', { url, events: BOTH })).toEqual(refused);
    expect(await request(headers, 'POST', `/webhook/${hook.key}`, { url })).toEqual(refused);
    sendTo('127.0.0.0/8, 10.0.0.0/8, 192.168.0.0/16, 169.254.0.0/16, ::/8, fd00::/8');
    expect(await request(headers, 'POST', `/webhook/${hook.key}`, { url })).toMatchObject({ status: 200 });
  },
);

test('addresses of private networks are not reached, unless the operator names them', async () => {
  const { headers } = await account();
  const hook = await webhook(headers);
  sendTo('');
  const { body } = await request(headers, 'POST', `/webhook/${hook.key}/test`, {});
  expect(body).toMatchObject({ status_code: null, response: 'The host cannot be reached' });
  expect(receiver.received).toEqual([]);
  sendTo(THIS_MACHINE);
});

test('redirects are not followed', async () => {
  const { headers } = await account();
  const hook = await webhook(headers);
  receiver.answer(() => ({ status: 307, headers: { location: receiver.url } }));
  const { body } = await request(headers, 'POST', `/webhook/${hook.key}/test`, {});
  expect(body).toMatchObject({ status_code: 307 });
  expect(receiver.received).toHaveLength(1);
});

test('deliveries go with their vehicle', async () => {
  const { purgeDeleted } = await import('../../../tracking/retention/purge-deleted.ts');
  const device = await recordingDevice();
  const { headers } = device.owner;
  const hook = await webhook(headers);
  await drive(device);
  await dispatch();
  expect(await deliveriesOf(headers, hook)).toHaveLength(2);
  await request(headers, 'DELETE', `/vehicle/${device.vehicle_key}`);
  await later(40 * 24, () => purgeDeleted(testService));
  expect(await VehicleStore.countDocuments(unrestricted(testService), { key: device.vehicle_key })).toBe(0);
  expect(await deliveriesOf(headers, hook)).toEqual([]);
});
