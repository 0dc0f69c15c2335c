import { issueApiKey } from '../../auth/api-keys.ts';
import { createGrant, issueAccessToken } from '../../auth/grants.ts';
import { hashSecret, newSecret } from '../../auth/secrets/secrets.ts';
import { AccountStore, type AccountPlan } from '../../models/account/account.ts';
import { AppStore } from '../../models/account/app.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { GroupStore } from '../../models/account/group.ts';
import { newKey } from '../../models/key.ts';
import { serialFields } from '../../models/vehicles/serial-grams.ts';
import { BillingSubscriptionStore } from '../../models/account/billing-subscription.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { UserStore } from '../../models/account/user.ts';
import { nicknameFields, VehicleStore } from '../../models/vehicles/vehicle.ts';
import type { User } from '../../schema/account/user.ts';
import type { Account } from '../../schema/account/account.ts';
import type { Device } from '../../schema/vehicles/device.ts';
import { testService } from './database.ts';

const NOW = new Date('2026-03-01T12:00:00Z');

/** Settings with which a trip begins with the first meters, and ends with a pause of five minutes: tests need few positions. */
export const SHORT_TRIPS = {
  stop_seconds: 300,
  gap_seconds: 300,
  ignition_off_seconds: 0,
  movement_meters: 1,
  minimum_meters: 0,
  minimum_seconds: 0,
  maximum_kmh: null,
  reporter: null,
  ignition_trusted: null,
  accuracy_meters: null,
};

/** An account with nothing in it but its owner, and with {@link SHORT_TRIPS}. */
export async function account(fields: Partial<Account> & { account_plan?: AccountPlan } = {}) {
  const key = newKey();
  await AccountStore.create(unrestricted(testService), {
    key,
    nickname: 'Bakery',
    created: NOW,
    updated: NOW,
    trip_settings: SHORT_TRIPS,
    ...fields,
  });
  await user(key);
  const { secret: api_key, key: apiKeyKey } = await issueApiKey(testService, key);
  return { key, api_key, apiKeyKey, headers: { 'service-api-key': api_key } };
}

/** A user of an account, restricted to groups or not. */
export async function user(
  account_key: string,
  groups: readonly { key: string; group_path: readonly string[] }[] = [],
  fields: Partial<User> = {},
) {
  const key = newKey();
  const groupFields = { group_keys: groups.map((group) => group.key), group_path: pathOf(groups) };
  await UserStore.create(unrestricted(testService), {
    key,
    account_key,
    email: null,
    ...groupFields,
    disabled: false,
    created: NOW,
    ...fields,
  });
  return key;
}

/** A device of an account. */
export async function device(
  account_key: string,
  fields: Partial<Omit<Device, 'is_connected' | 'disconnected_timestamp'>> & {
    groups?: readonly { key: string; group_path: readonly string[] }[];
  } = {},
) {
  const { groups = [], serial = newKey(), ...rest } = fields;
  const created = await DeviceStore.create(unrestricted(testService), {
    key: newKey(),
    ...serialFields(serial),
    status: 'installed',
    subscription_status: 'active',
    account_key,
    group_keys: groups.map((group) => group.key),
    group_path: pathOf(groups),
    ...rest,
  });
  return created;
}

/** A vehicle of an account. */
export async function vehicle(
  account_key: string,
  groups: readonly { key: string; group_path: readonly string[] }[] = [],
) {
  const key = newKey();
  const group_keys = groups.map((group) => group.key);
  await VehicleStore.create(unrestricted(testService), {
    key,
    ...nicknameFields('Van'),
    account_key,
    group_keys,
    group_path: pathOf(groups),
    created: NOW,
  });
  return key;
}

/** A group of an account. */
export async function group(
  account_key: string,
  name: string,
  parent?: { key: string; group_path: readonly string[]; tree_depth: number },
  active = true,
) {
  const key = newKey();
  const created = await GroupStore.create(unrestricted(testService), {
    key,
    name,
    active,
    tree_depth: (parent?.tree_depth ?? 1) + 1,
    created: NOW,
    updated: NOW,
    account_key,
    parent_key: parent?.key ?? null,
    group_path: [...(parent?.group_path ?? []), key],
  });
  return created;
}

/** A subscription of an account. */
export async function subscription(account_key: string) {
  const created = await BillingSubscriptionStore.create(unrestricted(testService), {
    key: newKey(),
    account_key,
    plan: { key: 'fleet', name: 'Fleet', billing_period: 'month' },
    status: 'active',
    started_at: NOW,
  });
  return created;
}

/** Fields of a registered app. */
export interface AppFields {
  readonly scopes: readonly string[];
  readonly name?: string;
  readonly redirect_uris?: readonly string[];
  readonly isPublic?: boolean;
  /** Must use PKCE although it has a secret. */
  readonly pkce?: boolean;
}

/** A registered app of an account; a public one has no use for its secret. */
export async function app(account_key: string, fields: AppFields) {
  const client_id = newKey();
  const client_secret = newSecret('wb_secret_');
  await AppStore.create(unrestricted(testService), {
    client_id,
    name: fields.name ?? 'Route planner',
    redirect_uris: [...(fields.redirect_uris ?? ['https://app.example/back'])],
    scopes: [...fields.scopes],
    created: NOW,
    account_key,
    secret_hash: fields.isPublic ? null : hashSecret(client_secret),
    pkce: fields.pkce ?? false,
  });
  return { client_id, client_secret };
}

/** A registered app, and an access token with which it acts for a user. */
export async function appFor(user_key: string, scopes: readonly string[]) {
  const owner = await UserStore.findOne(unrestricted(testService), { key: user_key });
  const { client_id, client_secret } = await app(owner?.account_key ?? '', { scopes });
  const grant = await createGrant(testService, { user_key, client_id, scopes });
  const access_token = await issueAccessToken(testService, grant);
  return { client_id, client_secret, access_token, grant, headers: { authorization: `Bearer ${access_token}` } };
}

function pathOf(groups: readonly { group_path: readonly string[] }[]): string[] {
  return [...new Set(groups.flatMap((group) => group.group_path))];
}
