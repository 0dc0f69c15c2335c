import { issueAccessToken } from '../../auth/grants.ts';
import { hashSecret, newSecret } from '../../auth/secrets/secrets.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { benchApp } from '../records.ts';
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
interface DuelApp {
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
  const clientSecret = newSecret('');
  const options = { secret_hash: hashSecret(clientSecret), group_keys: [], group_path: [] };
  const { client_id: clientId, grant } = await benchApp(service, account_key, ['account_activity.read'], options);
  const accessToken = await issueAccessToken(service, grant);
  const vehicle = await VehicleStore.findOne(unrestricted(service), { account_key }, { key: 1 });
  return { clientId, clientSecret, accessToken, vehicleKey: vehicle?.key ?? '' };
}
