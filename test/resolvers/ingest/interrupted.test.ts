import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { DeviceModel } from '../../../models/device.ts';
import { DeviceMinuteModel } from '../../../models/device-minute.ts';
import { TripModel } from '../../../models/trip.ts';
import { TripPointsBucketModel } from '../../../models/trip-points-bucket.ts';
import { closeSilentTrips } from '../../../resolvers/ingest/close-silent-trips.ts';
import { account } from '../../account-fixture.ts';
import { useDatabase } from '../../database.ts';
import { at, ingestHost, recordingDevice, type SentPoint, seenTrips } from './ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let owner: Awaited<ReturnType<typeof account>>;
beforeAll(async () => {
  host = await ingestHost();
  owner = await account();
  host.app.log.level = 'silent';
});
afterAll(() => host.app.close());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const WRITES = ['create', 'updateOne', 'deleteOne', 'deleteMany'] as const;

/** As if the process were killed after so many more writes: none of the later ones is made. */
function dieAfter(writes: number): { readonly hasDied: () => boolean } {
  let left = writes;
  let died = false;
  for (const model of [DeviceModel, DeviceMinuteModel, TripModel, TripPointsBucketModel]) {
    for (const name of WRITES) {
      const target = model as unknown as Record<string, (...args: unknown[]) => unknown>;
      const real = target[name]?.bind(model);
      vi.spyOn(target, name).mockImplementation((...args) => {
        if (left > 0) {
          left--;
          return real?.(...args);
        }
        died = true;
        throw new Error('killed');
      });
    }
  }
  return { hasDied: () => died };
}

/** What is there before, the request that is interrupted, and what comes later. */
const CASES: [name: string, before: SentPoint[][], request: SentPoint[]][] = [
  ['a trip closes', [[at(0, 'engine_start'), at(1)]], [at(2), at(3, 'engine_stop')]],
  ['two trips become one', [[at(0), at(10)], [at(400), at(410)], [at(1000, 'engine_start')]], [at(200)]],
  [
    'a trip becomes two',
    [[at(0, 'engine_start'), at(10), at(20), at(70), at(90, 'engine_stop')]],
    [at(30, 'engine_stop'), at(80)],
  ],
  ['a closed trip takes what comes late', [[at(0, 'engine_start'), at(90, 'engine_stop')]], [at(30), at(40)]],
];

test.each(CASES)(
  'when %s, a kill after any write loses and doubles nothing',
  async (_, before, request) => {
    const expected = await recordingDevice(owner);
    for (const points of [...before, request]) await host.post(expected.secret, { points });
    const trips = await seenTrips(host, expected);

    let isOver = false;
    for (let writes = 0; !isOver; writes++) {
      const device = await recordingDevice(owner);
      for (const points of before) await host.post(device.secret, { points });
      const { hasDied } = dieAfter(writes);
      const { status } = await host.post(device.secret, { points: request });
      isOver = !hasDied();
      vi.restoreAllMocks();
      expect(status).toBe(isOver ? 200 : 500);

      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
      const again = await host.post(device.secret, { points: request });
      expect(again).toMatchObject({ status: 200 });
      expect([writes, await seenTrips(host, device)]).toEqual([writes, trips]);
      expect((await host.post(device.secret, { points: request })).body).toEqual({
        accepted: 0,
        duplicates: request.length,
      });
      vi.useRealTimers();
    }
  },
  60_000,
);

test('what a kill has interrupted is completed for a device that is not heard again', async () => {
  const device = await recordingDevice(owner);
  dieAfter(1);
  await host.post(device.secret, { points: [at(0, 'engine_start'), at(1, 'engine_stop')] });
  vi.restoreAllMocks();
  expect(await seenTrips(host, device)).toEqual([]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
  await closeSilentTrips();
  expect(await seenTrips(host, device)).toMatchObject([{ point_count: 2 }]);
});
