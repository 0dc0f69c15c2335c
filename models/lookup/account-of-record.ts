import { AccountStore } from '../account/account.ts';
import { ApiKeyStore } from '../account/api-key.ts';
import { AppStore } from '../account/app.ts';
import { BillingSubscriptionStore } from '../account/billing-subscription.ts';
import { DeletedRecordStore } from '../account/deleted-record.ts';
import { GroupStore } from '../account/group.ts';
import { TagStore } from '../account/tag.ts';
import { UserStore } from '../account/user.ts';
import { PlaceStore } from '../places/place.ts';
import { VisitStore } from '../places/visit.ts';
import { RuleStore } from '../rules/rule.ts';
import { ShareStore } from '../shares/share.ts';
import { OauthRecordStore } from '../sign-in/oauth-record.ts';
import { unrestricted } from '../store/tenancy.ts';
import { TripStore } from '../trips/trip.ts';
import { TripImportStore } from '../trips/trip-import.ts';
import { DeviceStore } from '../vehicles/device.ts';
import { IngestKeyStore } from '../vehicles/ingest-key.ts';
import { PrivacyZoneStore } from '../vehicles/privacy-zone.ts';
import { VehicleStore } from '../vehicles/vehicle.ts';
import { WebhookStore } from '../webhooks/webhook.ts';

import { ServiceError } from '../../schema/service-error.ts';

import { unknownKey } from './unknown-key.ts';
import type { Store } from '../store/store.ts';
import type { Service } from '../store/service.ts';

/** Finds the account of a record by the key of the record. */
type Finder = (service: Service, key: string) => Promise<string | undefined>;

interface Owned {
  readonly account_key: string | null;
}

function byKey(model: Pick<Store<Owned, unknown>, 'findOne'>, field = 'key'): Finder {
  return async (service, key) => {
    const found = await model.findOne(unrestricted(service), { [field]: key }, { account_key: 1 });
    return found?.account_key ?? undefined;
  };
}

/** Finds a record, which may be deleted and restorable. */
function byKeyOrDeleted(model: Pick<Store<Owned, unknown>, 'findOne'>): Finder {
  return async (service, key) => (await byKey(model)(service, key)) ?? byKey(DeletedRecordStore)(service, key);
}

const FINDERS = {
  account: async (service: Service, key: string) =>
    (await AccountStore.findOne(unrestricted(service), { key }, { key: 1 }))?.key,
  vehicle: byKeyOrDeleted(VehicleStore),
  user: byKeyOrDeleted(UserStore),
  device: byKey(DeviceStore),
  group: byKey(GroupStore),
  tag: byKey(TagStore),
  place: byKey(PlaceStore),
  visit: byKey(VisitStore),
  rule: byKey(RuleStore),
  trip: byKey(TripStore),
  import: byKey(TripImportStore),
  share: byKey(ShareStore),
  webhook: byKey(WebhookStore),
  'privacy-zone': byKey(PrivacyZoneStore),
  subscription: byKey(BillingSubscriptionStore),
  'api-key': byKey(ApiKeyStore),
  'device-key': byKey(IngestKeyStore),
  'forwarder-key': byKey(IngestKeyStore),
  app: byKey(AppStore, 'client_id'),
  grant: async (service: Service, key: string) => {
    const grant = await OauthRecordStore.findOne(service, { kind: 'Grant', id_hash: key }, { user_key: 1 });
    return grant?.user_key == null ? undefined : byKey(UserStore)(service, grant.user_key);
  },
} as const satisfies Readonly<Record<string, Finder>>;

/** A kind of record that the operator names only by key. */
export type RecordKind = keyof typeof FINDERS;

/**
 * The key of the account of a record, for the operator, who may see every account.
 *
 * @throws ServiceError BAD_REQUEST naming the kind and the key
 */
export async function accountOfRecord(service: Service, kind: RecordKind, key: string): Promise<string> {
  const found = await FINDERS[kind](service, key);
  if (found === undefined) throw unknownKey(kind, `${/^[aeio]/.test(kind) ? 'an' : 'a'} ${kind}`, key);
  if ((await FINDERS.account(service, found)) !== undefined) return found;
  throw new ServiceError('BAD_REQUEST', `${kind} belongs to account ${found}, which was removed; restore that first`);
}
