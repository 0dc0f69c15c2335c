import { beforeAll, describe, expect, test, vi } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { AccountClient, type Headers } from '../../clients/account-client.ts';
import { account, appFor, device, group, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost } from '../../hosts/ingest-host.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let client: AccountClient;
beforeAll(async () => {
  host = await ingestHost();
  client = await AccountClient.of(host.app);
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:05:00Z') });
  return async () => {
    vi.useRealTimers();
    await host.app.close();
  };
});

type Account = Awaited<ReturnType<typeof account>>;

/** A vehicle with a device that sends positions. */
async function tracked(owner: Account, groups: Parameters<typeof vehicle>[1] = []) {
  const vehicle_key = await vehicle(owner.key, groups);
  const { key: device_key } = await device(owner.key, { vehicle_key });
  const { secret } = await issueIngestKey(testService, { account_key: owner.key, device_key });
  const send = (...points: readonly object[]) => host.post(secret, { points });
  return { vehicle_key, device_key, send };
}

async function locationSeen(headers: Headers, key: string) {
  return (await client.get(`/vehicle/${key}`, headers)).json().vehicle_location;
}

describe('vehicle_location', () => {
  test('is null until a device has sent a position, then the latest by its time', async () => {
    const owner = await account();
    const { vehicle_key, send } = await tracked(owner);
    expect(await locationSeen(owner.headers, vehicle_key)).toBeNull();
    await send({ ...at(0, 'engine_start'), speed: 20 }, { ...at(10), speed: 31.2, heading: 75 });
    const latest = await locationSeen(owner.headers, vehicle_key);
    expect(latest).toEqual({
      point: at(10).point,
      timestamp: '2026-03-01T12:00:10+00:00',
      speed_mph: 31.2,
      heading: 75,
      motion_status: 'moving',
    });
    await send({ ...at(5), speed: 3 });
    expect(await locationSeen(owner.headers, vehicle_key)).toEqual(latest);
    await send({ ...at(20), speed: 0 });
    expect(await locationSeen(owner.headers, vehicle_key)).toMatchObject({
      timestamp: '2026-03-01T12:00:20+00:00',
      motion_status: 'stopped',
    });
    await send(at(30, 'engine_stop'));
    expect((await locationSeen(owner.headers, vehicle_key)).timestamp).toBe('2026-03-01T12:00:30+00:00');
  });

  test('is null to an app without account_activity.read', async () => {
    const owner = await account();
    const { vehicle_key, send } = await tracked(owner);
    await send(at(0, 'engine_start'), at(10));
    const someone = await user(owner.key);
    const without = await appFor(someone, ['vehicles.read']);
    const having = await appFor(someone, ['vehicles.read', 'account_activity.read']);
    expect(await locationSeen(without.headers, vehicle_key)).toBeNull();
    expect(await locationSeen(having.headers, vehicle_key)).toMatchObject({ point: at(10).point });
  });

  test('is to apps the last one outside the privacy zones, and null where a zone hides trips', async () => {
    const owner = await account();
    const { vehicle_key, send } = await tracked(owner);
    const app = await appFor(await user(owner.key), ['vehicles.read', 'account_activity.read']);
    const scope = accountAccessScope(testService, owner.key);
    await createPrivacyZone(scope, { ...at(100).point, radius_meters: 50, trips: 'cut' });
    await send(at(0, 'engine_start'), at(10));
    await send(at(100));
    expect(await locationSeen(owner.headers, vehicle_key)).toMatchObject({ point: at(100).point });
    expect(await locationSeen(app.headers, vehicle_key)).toMatchObject({ point: at(10).point });
    await createPrivacyZone(scope, { lat: 0, lon: 0, radius_meters: 50, trips: 'hide' });
    expect(await locationSeen(app.headers, vehicle_key)).toBeNull();
  });

  test('does not move to another vehicle with the device', async () => {
    const owner = await account();
    const { vehicle_key, device_key, send } = await tracked(owner);
    await send(at(0, 'engine_start'), at(10));
    const other = await vehicle(owner.key);
    await client.post(`/device/${device_key}`, { vehicle_key: other }, owner.headers);
    expect(await locationSeen(owner.headers, other)).toBeNull();
    expect(await locationSeen(owner.headers, vehicle_key)).toBeNull();
  });
});

describe('GET /vehicles/nearby', () => {
  test('lists vehicles by their distance, five unless size says otherwise, and those in sight only', async () => {
    const owner = await account();
    const north = await group(owner.key, 'North');
    const keys: string[] = [];
    for (const seconds of [60, 0, 30]) {
      const { vehicle_key, send } = await tracked(owner, seconds === 30 ? [north] : []);
      await send(at(seconds, 'engine_start'), at(seconds + 1));
      keys.push(vehicle_key);
    }
    await vehicle(owner.key);
    const { lat, lon } = at(0).point;
    const near = async (query: string, headers: Headers = owner.headers) => {
      const { vehicles } = (await client.get(`/vehicles/nearby?lat=${lat}&long=${lon}${query}`, headers)).json();
      return vehicles.map(({ key }: { key: string }) => keys.indexOf(key));
    };
    expect(await near('')).toEqual([1, 2, 0]);
    expect(await near('&size=1')).toEqual([1]);
    const restricted = await appFor(await user(owner.key, [north]), ['vehicles.read', 'account_activity.read']);
    expect(await near('', restricted.headers)).toEqual([2]);
    const blind = await appFor(await user(owner.key), ['vehicles.read']);
    expect(await near('', blind.headers)).toEqual([]);
    const answer = (await client.get(`/vehicles/nearby?lat=${lat}&long=${lon}`, owner.headers)).json();
    expect(answer.vehicles[0]).toMatchObject({ distance_in_miles: 0, nickname: 'Van' });
  });

  test.each([
    ['?long=8', 'lat is required'],
    ['?lat=91&long=8', 'lat must be -90 to 90'],
    ['?lat=53&long=181', 'long must be -180 to 180'],
    ['?lat=x&long=8', 'lat must be a number'],
    ['?lat=53&long=8&size=0', 'size must be 1 or more'],
  ])('rejects %s', async (query, errors) => {
    const { headers } = await account();
    expect((await client.get(`/vehicles/nearby${query}`, headers)).json()).toEqual({ errors });
  });
});
