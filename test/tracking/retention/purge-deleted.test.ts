import { beforeAll, expect, test } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { DeletedRecordStore } from '../../../models/account/deleted-record.ts';
import { newKey } from '../../../models/key.ts';
import { VisitStore } from '../../../models/places/visit.ts';
import { ShareStore } from '../../../models/shares/share.ts';
import { accountAccessScope, unrestricted } from '../../../models/store/tenancy.ts';
import { DeviceMinuteStore } from '../../../models/trips/device-minute.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { TripPointsBucketStore } from '../../../models/trips/trip-points-bucket.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { IngestKeyStore } from '../../../models/vehicles/ingest-key.ts';
import { VehicleEventStore } from '../../../models/vehicles/vehicle-event.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { purgeDeleted } from '../../../tracking/retention/purge-deleted.ts';
import { recordFindings } from '../../../server/database/record-findings.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { AccountClient } from '../../clients/account-client.ts';
import { account, device, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost } from '../../hosts/ingest-host.ts';

useDatabase();

const DAY_MS = 86_400_000;
const all = unrestricted(testService);

let host: Awaited<ReturnType<typeof ingestHost>>;
let client: AccountClient;
beforeAll(async () => {
  host = await ingestHost();
  client = await AccountClient.of(host.app);
  return () => host.app.close();
});

/** A vehicle with a trip that is packed and one that is open. */
async function drivenVehicle(owner: Awaited<ReturnType<typeof account>>) {
  const vehicle_key = await vehicle(owner.key);
  const { key: device_key } = await device(owner.key, { vehicle_key });
  const { secret } = await issueIngestKey(testService, { account_key: owner.key, device_key });
  await host.post(secret, { points: [at(0, 'engine_start'), at(10, 'trip_hard_brake'), at(20, 'engine_stop')] });
  await host.post(secret, { points: [at(400, 'engine_start'), at(410)] });
  await leasedWorkEnded(testService);
  const visit = { key: newKey(), account_key: owner.key, vehicle_key };
  await VisitStore.driver(testService).insertOne(visit as never);
  await client.post('/shares', { vehicle_key, expires: '2100-01-01' }, owner.headers);
  return { vehicle_key, device_key };
}

/** Numbers of documents that name a vehicle. */
async function stored(vehicle_key: string) {
  const accessScope = unrestricted(testService);
  return {
    trips: await TripStore.countDocuments(accessScope, { vehicle_key }),
    buckets: await TripPointsBucketStore.countDocuments(accessScope, { vehicle_key }),
    minutes: await DeviceMinuteStore.countDocuments(accessScope, { vehicle_key }),
    shares: await ShareStore.countDocuments(accessScope, { vehicle_key }),
    visits: await VisitStore.countDocuments(accessScope, { vehicle_key }),
    events: await VehicleEventStore.countDocuments(accessScope, { vehicle_key }),
  };
}

test('a deleted vehicle goes with all its positions after 30 days, and no other', async () => {
  const owner = await account();
  const { vehicle_key } = await drivenVehicle(owner);
  const other = await drivenVehicle(owner);
  const before = await stored(vehicle_key);
  expect([before.trips, before.events, before.shares]).toEqual([2, 1, 1]);
  expect(before.buckets).toBeGreaterThan(0);
  const others = await stored(other.vehicle_key);
  await client.delete(`/vehicle/${vehicle_key}`, owner.headers);
  await purgeDeleted(testService, undefined, Date.now() + 29 * DAY_MS);
  expect((await stored(vehicle_key)).trips).toBe(2);
  await purgeDeleted(testService, undefined, Date.now() + 31 * DAY_MS);
  expect(await stored(vehicle_key)).toEqual({ trips: 0, buckets: 0, minutes: 0, shares: 0, visits: 0, events: 0 });
  expect(await stored(other.vehicle_key)).toEqual(others);
  expect(await DeletedRecordStore.countDocuments(accountAccessScope(testService, owner.key))).toBe(0);
  expect((await client.post(`/vehicle/${vehicle_key}/restore`, {}, owner.headers)).statusCode).toBe(404);
});

test('a check finds nothing wrong with what a deleted vehicle has left', async () => {
  const owner = await account();
  const { vehicle_key } = await drivenVehicle(owner);
  await client.delete(`/vehicle/${vehicle_key}`, owner.headers);
  const findings = await recordFindings(testService, () => undefined);
  expect(findings.filter((finding) => finding.includes(vehicle_key))).toEqual([]);
});

test('a vehicle that is there loses nothing by the copy that an interrupted deletion left', async () => {
  const owner = await account();
  const { vehicle_key } = await drivenVehicle(owner);
  const document = await VehicleStore.findOne(all, { key: vehicle_key });
  const copy = { kind: 'vehicle' as const, key: vehicle_key, account_key: owner.key, deleted_at: new Date(0) };
  await DeletedRecordStore.create(unrestricted(testService), { ...copy, document });
  const before = await stored(vehicle_key);
  await purgeDeleted(testService);
  expect(await stored(vehicle_key)).toEqual(before);
  expect(await DeletedRecordStore.countDocuments(all, { key: vehicle_key })).toBe(0);
});

test('a removed device goes with its keys after 30 days, and its trips stay with the vehicle', async () => {
  const owner = await account();
  const { vehicle_key, device_key } = await drivenVehicle(owner);
  await client.delete(`/device/${device_key}`, owner.headers);
  await leasedWorkEnded(testService);
  await purgeDeleted(testService, undefined, Date.now() + 29 * DAY_MS);
  expect((await client.get(`/device/${device_key}`, owner.headers)).statusCode).toBe(200);
  await purgeDeleted(testService, undefined, Date.now() + 31 * DAY_MS);
  expect((await client.get(`/device/${device_key}`, owner.headers)).statusCode).toBe(404);
  expect(await DeviceStore.countDocuments(all, { key: device_key })).toBe(0);
  expect(await IngestKeyStore.countDocuments(all, { device_key })).toBe(0);
  expect((await stored(vehicle_key)).trips).toBe(2);
});
