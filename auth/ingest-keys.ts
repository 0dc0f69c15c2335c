import { isSending } from '../models/vehicles/device-tail.ts';
import { findKeyAndDevice, IngestKeyStore, type KeyAndDevice } from '../models/vehicles/ingest-key.ts';
import { newKey } from '../models/key.ts';
import { type AccessScope, unrestricted, type Unrestricted } from '../models/store/tenancy.ts';

import type { DeviceItself, Forwarder } from './caller.ts';
import { hashSecret, newSecret } from './secrets/secrets.ts';
import { type Actor, OPERATOR, recordSecurityEvent } from './security-events.ts';
import type { Service } from '../models/store/service.ts';

/** Resolution of the recorded last use of a key, in milliseconds. */
const LAST_USE_GRAIN = 60_000;

/** A holder of a new key. */
export interface NewIngestKey {
  readonly account_key: string;
  /** Null for a forwarder for all devices of the account. */
  readonly device_key: string | null;
  /** True for a forwarder that creates unknown devices. */
  readonly creates_devices?: boolean;
  /** For people; none by default. */
  readonly name?: string | null;
  /** When it ends unless it is used before; never by default. */
  readonly expires?: Date | null;
}

/** Issues a key to a device or a forwarder; this is the only time its secret is seen. */
export async function issueIngestKey(
  service: Service,
  { account_key, device_key, creates_devices = false, name = null, expires = null }: NewIngestKey,
  actor: Actor = OPERATOR,
) {
  const secret = newSecret(device_key === null ? 'wb_forwarder_' : 'wb_device_');
  const key = newKey();
  const holder = { account_key, device_key, creates_devices, name, expires };
  await IngestKeyStore.create(unrestricted(service), {
    key,
    ...holder,
    secret_hash: hashSecret(secret),
    created: new Date(),
  });
  const kind = device_key === null ? 'forwarder_key_created' : 'device_key_created';
  await recordSecurityEvent(service, { kind, actor, account_key, subject: key });
  return { key, secret };
}

/**
 * Revokes a key immediately; idempotent.
 *
 * @returns false if no device (or no forwarder) has such a key
 */
export async function revokeIngestKey(
  service: Service,
  key: string,
  of: 'device' | 'forwarder',
  accessScope: AccessScope | Unrestricted = unrestricted(service),
  actor: Actor = OPERATOR,
): Promise<boolean> {
  const which = { key, device_key: of === 'device' ? { $ne: null } : null };
  const revoked = await IngestKeyStore.findOneAndUpdate(
    accessScope,
    { ...which, revoked: null },
    { revoked: new Date() },
  );
  if (revoked) {
    const { account_key } = revoked;
    await recordSecurityEvent(service, { kind: `${of}_key_revoked`, actor, account_key, subject: key });
    return true;
  }
  return (await IngestKeyStore.countDocuments(accessScope, which)) > 0;
}

/**
 * The device or forwarder whom a key proves; null if it does not exist, was revoked or was not used in time, or if its device is
 * removed.
 */
export async function findIngestKey(service: Service, secret: string): Promise<DeviceItself | Forwarder | null> {
  const found = await findKeyAndDevice(service, hashSecret(secret));
  const now = new Date();
  const isOpen = found && found.revoked === null && (found.expires === null || found.expires > now);
  const holder = isOpen ? holderOf(found) : null;
  if (!found || !holder) return null;
  const { key, last_used } = found;
  if (last_used === null || now.getTime() - last_used.getTime() >= LAST_USE_GRAIN) {
    await IngestKeyStore.updateOne(
      unrestricted(service),
      { key },
      { $max: { last_used: now }, $set: { expires: null } },
    );
  }
  return holder;
}

function holderOf(key: KeyAndDevice) {
  const { account_key, device_key, creates_devices, device } = key;
  const { zones, places_revision, rules_revision, retention_days, trip_settings } = key;
  const ofAccount = { account_key, zones, places_revision, rules_revision, retention_days, trip_settings };
  if (device_key === null) return { kind: 'forwarder', creates_devices, ...ofAccount } satisfies Forwarder;
  if (device?.account_key !== account_key || !isSending(device)) return null;
  return { kind: 'device', device_key, device, ...ofAccount } satisfies DeviceItself;
}
