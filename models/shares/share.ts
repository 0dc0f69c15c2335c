import { Share } from '../../schema/shares/share.ts';

import { COUNTING, storeOf, type StoredIn } from '../store/store-of.ts';
import { permissionsChanged } from '../store/permission-stamp.ts';
import { nullable, required } from '../store/stored-fields.ts';
import { accountAccessScope } from '../store/tenancy.ts';
import type { Service } from '../store/service.ts';

/** Seconds for which an ended share is listed. */
const LISTED_AFTER_SECONDS = 30 * 86_400;

/** Shares. */
export const ShareStore = storeOf(Share, {
  collection: 'shares',
  tenancy: 'account',
  decides: ['expires', 'ends_with_trip'],
  hidden: {
    account_key: required(String),
    secret_hash: required(String),
    /** Of the secret by which pages embed it; null if none may. */
    embed_secret_hash: nullable(String),
    /** The user for whom an app created it; null for shares of the owner. */
    user_key: nullable(String),
    client_id: nullable(String),
    /** The grant by which the app sees the vehicle; the share ends with it. */
    grant_hash: nullable(String),
  },
  indexes: [
    [{ secret_hash: 1 }, { unique: true }],
    [{ embed_secret_hash: 1 }],
    [{ account_key: 1, _id: 1 }],
    [{ account_key: 1, client_id: 1, user_key: 1 }, COUNTING],
    [{ expires: 1 }, { expireAfterSeconds: LISTED_AFTER_SECONDS }],
  ],
});

/** A share as it is read from the database. */
export type StoredShare = StoredIn<typeof ShareStore>;

/** Notifies followers of finished trips whose shares end with them. */
export function sharesEndWith(service: Service, accountKey: string, tripKeys: readonly string[]): Promise<void> {
  return lookAgain(service, accountKey, { trip_key: { $in: [...tripKeys] }, ends_with_trip: true });
}

/** Notifies followers of removed trips that are shared: their positions are now in other trips. */
export function sharesLose(service: Service, accountKey: string, tripKeys: readonly string[]): Promise<void> {
  return lookAgain(service, accountKey, { trip_key: { $in: [...tripKeys] } });
}

async function lookAgain(
  service: Service,
  accountKey: string,
  those: Readonly<Record<string, unknown>>,
): Promise<void> {
  const accessScope = accountAccessScope(service, accountKey);
  if (await ShareStore.findOne(accessScope, those, 'key')) await permissionsChanged(service);
}
