import { inParts } from '../../models/grouped-by.ts';
import { AppStore } from '../../models/account/app.ts';
import { DeletedRecordStore } from '../../models/account/deleted-record.ts';
import { UserStore } from '../../models/account/user.ts';
import { KnownBrowserStore } from '../../models/sign-in/known-browser.ts';
import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { DeviceMinuteStore } from '../../models/trips/device-minute.ts';
import { TripPointsBucketStore } from '../../models/trips/trip-points-bucket.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';

import { AT_ONCE } from './delete-all.ts';
import { deleteOfAccount, storesOfAccounts } from '../../models/store/store.ts';
import type { PlainStore } from '../../models/store/plain-store.ts';
import type { Service } from '../../models/store/service.ts';

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
export async function purgeAccount(service: Service, accountKey: string, signal?: AbortSignal): Promise<boolean> {
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
