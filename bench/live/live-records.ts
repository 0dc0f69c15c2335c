import { issueIngestKey } from '../../auth/ingest-keys.ts';
import { newKey } from '../../models/key.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { serialFields } from '../../models/vehicles/serial-grams.ts';
import { nicknameFields, VehicleStore } from '../../models/vehicles/vehicle.ts';
import { readConfig } from '../../server/configuration/config.ts';
import { openDatabase } from '../../server/database/database.ts';
import { benchAccount } from '../trips/trips-records.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import type { Service } from '../../models/store/service.ts';

/** An account with a device in each of its vehicles, and a key of a forwarder that sends for all of them. */
export interface LiveFleet {
  readonly apiKey: string;
  readonly secret: string;
  readonly vehicles: readonly { readonly key: string; readonly serial: string }[];
}

/** Documents that are stored by one command. */
const TOGETHER = 500;

/** Stores two accounts: one with vehicles to follow, and one with as many of a batch, which nobody follows. */
export async function liveFleets(folder: string, followed: number, others: number) {
  const database = await openDatabase(readConfig({ DATA_DIR: folder }), true);
  try {
    return { followed: await fleetOf(database.service, followed), other: await fleetOf(database.service, others) };
  } finally {
    await database.close();
  }
}

async function fleetOf(service: Service, count: number): Promise<LiveFleet> {
  const { key: account_key, apiKey } = await benchAccount(service);
  const created = new Date(Date.UTC(2026, 0, 1));
  const vehicles = Array.from({ length: count }, () => ({ key: newKey(), serial: newKey() }));
  for (let at = 0; at < count; at += TOGETHER) {
    const some = vehicles.slice(at, at + TOGETHER);
    const common = { account_key, group_path: [] };
    await VehicleStore.insertMany(
      unrestricted(service),
      some.map(({ key }) => ({ ...common, key, ...nicknameFields('Van'), created })),
    );
    const devices = some.map(({ key, serial }) => ({ vehicle_key: key, ...serialFields(serial) }));
    await DeviceStore.insertMany(
      unrestricted(service),
      devices.map((device) => ({ ...common, key: newKey(), ...device, status: 'installed' as const })),
    );
  }
  const { secret } = await issueIngestKey(service, { account_key, device_key: null });
  return { apiKey, secret, vehicles };
}
