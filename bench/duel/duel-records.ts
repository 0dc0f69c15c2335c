import { issueApiKey } from '../../auth/api-keys.ts';
import { createGrant, issueAccessToken } from '../../auth/grants.ts';
import { hashSecret, newSecret } from '../../auth/secrets/secrets.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { benchApp } from '../records.ts';
import { benchFleet, type Fleet } from '../waits/fleet-records.ts';
import type { Service } from '../../models/store/service.ts';

/** Callers who ask in turn: one look-up of credentials does not do for many. */
const CALLERS = Array.from({ length: 16 });

/** Headers of the callers, with the credentials of each. */
type Callers = readonly Readonly<Record<string, string>>[];

/** Records over which service and contenders are compared. */
export interface DuelRecords {
  readonly fleet: Fleet;
  readonly callers: Callers;
  /** An account whose groups grow. */
  readonly other: Fleet;
  readonly otherCallers: Callers;
  readonly app: DuelApp;
}

/** An app that acts for a user of the fleet's account. */
interface DuelApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** With access tokens, which show it the trips of the account. */
  readonly callers: Callers;
  readonly vehicleKey: string;
}

/** Stores an account of 200 devices and 200 groups, and a small one. */
export async function duelRecords(service: Service): Promise<DuelRecords> {
  const fleet = await benchFleet(service, { devices: 200, groups: 200, vehicles: 100, users: 10, subscriptions: 5 });
  const other = await benchFleet(service, { devices: 1, groups: 1, vehicles: 1, users: 1, subscriptions: 1 });
  const ownersOf = ({ key }: Fleet) =>
    Promise.all(CALLERS.map(async () => ({ 'service-api-key': (await issueApiKey(service, key)).secret })));
  const [callers, otherCallers] = [await ownersOf(fleet), await ownersOf(other)];
  return { fleet, callers, other, otherCallers, app: await duelApp(service, fleet.key) };
}

async function duelApp(service: Service, account_key: string): Promise<DuelApp> {
  const clientSecret = newSecret('');
  const options = { secret_hash: hashSecret(clientSecret), group_keys: [], group_path: [] };
  const scopes = ['account_activity.read'];
  const { client_id, grant } = await benchApp(service, account_key, scopes, options);
  const { user_key } = grant;
  const callers = CALLERS.map(async () => {
    const token = await issueAccessToken(service, await createGrant(service, { user_key, client_id, scopes }));
    return { authorization: `Bearer ${token}` };
  });
  const vehicle = await VehicleStore.findOne(unrestricted(service), { account_key }, { key: 1 });
  return { clientId: client_id, clientSecret, callers: await Promise.all(callers), vehicleKey: vehicle?.key ?? '' };
}
