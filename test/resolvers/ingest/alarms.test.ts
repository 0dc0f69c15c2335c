import { afterAll, beforeAll, expect, test } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { webhookEvents } from '../../../resolvers/webhooks/webhook-events.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

/** Traccar's alarms that have another name here; the others have theirs, in our spelling. */
const NAMED: Readonly<Record<string, string>> = {
  hardBraking: 'trip_hard_brake',
  hardAcceleration: 'trip_rapid_accel',
  overspeed: 'trip_over_speeding',
  lowPower: 'vehicle_low_battery',
  fault: 'vehicle_trouble_code',
  powerCut: 'device_unplug',
  removing: 'device_unplug',
  powerRestored: 'device_reconnect',
  fallDown: 'fall_down',
  lowBattery: 'low_battery',
  powerOff: 'power_off',
  powerOn: 'power_on',
  geofenceEnter: 'geofence_enter',
  geofenceExit: 'geofence_exit',
  gpsAntennaCut: 'gps_antenna_cut',
  highRpm: 'high_rpm',
  hardCornering: 'hard_cornering',
  laneChange: 'lane_change',
  fatigueDriving: 'fatigue_driving',
  footBrake: 'foot_brake',
  fuelLeak: 'fuel_leak',
};
/** All alarms of Traccar 6. */
const ALARMS = [
  ...['general', 'sos', 'vibration', 'movement', 'lowspeed', 'door', 'lock', 'unlock', 'geofence', 'accident', 'tow'],
  ...['idle', 'jamming', 'temperature', 'parking', 'bonnet', 'tampering', ...Object.keys(NAMED)],
];

const timeOf = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();
const traccar = (uniqueId: string, minute: number, attributes: object, event?: object) => ({
  device: { uniqueId },
  position: {
    ...{ deviceTime: timeOf(minute), fixTime: timeOf(minute), latitude: 53, longitude: 8 },
    ...{ valid: true, attributes },
  },
  ...(event && { event }),
});

interface SeenEvent {
  readonly key: string;
  readonly event: string;
  readonly timestamp: string;
  readonly context: { readonly name: string | null; readonly point: unknown };
}

async function eventsOf(
  { owner, vehicle_key }: Awaited<ReturnType<typeof recordingDevice>>,
  more = '',
): Promise<SeenEvent[]> {
  const url = `/api/v2/events?vehicle_key=${vehicle_key}&size=200${more}`;
  const answer = await host.app.inject({ url, headers: { host: 'localhost', ...owner.headers } });
  const { events } = answer.json() as { events: SeenEvent[] };
  return events.filter(({ event }) => !/^trip_(start|end)$/.test(event)).toReversed();
}

async function forwarded() {
  const owner = await account();
  const { secret } = await issueIngestKey(testService, { account_key: owner.key, device_key: null });
  return { device: await recordingDevice(owner), secret };
}

test('each alarm of Traccar is an event that is listed', async () => {
  const { device, secret } = await forwarded();
  for (const [minute, alarm] of ALARMS.entries()) {
    await host.post(secret, traccar(device.serial, minute, { alarm }));
  }
  const seen = await eventsOf(device);
  expect(seen.map(({ event, context }) => [event, context.name])).toEqual(
    ALARMS.map((alarm) => [NAMED[alarm] ?? alarm, null]),
  );
  expect((await eventsOf(device, '&event=tow')).map(({ event }) => event)).toEqual(['tow']);
});

test('several alarms of one message are several events, and one that is forwarded as an event too is one', async () => {
  const { device, secret } = await forwarded();
  const event = { type: 'alarm', eventTime: timeOf(1), attributes: { alarm: 'sos' } };
  await host.post(secret, traccar(device.serial, 1, { alarm: 'sos, tow' }));
  await host.post(secret, traccar(device.serial, 1, { alarm: 'sos,tow' }, event));
  expect((await eventsOf(device)).map(({ event: name }) => name).sort()).toEqual(['sos', 'tow']);
});

test('other alarms are readable under their names, in lists and notifications', async () => {
  const { device, secret } = await forwarded();
  await host.post(secret, traccar(device.serial, 1, { alarm: 'doorAjar,<Tür 2>' }));
  const seen = await eventsOf(device, '&event=other');
  expect(seen.map(({ context }) => context.name).sort()).toEqual(['door_ajar', 't_r_2']);
  const [{ key } = { key: '' }] = seen;
  const caller = { kind: 'operator', account_key: device.owner.key } as const;
  const [event] = await webhookEvents.eventsByKey({ service: testService, caller }, [key]);
  if (!event) throw new Error('The event is not found by its key');
  const { body } = await webhookEvents.notificationOf(testService, caller, event);
  expect(JSON.parse(body)).toMatchObject({ event: 'other', name: seen[0]?.context.name });
});

test('the same words are the same events if a device sends them itself; those of the engine are none', async () => {
  const device = await recordingDevice();
  const sent = ['engine_start', 'sos', 'hard_braking', 'door_ajar'];
  const points = [{ point: { lat: 53, lon: 8 }, timestamp: timeOf(1), events: sent }];
  await host.post(device.secret, { points });
  const seen = (await eventsOf(device)).map(({ event, context }) => [event, context.name]);
  expect(seen.sort()).toEqual([
    ['other', 'door_ajar'],
    ['sos', null],
    ['trip_hard_brake', null],
  ]);
});

test('an alarm without any position is an event at its time, at the last known place', async () => {
  const { device, secret } = await forwarded();
  await host.post(secret, traccar(device.serial, 1, {}));
  const event = { type: 'alarm', eventTime: timeOf(7), attributes: { alarm: 'powerCut' } };
  await host.post(secret, { device: { uniqueId: device.serial }, position: null, event });
  const context = { point: { lat: 53, lon: 8 } };
  expect(await eventsOf(device)).toMatchObject([
    { event: 'device_unplug', timestamp: '2026-03-01T12:07:00+00:00', context },
  ]);
});

test('an alarm before any fix has no place', async () => {
  const { device, secret } = await forwarded();
  const event = { type: 'alarm', eventTime: timeOf(7), attributes: { alarm: 'powerCut' } };
  await host.post(secret, { device: { uniqueId: device.serial }, position: null, event });
  expect(await eventsOf(device)).toMatchObject([{ event: 'device_unplug', context: { point: null } }]);
});
