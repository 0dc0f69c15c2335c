import { issueIngestKey } from '../../auth/ingest-keys.ts';
import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import { post } from '../../test/hosts/ingest-host.ts';
import { openHost } from '../../test/hosts/open-host.ts';
import { queriesDuring } from '../../test/services/queries-during.ts';
import { withService } from '../bench-service.ts';
import { benchAccount, type SendingVehicle, sendingVehicles } from '../records.ts';

/** A key, and the serials of the devices for which it sends. */
export interface Sender {
  readonly secret: string;
  readonly serials: readonly string[];
}

/** Stores an account with devices in vehicles: two with keys of their own, and those of a forwarder. */
export async function sendersIn(folder: string, forwarded: number) {
  return withService({ DATA_DIR: folder }, async (service) => {
    const { key: account_key } = await benchAccount(service);
    const [one, another, ...others] = await sendingVehicles(service, account_key, 2 + forwarded);
    const senderOf = async (device_key: string | null, vehicles: readonly SendingVehicle[]): Promise<Sender> => {
      const { secret } = await issueIngestKey(service, { account_key, device_key });
      return { secret, serials: vehicles.map(({ serial }) => serial) };
    };
    if (!one || !another) throw new RangeError('Two devices have keys of their own');
    return {
      device: await senderOf(one.device_key, [one]),
      tracker: await senderOf(another.device_key, [another]),
      forwarder: await senderOf(null, others),
    };
  });
}

/** Begins a trip of each device, and lists the database commands of a request that continues it, by the names of works. */
export async function commandsOf(
  folder: string,
  works: readonly { readonly name: string; readonly sender: Sender; readonly positions: number }[],
): Promise<ReadonlyMap<string, string>> {
  return withService({ DATA_DIR: folder }, async (service) => {
    const base = 'https://localhost';
    const app = await openHost([await accountEndpoint(service, new URL(`${base}/api/v2`), new URL(base))]);
    // Two months ago: before all positions of the bench.
    let instant = Date.now() - 60 * 86_400_000;
    const send = async ({ secret, serials }: Sender, positions: number, events: readonly string[]) => {
      const points = () =>
        Array.from({ length: positions / serials.length }, () => {
          instant += 1000;
          return { point: { lat: 53.0758, lon: 8.8 }, timestamp: new Date(instant).toISOString(), events };
        });
      const body =
        serials.length === 1
          ? { points: points() }
          : { batch: serials.map((serial) => ({ serial, points: points() })) };
      const { status } = await post(app, { authorization: `Bearer ${secret}` }, body);
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
      await app.close();
    }
  });
}
