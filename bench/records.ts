import { issueApiKey } from '../auth/api-keys.ts';
import { createGrant } from '../auth/grants.ts';
import { signTripToken } from '../auth/trip-token.ts';
import { AccountStore } from '../models/account/account.ts';
import { AppStore } from '../models/account/app.ts';
import { UserStore } from '../models/account/user.ts';
import { newKey } from '../models/key.ts';
import type { Service } from '../models/store/service.ts';
import { type Unrestricted, unrestricted } from '../models/store/tenancy.ts';
import { DeviceStore } from '../models/vehicles/device.ts';
import { serialFields } from '../models/vehicles/serial-grams.ts';
import { nicknameFields, VehicleStore } from '../models/vehicles/vehicle.ts';

/** When records were created. */
export const CREATED = new Date(Date.UTC(2026, 0, 1));

/** Documents that are stored by one command. */
const BATCH = 1000;

/** Stores documents of the numbers from 0 to below a count, as they are. */
export async function insertNumbered<Document>(
  store: {
    insertMany(all: Unrestricted, documents: readonly Document[], options: { readonly lean: true }): Promise<void>;
  },
  service: Service,
  count: number,
  make: (number: number) => Document,
): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const documents = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => make(from + at));
    await store.insertMany(unrestricted(service), documents, { lean: true });
  }
}

/** Groups of a user, as they are stored. */
interface Restriction {
  readonly group_keys: string[];
  readonly group_path: string[];
}

/** Makes an app, and a user of the account who has granted it access. */
export async function benchApp(
  service: Service,
  account_key: string,
  scopes: readonly string[],
  { secret_hash = null, ...groups }: { readonly secret_hash?: string | null } & Restriction = {
    group_keys: [],
    group_path: [],
  },
) {
  const [user_key, client_id] = [newKey(), newKey()];
  const user = { key: user_key, account_key, email: null, ...groups, disabled: false, created: CREATED };
  await UserStore.create(unrestricted(service), user);
  const app = { client_id, name: 'Bench', redirect_uris: [], scopes: [...scopes], created: CREATED, account_key };
  await AppStore.create(unrestricted(service), { ...app, secret_hash });
  return { client_id, grant: await createGrant(service, { user_key, client_id, scopes: [...scopes] }) };
}

/** An account, its key, and an app that may embed its maps. */
export interface BenchAccount {
  readonly key: string;
  readonly apiKey: string;
  /** A special-purpose token for a vehicle on the pages of `origin`. */
  tripToken(vehicleKey: string, issuer: string, origin: string): Promise<string>;
}

/** Makes an account. */
export async function benchAccount(service: Service): Promise<BenchAccount> {
  const key = newKey();
  await AccountStore.create(unrestricted(service), { key, nickname: 'Bench', created: CREATED, updated: CREATED });
  const { client_id, grant } = await benchApp(service, key, ['account_activity.read']);
  const { secret: api_key } = await issueApiKey(service, key);
  return {
    key,
    apiKey: api_key,
    tripToken: (vehicleKey, issuer, origin) => {
      const claims = { sub: `vehicle:${vehicleKey}`, aud: origin, scope: 'loc-past', client_id } as const;
      return signTripToken(service, issuer, { ...claims, grant: grant.grant_hash });
    },
  };
}

/** Makes vehicles and answers the key of the last. */
export async function benchVehicles(service: Service, account_key: string, count: number): Promise<string> {
  let key = '';
  await insertNumbered(VehicleStore, service, count, () => {
    key = newKey();
    return { key, ...nicknameFields('Van'), account_key, group_keys: [], group_path: [], created: CREATED };
  });
  return key;
}

/** A vehicle with a device in it. */
export interface SendingVehicle {
  readonly key: string;
  readonly device_key: string;
  readonly serial: string;
}

/** Makes vehicles, each with a device in it. */
export async function sendingVehicles(service: Service, account_key: string, count: number): Promise<SendingVehicle[]> {
  const all = Array.from({ length: count }, () => ({ key: newKey(), device_key: newKey(), serial: newKey() }));
  for (let at = 0; at < count; at += BATCH) {
    const some = all.slice(at, at + BATCH);
    const common = { account_key, group_path: [] };
    await VehicleStore.insertMany(
      unrestricted(service),
      some.map(({ key }) => ({ ...common, key, ...nicknameFields('Van'), created: CREATED })),
    );
    await DeviceStore.insertMany(
      unrestricted(service),
      some.map(({ key: vehicle_key, device_key: key, serial }) => {
        return { ...common, key, vehicle_key, ...serialFields(serial), status: 'installed' as const };
      }),
    );
  }
  return all;
}
