import { AppModel } from '../../models/account/app.ts';
import { DeletedRecordModel } from '../../models/account/deleted-record.ts';
import { UserModel } from '../../models/account/user.ts';
import { KnownBrowserModel } from '../../models/sign-in/known-browser.ts';
import { OauthRecordModel } from '../../models/sign-in/oauth-record.ts';
import { accountAccessScope, deleteOfAccount, modelsOfAccounts, type NarrowedModel } from '../../models/tenancy.ts';
import { DeviceMinuteModel } from '../../models/trips/device-minute.ts';
import { TripPointsBucketModel } from '../../models/trips/trip-points-bucket.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';

import { AT_ONCE } from './delete-all.ts';

/** Models whose documents only vehicles lead to. */
const OF_VEHICLES: readonly NarrowedModel[] = [TripPointsBucketModel, DeviceMinuteModel];

/**
 * Deletes everything of an account but the record of its own deletion. It may be interrupted after any write, and goes on when it
 * is called again. The log of changes is not told, since it goes as well.
 *
 * @returns true if there was anything, or a signal ended it before that was known
 */
export async function purgeAccount(accountKey: string, signal?: AbortSignal): Promise<boolean> {
  const accessScope = accountAccessScope(accountKey);
  const user_key = { $in: await UserModel.distinct('key').setOptions({ accessScope }) };
  const client_id = { $in: await AppModel.distinct('client_id').setOptions({ accessScope }) };
  await OauthRecordModel.deleteMany({ $or: [{ user_key }, { client_id }] });
  await KnownBrowserModel.deleteMany({ user_key });
  let isAny = false;
  const purge = async (model: NarrowedModel, condition: object) => {
    while (!signal?.aborted && (await deleteOfAccount(model, accountKey, { ...condition, limit: AT_ONCE })))
      isAny = true;
  };
  for (const vehicle_key of await VehicleModel.distinct('key').setOptions({ accessScope })) {
    for (const model of OF_VEHICLES) await purge(model, { vehicle_key });
  }
  const itself = { key: { $ne: accountKey } };
  for (const model of modelsOfAccounts()) {
    if (OF_VEHICLES.some(({ schema }) => schema === model.schema)) continue;
    await purge(model, model.schema === DeletedRecordModel.schema ? itself : {});
  }
  return isAny || signal?.aborted === true;
}
