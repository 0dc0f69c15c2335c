import type { Model } from 'mongoose';

import { AccountModel } from '../../models/account/account.ts';
import { ApiKeyModel } from '../../models/account/api-key.ts';
import { AppModel } from '../../models/account/app.ts';
import { BillingSubscriptionModel } from '../../models/account/billing-subscription.ts';
import { DeletedRecordModel } from '../../models/account/deleted-record.ts';
import { GroupModel } from '../../models/account/group.ts';
import { TagModel } from '../../models/account/tag.ts';
import { UserModel } from '../../models/account/user.ts';
import { PlaceModel } from '../../models/places/place.ts';
import { VisitModel } from '../../models/places/visit.ts';
import { RuleModel } from '../../models/rules/rule.ts';
import { ShareModel } from '../../models/shares/share.ts';
import { OauthRecordModel } from '../../models/sign-in/oauth-record.ts';
import { UNRESTRICTED } from '../../models/tenancy.ts';
import { TripModel } from '../../models/trips/trip.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { IngestKeyModel } from '../../models/vehicles/ingest-key.ts';
import { PrivacyZoneModel } from '../../models/vehicles/privacy-zone.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';
import { WebhookModel } from '../../models/webhooks/webhook.ts';

import { ServiceError } from '../../schema/service-error.ts';

import { unknownKey } from './unknown-key.ts';

/** Finds the account of a record by the key of the record. */
type Finder = (key: string) => Promise<string | undefined>;

interface Owned {
  readonly account_key: string | null;
}

function byKey(model: Pick<Model<Owned>, 'findOne'>, field = 'key'): Finder {
  return async (key) => {
    const found = await model.findOne({ [field]: key }, { account_key: 1 }, { accessScope: UNRESTRICTED }).lean();
    return found?.account_key ?? undefined;
  };
}

/** Finds a record that may have been deleted and can be brought back. */
function byKeyOrDeleted(model: Pick<Model<Owned>, 'findOne'>): Finder {
  return async (key) => (await byKey(model)(key)) ?? byKey(DeletedRecordModel)(key);
}

const FINDERS = {
  account: async (key: string) => (await AccountModel.findOne({ key }, { key: 1 }, { accessScope: UNRESTRICTED }))?.key,
  vehicle: byKeyOrDeleted(VehicleModel),
  user: byKeyOrDeleted(UserModel),
  device: byKey(DeviceModel),
  group: byKey(GroupModel),
  tag: byKey(TagModel),
  place: byKey(PlaceModel),
  visit: byKey(VisitModel),
  rule: byKey(RuleModel),
  trip: byKey(TripModel),
  share: byKey(ShareModel),
  webhook: byKey(WebhookModel),
  'privacy-zone': byKey(PrivacyZoneModel),
  subscription: byKey(BillingSubscriptionModel),
  'api-key': byKey(ApiKeyModel),
  'device-key': byKey(IngestKeyModel),
  'forwarder-key': byKey(IngestKeyModel),
  app: byKey(AppModel, 'client_id'),
  grant: async (key: string) => {
    const grant = await OauthRecordModel.findOne({ kind: 'Grant', id_hash: key }, { user_key: 1 }).lean();
    return grant?.user_key == null ? undefined : byKey(UserModel)(grant.user_key);
  },
} as const satisfies Readonly<Record<string, Finder>>;

/** A kind of record that the operator names by key alone. */
export type RecordKind = keyof typeof FINDERS;

/**
 * The key of the account of a record, for the operator, who may see every account.
 *
 * @throws ServiceError BAD_REQUEST naming the kind and the key
 */
export async function accountOfRecord(kind: RecordKind, key: string): Promise<string> {
  const found = await FINDERS[kind](key);
  if (found === undefined) throw unknownKey(kind, `${/^[aeio]/.test(kind) ? 'an' : 'a'} ${kind}`, key);
  if ((await FINDERS.account(found)) !== undefined) return found;
  throw new ServiceError('BAD_REQUEST', `${kind} belongs to account ${found}, which was removed; restore that first`);
}
