import { hashPassword } from '../../auth/passwords.ts';
import { DEFAULT_SCOPES } from '../../auth/scope.ts';
import { hashSecret } from '../../auth/secrets.ts';
import { AccountModel } from '../../models/account/account.ts';
import { ApiKeyModel } from '../../models/account/api-key.ts';
import { AppModel } from '../../models/account/app.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { insertIfAbsent } from '../../models/duplicate-key.ts';
import { GroupModel } from '../../models/account/group.ts';
import { OauthRecordModel } from '../../models/sign-in/oauth-record.ts';
import { SubscriptionModel } from '../../models/account/subscription.ts';
import { UserModel } from '../../models/account/user.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';

import type { DemoKeys } from './demo-keys.ts';
import { demoGroups, demoVehicles } from './demo-records.ts';
import { RESTRICTED_GROUP } from './fleet.ts';

/**
 * Writes the demonstration's records but for its trips and its access token. All keys are chosen before, so whatever an
 * earlier start has written already is left as it is.
 */
export async function writeRecords(keys: DemoKeys): Promise<void> {
  const { account_key, client_id } = keys;
  const created = new Date(keys.created);
  await insertIfAbsent(() =>
    AccountModel.create([
      {
        key: account_key,
        nickname: 'Waybridge demonstration (simulated)',
        city: 'Berlin',
        created,
        setup_complete: created,
        updated: created,
        owner_key: keys.owner_key,
      },
    ]),
  );
  await insertIfAbsent(() =>
    SubscriptionModel.create([
      {
        key: keys.subscription_key,
        account_key,
        plan: { key: 'fleet', name: 'Fleet', billing_period: 'month' },
        status: 'active',
        started_at: created,
      },
    ]),
  );
  for (const group of demoGroups(keys)) {
    await insertIfAbsent(() =>
      GroupModel.create([
        { ...group, group_path: [...group.group_path], active: true, created, updated: created, account_key },
      ]),
    );
  }
  await writeUsers(keys, created);
  await writeVehicles(keys, created);
  await insertIfAbsent(() =>
    ApiKeyModel.create([{ key: keys.api_key_id, account_key, secret_hash: hashSecret(keys.api_key), created }]),
  );
  await insertIfAbsent(() =>
    AppModel.create([
      {
        client_id,
        name: 'Demonstration app',
        redirect_uris: ['http://localhost:3000/callback'],
        scopes: [...DEFAULT_SCOPES],
        created,
        account_key,
        secret_hash: hashSecret(keys.client_secret),
      },
    ]),
  );
  await insertIfAbsent(() =>
    OauthRecordModel.create([
      {
        kind: 'Grant',
        id_hash: keys.grant_hash,
        grant_hash: keys.grant_hash,
        user_key: keys.owner_key,
        client_id,
        scopes: [...DEFAULT_SCOPES],
      },
    ]),
  );
}

async function writeUsers(keys: DemoKeys, created: Date): Promise<void> {
  const restriction = demoGroups(keys).find(({ name }) => name === RESTRICTED_GROUP);
  const users = [
    { key: keys.owner_key, email: keys.owner_email, password: keys.owner_password, group: undefined },
    {
      key: keys.restricted_user_key,
      email: keys.restricted_user_email,
      password: keys.restricted_user_password,
      group: restriction,
    },
  ];
  for (const { key, email, password, group } of users) {
    const password_hash = await hashPassword(password);
    await insertIfAbsent(() =>
      UserModel.create([
        {
          key,
          email,
          email_folded: email.toLowerCase(),
          password_hash,
          group_keys: group ? [group.key] : [],
          group_path: group ? [...group.group_path] : [],
          disabled: false,
          created,
          account_key: keys.account_key,
        },
      ]),
    );
  }
}

async function writeVehicles(keys: DemoKeys, created: Date): Promise<void> {
  const { account_key, subscription_key } = keys;
  for (const { car, key, device_key, membership } of demoVehicles(keys)) {
    const { nickname, make, model, year, serial } = car;
    await insertIfAbsent(() =>
      VehicleModel.create([{ key, nickname, make, model, year, ...membership, created, account_key }]),
    );
    await insertIfAbsent(() =>
      DeviceModel.create([
        {
          key: device_key,
          serial,
          serial_folded: serial.toLowerCase(),
          status: 'installed',
          vehicle_key: key,
          last_transmission: created,
          subscription_status: 'active',
          account_key,
          subscription_key,
          ...membership,
        },
      ]),
    );
  }
}
