import { issueIngestKey } from '../../auth/ingest-keys.ts';
import { newKey } from '../../models/key.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { serialFields } from '../../models/vehicles/serial-grams.ts';
import { nicknameFields, VehicleStore } from '../../models/vehicles/vehicle.ts';
import { readConfig } from '../../server/configuration/config.ts';
import { openDatabase } from '../../server/database/database.ts';
import { ingestHost } from '../../test/hosts/ingest-host.ts';
import { queriesDuring } from '../../test/services/queries-during.ts';
import { benchAccount } from '../trips/trips-records.ts';
import { unrestricted } from '../../models/store/tenancy.ts';

const CREATED = new Date(Date.UTC(2026, 0, 1));

/** A key, and the serials of the devices for which it sends. */
export interface Sender {
  readonly secret: string;
  readonly serials: readonly string[];
}

/** Stores an account with devices in vehicles: two with keys of their own, and those of a forwarder. */
export async function sendersIn(folder: string, forwarded: number) {
  const database = await openDatabase(readConfig({ DATA_DIR: folder }), true);
  try {
    const { key: account_key } = await benchAccount(database.service);
    const deviceIn = async () => {
      const [key, vehicle_key, serial] = [newKey(), newKey(), newKey()];
      await VehicleStore.create(unrestricted(database.service), {
        key: vehicle_key,
        ...nicknameFields('Van'),
        account_key,
        group_path: [],
        created: CREATED,
      });
      await DeviceStore.create(unrestricted(database.service), {
        key,
        account_key,
        vehicle_key,
        ...serialFields(serial),
        status: 'installed',
      });
      return { key, serial };
    };
    const withKey = async (): Promise<Sender> => {
      const { key, serial } = await deviceIn();
      return { ...(await issueIngestKey(database.service, { account_key, device_key: key })), serials: [serial] };
    };
    const serials: string[] = [];
    while (serials.length < forwarded) serials.push((await deviceIn()).serial);
    const forwarder: Sender = {
      ...(await issueIngestKey(database.service, { account_key, device_key: null })),
      serials,
    };
    return { device: await withKey(), tracker: await withKey(), forwarder };
  } finally {
    await database.close();
  }
}

/** Begins a trip of each device, and lists the database commands of a request that continues it, by the names of works. */
export async function commandsOf(
  folder: string,
  works: readonly { readonly name: string; readonly sender: Sender; readonly positions: number }[],
): Promise<ReadonlyMap<string, string>> {
  const database = await openDatabase(readConfig({ DATA_DIR: folder }), true);
  const host = await ingestHost();
  // Two months ago: before all positions of the bench.
  let instant = Date.now() - 60 * 86_400_000;
  const send = async ({ secret, serials }: Sender, positions: number, events: readonly string[]) => {
    const points = () =>
      Array.from({ length: positions / serials.length }, () => {
        instant += 1000;
        return { point: { lat: 53.0758, lon: 8.8 }, timestamp: new Date(instant).toISOString(), events };
      });
    const body =
      serials.length === 1 ? { points: points() } : { batch: serials.map((serial) => ({ serial, points: points() })) };
    const { status } = await host.post(secret, body);
    if (status !== 200) throw new Error(`A request with ${positions} positions was answered with ${status}`);
  };
  try {
    const commands = new Map<string, string>();
    for (const { name, sender, positions } of works) {
      await send(sender, sender.serials.length, ['engine_start']);
      const queries = await queriesDuring(() => send(sender, positions, []));
      const names = queries.map(({ collection, method }) => `${collection}.${method}`);
      commands.set(name, `${names.length} (${names.join(', ')})`);
    }
    return commands;
  } finally {
    await host.app.close();
    await database.close();
  }
}
