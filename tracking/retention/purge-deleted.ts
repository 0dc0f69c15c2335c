import { recordSecurityEvent } from '../../auth/security-events.ts';
import { AccountStore } from '../../models/account/account.ts';
import { DeletedRecordStore, type StoredDeletedRecord } from '../../models/account/deleted-record.ts';
import { UserStore } from '../../models/account/user.ts';
import { VisitStore } from '../../models/places/visit.ts';
import { RuleEventStore } from '../../models/rules/rule-event.ts';
import { ShareStore } from '../../models/shares/share.ts';
import { KnownBrowserStore } from '../../models/sign-in/known-browser.ts';
import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { accountAccessScope, unrestricted, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { DeviceMinuteStore } from '../../models/trips/device-minute.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { TripImportStore } from '../../models/trips/trip-import.ts';
import { TripPointsBucketStore } from '../../models/trips/trip-points-bucket.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { IngestKeyStore } from '../../models/vehicles/ingest-key.ts';
import { VehicleEventStore } from '../../models/vehicles/vehicle-event.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { WebhookStore } from '../../models/webhooks/webhook.ts';
import { deliveriesAccessScope, WebhookDeliveryStore } from '../../models/webhooks/webhook-delivery.ts';

import { deleteAll, AT_ONCE } from './delete-all.ts';
import { GRACE_DAYS } from './delete-record.ts';
import type { Service } from '../../models/store/service.ts';
import { inParts } from '../../models/grouped-by.ts';
import { AppStore } from '../../models/account/app.ts';
import { deleteOfAccount, storesOfAccounts } from '../../models/store/store.ts';
import type { PlainStore } from '../../models/store/plain-store.ts';

/** Models whose documents are reached only through vehicles. */
const OF_VEHICLES: readonly Pick<PlainStore<unknown>, 'driver' | 'schema'>[] = [
  TripPointsBucketStore,
  DeviceMinuteStore,
];

/**
 * Deletes everything of an account but the record of its own deletion. It may be interrupted after any write, and continues
 * when it is called again. The log of changes gets no entries, since it is deleted as well.
 *
 * @returns true if there was anything to delete, or a signal ended it before that was known
 */
async function purgeAccount(service: Service, accountKey: string, signal?: AbortSignal): Promise<boolean> {
  const accessScope = accountAccessScope(service, accountKey);
  for (const keys of inParts(await UserStore.distinct(accessScope, 'key'), AT_ONCE)) {
    await OauthRecordStore.deleteMany(service, { user_key: { $in: keys } });
    await KnownBrowserStore.deleteMany(service, { user_key: { $in: keys } });
  }
  for (const ids of inParts(await AppStore.distinct(accessScope, 'client_id'), AT_ONCE))
    await OauthRecordStore.deleteMany(service, { client_id: { $in: ids } });
  let isAny = false;
  const purge = async (store: Pick<PlainStore<unknown>, 'driver'>, condition: object) => {
    while (!signal?.aborted && (await deleteOfAccount(store, accessScope, { ...condition, limit: AT_ONCE })))
      isAny = true;
  };
  for (const vehicle_key of await VehicleStore.distinct(accessScope, 'key')) {
    for (const store of OF_VEHICLES) await purge(store, { vehicle_key });
  }
  const itself = { key: { $ne: accountKey } };
  for (const store of storesOfAccounts()) {
    if (OF_VEHICLES.some(({ schema }) => schema === store.schema)) continue;
    await purge(store, store.schema === DeletedRecordStore.schema ? itself : {});
  }
  return isAny || signal?.aborted === true;
}

const DAY_MS = 86_400_000;
/** Time after the grace period in which nothing is purged, so that a last-minute request to restore it can finish. */
const MARGIN_MS = 3_600_000;

/**
 * Purges what was deleted more than {@link GRACE_DAYS} days ago, with all that belongs to it: a vehicle's trips, positions,
 * visits, events and shares, a device's keys, a user's grants, webhooks and shares, everything of an account, and what webhooks
 * were sent of them. It may be interrupted after any write, and continues when it is called again. Returns true if there was
 * anything to purge.
 *
 * @param now milliseconds since 1970
 */
export async function purgeDeleted(service: Service, signal?: AbortSignal, now: number = Date.now()): Promise<boolean> {
  const until = new Date(now - GRACE_DAYS * DAY_MS - MARGIN_MS);
  const all = unrestricted(service);
  // The users of an account are purged before it.
  const records = await DeletedRecordStore.find(all, { deleted_at: { $lt: until } }).sort({
    deleted_at: 1,
  });
  for (const record of records) {
    if (signal?.aborted) break;
    await purgeRecord(service, record, signal);
  }
  const devices = await DeviceStore.find(all, { deleted_at: { $lt: until } }, 'key account_key');
  for (const { key, account_key } of devices) {
    if (signal?.aborted) break;
    const accessScope = accountAccessScope(service, account_key);
    await IngestKeyStore.deleteMany(accessScope, { device_key: key });
    await deleteAll(WebhookDeliveryStore, deliveriesAccessScope(service, account_key), { device_key: key });
    await DeviceStore.deleteOne(accessScope, { key, deleted_at: { $lt: until } });
  }
  return records.length + devices.length > 0;
}

async function purgeRecord(
  service: Service,
  { kind, key, account_key }: StoredDeletedRecord,
  signal?: AbortSignal,
): Promise<void> {
  const accessScope = accountAccessScope(service, account_key);
  const ofVehicle = vehicleAccessScope(accessScope, { key });
  // If a kill interrupted a deletion or its undoing, the record is in its collection, and this is a copy.
  if (kind === 'vehicle' && (await VehicleStore.countDocuments(accessScope, { key })) === 0) {
    for (const model of [
      // First: webhooks are notified that an event no longer exists only while there is a delivery of it.
      WebhookDeliveryStore,
      TripPointsBucketStore,
      DeviceMinuteStore,
      TripStore,
      VisitStore,
      RuleEventStore,
      VehicleEventStore,
    ])
      await deleteAll(model, ofVehicle);
    for (const model of [ShareStore, TripImportStore]) await deleteAll(model, accessScope, { vehicle_key: key });
    await DeviceStore.updateMany(accessScope, { 'left.vehicle_key': key }, { left: null });
  }
  if (kind === 'user' && (await UserStore.countDocuments(accessScope, { key })) === 0) {
    await OauthRecordStore.deleteMany(service, { user_key: key });
    await KnownBrowserStore.deleteMany(service, { user_key: key });
    await deleteAll(WebhookDeliveryStore, deliveriesAccessScope(service, account_key), { driver_key: key });
    for (const model of [ShareStore, WebhookStore]) await deleteAll(model, accessScope, { user_key: key });
  }
  if (kind === 'account' && (await AccountStore.countDocuments(accessScope)) === 0) {
    // Data that others have stored meanwhile is deleted the next time: the record stays until nothing is left.
    if (await purgeAccount(service, key, signal)) return;
    await recordSecurityEvent(service, { kind: 'account_purged', actor: { by: 'service' }, subject: key });
  }
  await DeletedRecordStore.deleteOne(accessScope, { key });
}
