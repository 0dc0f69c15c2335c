import { IngestKey } from '../../schema/account/api-key.ts';

import type { PrivacyZone } from '../../schema/vehicles/privacy-zone.ts';

import { fillDefaults } from '../store/defaults-on-read.ts';
import { storeOf, type StoredIn } from '../store/store-of.ts';
import { defaulting, nullable, required } from '../store/stored-fields.ts';
import { joinAll, projectOf } from '../store/join-stages.ts';
import { AccountStore } from '../account/account.ts';
import { DeviceStore } from './device.ts';
import { SENDING_FIELDS, type SendingDevice } from './device-tail.ts';
import { PrivacyZoneStore } from './privacy-zone.ts';
import type { Service } from '../store/service.ts';
import type { TripSettings } from '../../schema/account/trip-settings.ts';

/** Keys of devices and forwarders. */
export const IngestKeyStore = storeOf(IngestKey, {
  collection: 'ingest_keys',
  tenancy: 'account',
  hidden: {
    account_key: required(String),
    /** The device whose key it is; null for a forwarder's, which sends for all devices of the account. */
    device_key: nullable(String),
    /** True for a key of a forwarder that creates unknown devices. */
    creates_devices: defaulting(Boolean, false),
    secret_hash: required(String),
  },
  indexes: [[{ secret_hash: 1 }, { unique: true }], [{ account_key: 1, device_key: 1, _id: 1 }]],
});

const KEY_FIELDS = {
  key: 1,
  account_key: 1,
  device_key: 1,
  creates_devices: 1,
  revoked: 1,
  last_used: 1,
  expires: 1,
} as const;

/** Facts of an account that every request of its devices needs. */
export interface IngestAccount {
  /** The privacy zones of the account. */
  readonly zones: readonly PrivacyZone[];
  /** Number of changes of the places of the account. */
  readonly places_revision: number;
  /** Number of changes of the rules of the account. */
  readonly rules_revision: number;
  /** Days for which the account keeps positions; null without a limit. */
  readonly retention_days: number | null;
  /** Settings of beginnings and ends of trips, unless a device has settings of its own; null for the default. */
  readonly trip_settings: TripSettings | null;
}

/** A key with the records that its requests need. */
export interface KeyAndDevice extends IngestAccount, Pick<StoredIn<typeof IngestKeyStore>, keyof typeof KEY_FIELDS> {
  /** The device whose key it is; null for a forwarder's, and if the device is gone. */
  readonly device: SendingDevice | null;
}

const OF_ACCOUNT = { places_revision: 1, rules_revision: 1, retention: 1, trip_settings: 1 } as const;

const WITH_DEVICE = [
  joinAll(DeviceStore.collection, 'device_key', 'key', 'devices'),
  joinAll(PrivacyZoneStore.collection, 'account_key', 'account_key', 'zones'),
  joinAll(AccountStore.collection, 'account_key', 'key', 'accounts'),
  projectOf({ ...KEY_FIELDS, devices: SENDING_FIELDS, zones: 1, accounts: OF_ACCOUNT }),
];

/**
 * Reads a key with its device and the account's privacy zones and revisions of places and rules by one command, since every
 * request of a device needs them.
 */
export async function findKeyAndDevice(service: Service, secretHash: string): Promise<KeyAndDevice | undefined> {
  type Found = Omit<KeyAndDevice, 'device' | Exclude<keyof IngestAccount, 'zones'>> & {
    readonly devices: readonly SendingDevice[];
    readonly accounts: readonly Partial<Pick<StoredIn<typeof AccountStore>, keyof typeof OF_ACCOUNT>>[];
  };
  const [found] = await IngestKeyStore.identifyBySecret<Found>(service, secretHash, WITH_DEVICE);
  const [account] = found?.accounts ?? [];
  // Absent if the account was removed.
  if (!found || !account) return undefined;
  fillDefaults(IngestKeyStore.schema, found, KEY_FIELDS);
  fillDefaults(PrivacyZoneStore.schema, found.zones);
  fillDefaults(DeviceStore.schema, found.devices, SENDING_FIELDS);
  const { places_revision = 0, rules_revision = 0, retention, trip_settings = null } = account;
  return {
    ...found,
    device: found.devices[0] ?? null,
    places_revision,
    rules_revision,
    retention_days: retention?.positions_days ?? null,
    trip_settings,
  };
}
