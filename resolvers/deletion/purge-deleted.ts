import { recordSecurityEvent } from '../../auth/security-events.ts';
import { AccountModel } from '../../models/account/account.ts';
import { DeletedRecordModel, type StoredDeletedRecord } from '../../models/account/deleted-record.ts';
import { UserModel } from '../../models/account/user.ts';
import { VisitModel } from '../../models/places/visit.ts';
import { RuleEventModel } from '../../models/rules/rule-event.ts';
import { ShareModel } from '../../models/shares/share.ts';
import { KnownBrowserModel } from '../../models/sign-in/known-browser.ts';
import { OauthRecordModel } from '../../models/sign-in/oauth-record.ts';
import { accountAccessScope, UNRESTRICTED, vehicleAccessScope } from '../../models/tenancy.ts';
import { DeviceMinuteModel } from '../../models/trips/device-minute.ts';
import { TripModel } from '../../models/trips/trip.ts';
import { TripPointsBucketModel } from '../../models/trips/trip-points-bucket.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { IngestKeyModel } from '../../models/vehicles/ingest-key.ts';
import { VehicleEventModel } from '../../models/vehicles/vehicle-event.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';
import { WebhookModel } from '../../models/webhooks/webhook.ts';
import { deliveriesAccessScope, WebhookDeliveryModel } from '../../models/webhooks/webhook-delivery.ts';

import { purgeAccount } from './purge-account.ts';
import { deleteAll } from './delete-all.ts';
import { GRACE_DAYS } from './delete-record.ts';

const DAY_MS = 86_400_000;
/** Time after the grace for which nothing is purged, so that a request to bring it back that came just in time is done. */
const MARGIN_MS = 3_600_000;

/**
 * Purges what was deleted more than {@link GRACE_DAYS} days ago, with all that belongs to it: a vehicle's trips,
 * positions, visits, events and shares, a device's keys, a user's grants, webhooks and shares, everything of an account, and what webhooks were sent of them. It may be interrupted after any write, and goes on when it is called again. Returns true if there was anything to purge.
 *
 * @param now milliseconds since 1970
 */
export async function purgeDeleted(signal?: AbortSignal, now: number = Date.now()): Promise<boolean> {
  const until = new Date(now - GRACE_DAYS * DAY_MS - MARGIN_MS);
  const all = { accessScope: UNRESTRICTED };
  // The users of an account have left before it.
  const records = await DeletedRecordModel.find({ deleted_at: { $lt: until } }, null, all)
    .sort({ deleted_at: 1 })
    .lean<StoredDeletedRecord[]>();
  for (const record of records) {
    if (signal?.aborted) break;
    await purgeRecord(record, signal);
  }
  const devices = await DeviceModel.find({ deleted_at: { $lt: until } }, 'key account_key', all).lean();
  for (const { key, account_key } of devices) {
    if (signal?.aborted) break;
    const accessScope = accountAccessScope(account_key);
    await IngestKeyModel.deleteMany({ device_key: key }).setOptions({ accessScope });
    await deleteAll(WebhookDeliveryModel, deliveriesAccessScope(account_key), { device_key: key });
    await DeviceModel.deleteOne({ key, deleted_at: { $lt: until } }).setOptions({ accessScope });
  }
  return records.length + devices.length > 0;
}

async function purgeRecord({ kind, key, account_key }: StoredDeletedRecord, signal?: AbortSignal): Promise<void> {
  const accessScope = accountAccessScope(account_key);
  const ofVehicle = vehicleAccessScope(accessScope, { key });
  // Where a kill interrupted a deletion or its undoing, the record is where it belongs, and this is a copy.
  if (kind === 'vehicle' && (await VehicleModel.countDocuments({ key }, { accessScope })) === 0) {
    for (const model of [
      // First: while there is one of an event, webhooks are told that the event is none any more.
      WebhookDeliveryModel,
      TripPointsBucketModel,
      DeviceMinuteModel,
      TripModel,
      VisitModel,
      RuleEventModel,
      VehicleEventModel,
    ])
      await deleteAll(model, ofVehicle);
    await deleteAll(ShareModel, accessScope, { vehicle_key: key });
    await DeviceModel.updateMany({ 'left.vehicle_key': key }, { left: null }).setOptions({ accessScope });
  }
  if (kind === 'user' && (await UserModel.countDocuments({ key }, { accessScope })) === 0) {
    await OauthRecordModel.deleteMany({ user_key: key });
    await KnownBrowserModel.deleteMany({ user_key: key });
    await deleteAll(WebhookDeliveryModel, deliveriesAccessScope(account_key), { driver_key: key });
    for (const model of [ShareModel, WebhookModel]) await deleteAll(model, accessScope, { user_key: key });
  }
  if (kind === 'account' && (await AccountModel.countDocuments({}, { accessScope })) === 0) {
    // What others have stored meanwhile goes the next time: the record stays until there is nothing.
    if (await purgeAccount(key, signal)) return;
    await recordSecurityEvent({ kind: 'account_purged', actor: { by: 'service' }, subject: key });
  }
  await DeletedRecordModel.deleteOne({ key }).setOptions({ accessScope });
}
