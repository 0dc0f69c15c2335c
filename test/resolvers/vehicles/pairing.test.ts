import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { DeviceStore } from '../../../models/vehicles/device.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { ingestHost } from '../../hosts/ingest-host.ts';
import { account, device } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let app: FastifyInstance;
beforeAll(async () => {
  host = await ingestHost();
  ({ app } = host);
});
afterAll(() => app.close());
afterEach(() => {
  vi.useRealTimers();
});

interface Paired {
  readonly vehicle_key: string;
  readonly device_key: string;
  readonly secret: string;
  readonly expires: string;
}

async function pair(headers: Readonly<Record<string, string>>, input = '{ nickname: "Red van" }'): Promise<Paired> {
  const fields = '{ vehicle_key device_key secret expires }';
  const { pairVehicle } = await host.ask(`mutation { pairVehicle(input: ${input}) ${fields} }`, headers);
  return pairVehicle as Paired;
}

const send = async ({ secret }: Paired) => {
  const points = [{ point: { lat: 53.0758, lon: 8.8072 }, timestamp: new Date().toISOString() }];
  return (await host.post(secret, { points })).status;
};

function later(minutes: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
}

test('one operation makes a vehicle, a device in it, and a key with which that sends', async () => {
  const { headers } = await account();
  const paired = await pair(headers, '{ nickname: "Red van", serial: "A1" }');
  expect(await send(paired)).toBe(200);
  const query = `{ vehicle(key: "${paired.vehicle_key}") { nickname devices { key serial } vehicle_location { timestamp } } }`;
  expect(await host.ask(query, headers)).toMatchObject({
    vehicle: { nickname: 'Red van', devices: [{ key: paired.device_key, serial: 'A1' }], vehicle_location: {} },
  });
});

test('or nothing: if the serial is taken, there is no vehicle either', async () => {
  const { key, headers } = await account();
  await device(key, { serial: 'A1' });
  const { errors } = await host.graphql(
    'mutation { pairVehicle(input: { nickname: "Red van", serial: "a1" }) { key } }',
    headers,
  );
  expect(errors).toMatchObject([{ message: 'serial "a1" is taken by another device of the account' }]);
  const accessScope = accountAccessScope(testService, key);
  expect(await VehicleStore.countDocuments(accessScope, {})).toBe(0);
  expect(await DeviceStore.countDocuments(accessScope, {})).toBe(1);
});

test('a key that is not used within ten minutes ends; vehicle and device stay', async () => {
  const { headers } = await account();
  const paired = await pair(headers);
  expect(Date.parse(paired.expires) - Date.now()).toBeLessThanOrEqual(600_000);
  later(10);
  expect(await send(paired)).toBe(401);
  const query = `{ device(key: "${paired.device_key}") { last_transmission vehicle { nickname } } }`;
  expect(await host.ask(query, headers)).toEqual({
    device: { last_transmission: null, vehicle: { nickname: 'Red van' } },
  });
});

test('one that is used stays valid', async () => {
  const { headers } = await account();
  const paired = await pair(headers);
  expect(await send(paired)).toBe(200);
  later(60);
  expect(await send(paired)).toBe(200);
  const query = `{ deviceKeys(device_key: "${paired.device_key}") { nodes { expires revoked } } }`;
  expect(await host.ask(query, headers)).toEqual({ deviceKeys: { nodes: [{ expires: null, revoked: null }] } });
});
