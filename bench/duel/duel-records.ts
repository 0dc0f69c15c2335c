import { createGrant, issueAccessToken } from '../../auth/grants.ts';
import { hashSecret, newSecret } from '../../auth/secrets/secrets.ts';
import { AppStore } from '../../models/account/app.ts';
import { UserStore } from '../../models/account/user.ts';
import { newKey } from '../../models/key.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { benchFleet, type Fleet } from '../waits/fleet-records.ts';
import type { Service } from '../../models/store/service.ts';

/** Records over which service and contenders are compared. */
export interface DuelRecords {
  readonly fleet: Fleet;
  /** An account whose groups grow. */
  readonly other: Fleet;
  readonly app: DuelApp;
}

/** An app that acts for a user of the fleet's account. */
export interface DuelApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Shows it the trips of the account. */
  readonly accessToken: string;
  readonly vehicleKey: string;
}

/** Stores an account of 200 devices and 200 groups, and a small one. */
export async function duelRecords(service: Service): Promise<DuelRecords> {
  const fleet = await benchFleet(service, { devices: 200, groups: 200, vehicles: 100, users: 10, subscriptions: 5 });
  const other = await benchFleet(service, { devices: 1, groups: 1, vehicles: 1, users: 1, subscriptions: 1 });
  return { fleet, other, app: await duelApp(service, fleet.key) };
}

async function duelApp(service: Service, account_key: string): Promise<DuelApp> {
  const [clientId, user_key, clientSecret] = [newKey(), newKey(), newSecret('')];
  const scopes = ['account_activity.read'];
  const created = new Date();
  const groups = { group_keys: [], group_path: [] };
  await UserStore.create(unrestricted(service), {
    key: user_key,
    account_key,
    email: null,
    ...groups,
    disabled: false,
    created,
  });
  const secret_hash = hashSecret(clientSecret);
  await AppStore.create(unrestricted(service), {
    ...{ client_id: clientId, name: 'Bench', redirect_uris: [], scopes, created, account_key, secret_hash },
  });
  const accessToken = await issueAccessToken(
    service,
    await createGrant(service, { user_key, client_id: clientId, scopes }),
  );
  const vehicle = await VehicleStore.findOne(unrestricted(service), { account_key }, { key: 1 });
  return { clientId, clientSecret, accessToken, vehicleKey: vehicle?.key ?? '' };
}
