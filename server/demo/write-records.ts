import { hashPassword } from '../../auth/secrets/passwords.ts';
import { DEFAULT_SCOPES } from '../../auth/scopes/scope.ts';
import { hashSecret } from '../../auth/secrets/secrets.ts';
import { AccountStore } from '../../models/account/account.ts';
import { ApiKeyStore } from '../../models/account/api-key.ts';
import { AppStore } from '../../models/account/app.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { insertIfAbsent } from '../../models/store/duplicate-key.ts';
import { GroupStore } from '../../models/account/group.ts';
import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { BillingSubscriptionStore } from '../../models/account/billing-subscription.ts';
import { UserStore } from '../../models/account/user.ts';
import { serialFields } from '../../models/vehicles/serial-grams.ts';
import { nicknameFields, VehicleStore } from '../../models/vehicles/vehicle.ts';

import type { DemoKeys } from './demo-keys.ts';
import { demoGroups, demoVehicles } from './demo-records.ts';
import { RESTRICTED_GROUP } from './fleet.ts';
import type { Service } from '../../models/store/service.ts';
import { type Unrestricted, unrestricted } from '../../models/store/tenancy.ts';

/** Writes the demonstration's records except trips and access token; existing ones are left as they are. */
export async function writeRecords(service: Service, keys: DemoKeys): Promise<void> {
  const { account_key, subscription_key, owner_key, client_id, grant_hash } = keys;
  const created = new Date(keys.created);
  const scopes = [...DEFAULT_SCOPES];
  const add = <Document>(
    store: { create(all: Unrestricted, document: Document): Promise<unknown> },
    document: Document,
  ) => insertIfAbsent(() => store.create(unrestricted(service), document));
  await add(AccountStore, {
    key: account_key,
    nickname: 'Waybridge demonstration (simulated)',
    city: 'Berlin',
    created,
    setup_complete: created,
    updated: created,
    owner_key,
  });
  await add(BillingSubscriptionStore, {
    key: subscription_key,
    account_key,
    plan: { key: 'fleet', name: 'Fleet', billing_period: 'month' },
    status: 'active',
    started_at: created,
  });
  for (const group of demoGroups(keys))
    await add(GroupStore, { ...group, active: true, created, updated: created, account_key });
  for (const user of await usersOf(keys)) await add(UserStore, { ...user, disabled: false, created, account_key });
  for (const { car, key, device_key, membership } of demoVehicles(keys)) {
    const common = { ...membership, account_key };
    await add(VehicleStore, { key, ...nicknameFields(car.nickname), ...car.type, ...common, created });
    await add(DeviceStore, {
      key: device_key,
      ...serialFields(car.serial),
      status: 'installed',
      vehicle_key: key,
      last_transmission: created,
      subscription_status: 'active',
      subscription_key,
      ...common,
    });
  }
  const secret_hash = hashSecret(keys.api_key);
  await add(ApiKeyStore, { key: keys.api_key_id, account_key, secret_hash, created });
  await add(AppStore, {
    client_id,
    name: 'Demonstration app',
    redirect_uris: ['http://localhost:3000/callback'],
    scopes,
    created,
    account_key,
    secret_hash: hashSecret(keys.client_secret),
  });
  const grant = { kind: 'Grant', id_hash: grant_hash, grant_hash, user_key: owner_key, client_id, scopes } as const;
  await insertIfAbsent(() => OauthRecordStore.create(service, grant));
}

async function usersOf(keys: DemoKeys) {
  const restriction = demoGroups(keys).filter(({ name }) => name === RESTRICTED_GROUP);
  const { restricted_user_key, restricted_user_email, restricted_user_password } = keys;
  const users = [
    { key: keys.owner_key, email: keys.owner_email, password: keys.owner_password, groups: [] },
    { key: restricted_user_key, email: restricted_user_email, password: restricted_user_password, groups: restriction },
  ];
  return Promise.all(
    users.map(async ({ key, email, password, groups }) => ({
      key,
      email,
      email_folded: email.toLowerCase(),
      password_hash: await hashPassword(password),
      group_keys: groups.map((group) => group.key),
      group_path: groups.flatMap(({ group_path }) => group_path),
    })),
  );
}
