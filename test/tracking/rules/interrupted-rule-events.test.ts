import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { RuleEventStore } from '../../../models/rules/rule-event.ts';
import { DeviceMinuteStore } from '../../../models/trips/device-minute.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { TripPointsBucketStore } from '../../../models/trips/trip-points-bucket.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase } from '../../services/database.ts';
import { dieAfter } from '../../processes/die-after.ts';
import { ingestHost, type SentPoint } from '../../hosts/ingest-host.ts';
import { runSize } from '../../services/run-size.ts';
import { deviceAfter, postSettled, WRITES } from '../../services/sent-in-parts.ts';
import { drivenAt, expectedEvents, type MadeRule, rule, ruleEventsOf } from '../../resolvers/rules/rule-world.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let owner: Awaited<ReturnType<typeof account>>;
let rules: MadeRule[];
beforeAll(async () => {
  host = await ingestHost();
  owner = await account();
  host.app.log.level = 'silent';
  rules = [
    await rule(host, owner.headers, { speed_limit: 50 }),
    await rule(host, owner.headers, { silent_minutes: 15 }),
  ];
});
afterAll(() => host.app.close());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Of the writes of a case, a kill comes after one in so many. */
const ONE_IN = runSize(3, 1);

const MODELS = [DeviceStore, DeviceMinuteStore, TripStore, TripPointsBucketStore, RuleEventStore];

const drive = (...speeds: number[]) => speeds.map((speed, at) => drivenAt(at * 60, speed));

/** The earlier requests, and the one that is interrupted. */
const CASES: [name: string, before: SentPoint[][], request: SentPoint[]][] = [
  ['a vehicle becomes too fast', [drive(40)], [drivenAt(60, 60)]],
  ['a vehicle slows down', [drive(40, 60)], [drivenAt(120, 40)]],
  ['an event becomes two', [drive(40, 60, 60, 60, 40)], [drivenAt(130, 30)]],
  ['an event begins earlier', [drive(40, 60, 40)], [drivenAt(30, 70)]],
  ['a device was silent', [drive(40)], [drivenAt(2000, 40)]],
  ['a silence is parted', [[drivenAt(0, 40)], [drivenAt(9000, 40)]], [drivenAt(3000, 60), drivenAt(3010, 40)]],
  ['a device was not silent', [[drivenAt(0, 40)], [drivenAt(1500, 40)]], [drivenAt(700, 40)]],
];

test.each(CASES)(
  'when %s, the events are completed after a kill at any write',
  async (_, before, request) => {
    const undisturbed = await deviceAfter(host, owner, before);
    const { made } = dieAfter(Infinity, MODELS, WRITES);
    await postSettled(host, undisturbed.secret, request);
    vi.restoreAllMocks();
    const writes = made();
    const sent = [...before.flat(), ...request];
    const whole = await expectedEvents(host, undisturbed, sent, rules, false);
    expect(await ruleEventsOf(host, undisturbed)).toEqual(whole);

    const devices = [];
    for (let kill = 0; kill < writes; kill += ONE_IN) {
      const device = await deviceAfter(host, owner, before);
      dieAfter(kill, MODELS, WRITES);
      await postSettled(host, device.secret, request);
      vi.restoreAllMocks();
      devices.push(device);
    }
    // The sender repeats what was not answered, once the lease has lapsed.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    for (const device of devices) await postSettled(host, device.secret, request);
    vi.useRealTimers();
    for (const device of devices) expect(await ruleEventsOf(host, device)).toEqual(whole);
  },
  120_000,
);
