import { beforeAll, expect, test } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { DeletedRecordModel } from '../../../models/account/deleted-record.ts';
import { newKey } from '../../../models/key.ts';
import { VisitModel } from '../../../models/places/visit.ts';
import { ShareModel } from '../../../models/shares/share.ts';
import { accountAccessScope, UNRESTRICTED } from '../../../models/tenancy.ts';
import { DeviceMinuteModel } from '../../../models/trips/device-minute.ts';
import { TripModel } from '../../../models/trips/trip.ts';
import { TripPointsBucketModel } from '../../../models/trips/trip-points-bucket.ts';
import { DeviceModel } from '../../../models/vehicles/device.ts';
import { IngestKeyModel } from '../../../models/vehicles/ingest-key.ts';
import { VehicleEventModel } from '../../../models/vehicles/vehicle-event.ts';
import { VehicleModel } from '../../../models/vehicles/vehicle.ts';
import { purgeDeleted } from '../../../resolvers/deletion/purge-deleted.ts';
import { recordFindings } from '../../../server/database/record-findings.ts';
import { leasedWorkEnded } from '../../../resolvers/recording/device-lease.ts';
import { AccountClient } from '../../clients/account-client.ts';
import { account, device, vehicle } from '../../services/account-fixture.ts';
import { useDatabase } from '../../services/database.ts';
import { at, ingestHost } from '../../services/ingest-host.ts';

useDatabase();

const DAY_MS = 86_400_000;
const all = { accessScope: UNRESTRICTED };

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
  const { secret } = await issueIngestKey({ account_key: owner.key, device_key });
  await host.post(secret, { points: [at(0, 'engine_start'), at(10, 'trip_hard_brake'), at(20, 'engine_stop')] });
  await host.post(secret, { points: [at(400, 'engine_start'), at(410)] });
  await leasedWorkEnded();
  const visit = { key: newKey(), account_key: owner.key, vehicle_key };
  await VisitModel.collection.insertOne(visit as never);
  await client.post('/shares', { vehicle_key, expires: '2100-01-01' }, owner.headers);
  return { vehicle_key, device_key };
}

/** Numbers of documents that name a vehicle. */
async function stored(vehicle_key: string) {
  const accessScope = UNRESTRICTED;
  return {
    trips: await TripModel.countDocuments({ vehicle_key }, { accessScope }),
    buckets: await TripPointsBucketModel.countDocuments({ vehicle_key }, { accessScope }),
    minutes: await DeviceMinuteModel.countDocuments({ vehicle_key }, { accessScope }),
    shares: await ShareModel.countDocuments({ vehicle_key }, { accessScope }),
    visits: await VisitModel.countDocuments({ vehicle_key }, { accessScope }),
    events: await VehicleEventModel.countDocuments({ vehicle_key }, { accessScope }),
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
  await purgeDeleted(undefined, Date.now() + 29 * DAY_MS);
  expect((await stored(vehicle_key)).trips).toBe(2);
  await purgeDeleted(undefined, Date.now() + 31 * DAY_MS);
  expect(await stored(vehicle_key)).toEqual({ trips: 0, buckets: 0, minutes: 0, shares: 0, visits: 0, events: 0 });
  expect(await stored(other.vehicle_key)).toEqual(others);
  expect(await DeletedRecordModel.countDocuments({}, { accessScope: accountAccessScope(owner.key) })).toBe(0);
  expect((await client.post(`/vehicle/${vehicle_key}/restore`, {}, owner.headers)).statusCode).toBe(404);
});

test('a check finds nothing wrong with what a deleted vehicle has left', async () => {
  const owner = await account();
  const { vehicle_key } = await drivenVehicle(owner);
  await client.delete(`/vehicle/${vehicle_key}`, owner.headers);
  const findings = await recordFindings(() => undefined);
  expect(findings.filter((finding) => finding.includes(vehicle_key))).toEqual([]);
});

test('a vehicle that is there loses nothing by the copy that an interrupted deletion left', async () => {
  const owner = await account();
  const { vehicle_key } = await drivenVehicle(owner);
  const document = await VehicleModel.findOne({ key: vehicle_key }, null, all).lean();
  const copy = { kind: 'vehicle' as const, key: vehicle_key, account_key: owner.key, deleted_at: new Date(0) };
  await DeletedRecordModel.create({ ...copy, document });
  const before = await stored(vehicle_key);
  await purgeDeleted();
  expect(await stored(vehicle_key)).toEqual(before);
  expect(await DeletedRecordModel.countDocuments({ key: vehicle_key }, all)).toBe(0);
});

test('a removed device goes with its keys after 30 days, and its trips stay with the vehicle', async () => {
  const owner = await account();
  const { vehicle_key, device_key } = await drivenVehicle(owner);
  await client.delete(`/device/${device_key}`, owner.headers);
  await leasedWorkEnded();
  await purgeDeleted(undefined, Date.now() + 29 * DAY_MS);
  expect((await client.get(`/device/${device_key}`, owner.headers)).statusCode).toBe(200);
  await purgeDeleted(undefined, Date.now() + 31 * DAY_MS);
  expect((await client.get(`/device/${device_key}`, owner.headers)).statusCode).toBe(404);
  expect(await DeviceModel.countDocuments({ key: device_key }, all)).toBe(0);
  expect(await IngestKeyModel.countDocuments({ device_key }, all)).toBe(0);
  expect((await stored(vehicle_key)).trips).toBe(2);
});
