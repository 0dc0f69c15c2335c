import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { AddressRanges } from '../../../http/requests/address-ranges.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { WebhookStore } from '../../../models/webhooks/webhook.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { sendBehind, sendDue } from '../../../notifying/webhooks/webhook-dispatch.ts';
import { webhookEvents } from '../../../resolvers/webhooks/webhook-events.ts';
import { notificationSender } from '../../../server/database/notification-sender.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase, testService, sendNotificationsBy } from '../../services/database.ts';
import { ingestHost, recordingDevice, type SentPoint } from '../../hosts/ingest-host.ts';
import { runSize } from '../../services/run-size.ts';
import { inRequests } from '../../services/sent-in-parts.ts';
import { type Received, webhookReceiver } from '../../hosts/webhook-receiver.ts';
import { circle, pointAt, request } from '../places/visit-world.ts';
import { rule } from '../rules/rule-world.ts';

useDatabase();

const EVENTS = [
  ...['trip_start', 'trip_end', 'vehicle_geofence_arrival', 'vehicle_geofence_departure'],
  ...['trip_hard_brake', 'trip_over_speeding', 'device_silent'],
];

let host: Awaited<ReturnType<typeof ingestHost>>;
let receiver: Awaited<ReturnType<typeof webhookReceiver>>;
let owner: Awaited<ReturnType<typeof account>>;
beforeAll(async () => {
  host = await ingestHost();
  receiver = await webhookReceiver();
  sendNotificationsBy(notificationSender(AddressRanges.parse('127.0.0.0/8, ::1') ?? AddressRanges.NONE, receiver.ca));
  owner = await account();
  for (const east of [0, 4]) await circle(host, owner.headers, east);
  for (const limit of [{ speed_limit: 50 }, { silent_minutes: 15 }]) await rule(host, owner.headers, limit, -3600);
});
afterAll(async () => {
  await host.app.close();
  await receiver.close();
});

const MARKS = [[], [], [], ['engine_start'], ['engine_stop'], ['trip_hard_brake']] as const;

/** An hour of a vehicle, or some. */
const recording: fc.Arbitrary<SentPoint[]> = fc
  .array(
    fc.record({
      after: fc.constantFrom(10, 60, 299, 300, 1000),
      east: fc.constantFrom(-5, 0, 1, 4, 8),
      speed: fc.constantFrom(10, 60),
      marks: fc.constantFrom(...MARKS),
    }),
    { minLength: 2, maxLength: 20 },
  )
  .map((steps) => {
    let seconds = 0;
    return steps.map(({ after, east, speed, marks }) => {
      seconds += after;
      return { ...pointAt(seconds, east, ...marks), speed };
    });
  });

/** Positions of a vehicle in requests: all of them in one, or in any parts in any order, some of them again. */
const uploads = recording.chain((points) =>
  fc.oneof(
    fc.constant([points]),
    fc
      .record({
        sent: fc.oneof(fc.constant(points), fc.shuffledSubarray(points, { minLength: points.length })),
        again: fc.subarray(points),
        sizes: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }),
      })
      .map(({ sent, again, sizes }) => inRequests([...sent, ...again], sizes)),
  ),
);

async function dispatch(): Promise<void> {
  await numberChanges(testService);
  await sendBehind(testService, webhookEvents);
  await sendDue(testService, webhookEvents);
}

const vehicleOf = ({ body }: Received) => (body.car as { readonly key: string }).key;
const timeOf = ({ body }: Received) => String(body.timestamp);

/** Does something while webhooks are sent what there is at any instant, and then what is left; returns what they were sent. */
async function receivedDuring(work: () => Promise<unknown>): Promise<readonly Received[]> {
  receiver.received.length = 0;
  let isOver = false;
  const sending = (async () => {
    while (!isOver) await dispatch();
  })();
  await work();
  isOver = true;
  await sending;
  await leasedWorkEnded(testService);
  await dispatch();
  return [...receiver.received];
}

test('events of an upload are sent by time for each vehicle, corrections after what they correct', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(uploads, { minLength: 1, maxLength: 3 }), async (ofVehicles) => {
      await WebhookStore.deleteMany(unrestricted(testService), {});
      await request(host, 'POST', '/webhooks', owner.headers, { url: receiver.url, events: EVENTS });
      const devices = await Promise.all(ofVehicles.map(() => recordingDevice(owner)));
      /** Times of events by key, as a receiver holds them. */
      const held = new Map<string, string>();
      for (let part = 0; part < Math.max(...ofVehicles.map(({ length }) => length)); part++) {
        const sent = devices.map(({ secret }, at) => {
          const points = ofVehicles[at]?.[part];
          return () => points && host.post(secret, { points });
        });
        const received = await receivedDuring(() => Promise.all(sent.map((send) => send())));
        for (const { vehicle_key } of devices) {
          const times = received.filter((got) => vehicleOf(got) === vehicle_key).map(timeOf);
          expect(times).toEqual(times.toSorted());
        }
        for (const { body } of received) {
          if (body.deleted === true) expect(held.delete(body.key)).toBe(true);
          else held.set(body.key, String(body.timestamp));
        }
      }
      for (const { vehicle_key } of devices) {
        const { body } = await request(host, 'GET', `/events?size=200&vehicle_key=${vehicle_key}`, owner.headers);
        for (const { key, timestamp } of body.events) {
          expect([key, held.get(key)]).toEqual([key, timestamp]);
          held.delete(key);
        }
      }
      expect([...held]).toEqual([]);
    }),
    { numRuns: runSize(5, 120) },
  );
}, 600_000);
