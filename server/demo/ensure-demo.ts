import { join } from 'node:path';
import { ACCESS_TOKEN_LIFETIME, findAccessToken, holderOfGrant, keepAccessToken } from '../../auth/grants.ts';
import { newSecret } from '../../auth/secrets/secrets.ts';
import { addMap, mapFolder } from '../maps/map-folder.ts';
import { packageRoot } from '../../http/package-file.ts';
import { AccountStore } from '../../models/account/account.ts';
import { DeletedRecordStore } from '../../models/account/deleted-record.ts';
import { accountAccessScope, unrestricted } from '../../models/store/tenancy.ts';
import { type DemoKeys, keepFirstDemoKeys, newDemoKeys, readDemoKeys, replaceDemoKeys } from './demo-keys.ts';
import { writeRecords } from './write-records.ts';
import { writeTrips } from './write-trips.ts';
import type { Service } from '../../models/store/service.ts';
import { ContentItemStore } from '../../content/models/content-item.ts';
import { WebsiteUserStore } from '../../content/models/website-user.ts';
import { isDuplicateKey } from '../../models/store/duplicate-key.ts';
import { importContent } from '../../content/transfer/import-content.ts';
import { DEMO_WRITER, demoContent } from './demo-content.ts';

const HOUR_MS = 3_600_000;
/** Minimum remaining lifetime of a start's access token, in hours, so that a printed example works for the day. */
export const GOOD_FOR_HOURS = 20;

/** Choice of a demonstration: `default` creates one in an embedded database without accounts. */
export type DemoOption = 'default' | 'wanted' | 'refused';

/** A demonstration that is in the database. */
export interface Demo {
  readonly keys: DemoKeys;
  /**
   * Writes missing content and trips until the signal; returns false if any are still missing.
   *
   * @param onProgress called with the completed share, from 0 to 1
   */
  readonly complete: (signal: AbortSignal, onProgress: (share: number) => void) => Promise<boolean>;
}

/**
 * Makes the demonstration if one is wanted and missing, or finishes the one that an earlier start began.
 *
 * First its keys are stored, then records under these keys. Content and trips are left to {@link Demo.complete}, since the
 * service can answer meanwhile; then its completion is stored. If a start is killed in between, the next one writes the missing
 * parts, and nothing twice.
 *
 * @returns null if there is none
 */
export async function ensureDemo(
  service: Service,
  dataDir: string,
  option: DemoOption,
  database: { readonly isEmbedded: boolean },
): Promise<Demo | null> {
  const stored = await readDemoKeys(dataDir);
  const isThere = stored !== null && (await hasAccount(service, stored.account_key));
  if (stored?.complete && isThere) {
    return { keys: await renewAccessToken(service, dataDir, stored), complete: async () => true };
  }
  if (option === 'refused' || (option === 'default' && !database.isEmbedded)) return null;
  if (!isThere && (await hasAnyAccount(service))) return null;

  const begun = await beginAt(dataDir, stored);
  await writeRecords(service, begun);
  await addMap(mapFolder(dataDir), join(packageRoot(), 'server/demo/map/firenze.pmtiles'));
  const keys = await renewAccessToken(service, dataDir, begun);
  return {
    keys,
    complete: async (signal, onProgress) => {
      await writeContent(service, keys);
      const isWhole = await writeTrips(service, keys, signal, onProgress);
      if (isWhole) await replaceDemoKeys(dataDir, { ...keys, complete: true });
      return isWhole;
    },
  };
}

/** The keys to use; those of a deleted database are reused, with trips up to today. */
async function beginAt(dataDir: string, stored: DemoKeys | null): Promise<DemoKeys> {
  if (stored === null) return keepFirstDemoKeys(dataDir, newDemoKeys(new Date()));
  if (!stored.complete) return stored;
  const created = new Date();
  const fresh = newDemoKeys(created);
  // Keys of an older version may lack newer groups.
  const group_keys = { ...fresh.group_keys, ...stored.group_keys };
  const begun = { ...stored, group_keys, complete: false, created: created.toISOString() };
  await replaceDemoKeys(dataDir, begun);
  return begun;
}

async function hasAccount(service: Service, key: string): Promise<boolean> {
  return (await AccountStore.countDocuments(accountAccessScope(service, key))) > 0;
}

/** Returns true if there is an account, or a removed one that can be restored. */
async function hasAnyAccount(service: Service): Promise<boolean> {
  const all = unrestricted(service);
  if ((await AccountStore.findOne(all, {}, { key: 1 })) !== null) return true;
  return (await DeletedRecordStore.countDocuments(all, { kind: 'account' })) > 0;
}

/** Renews the access token in time, unless its grant was revoked; the file contains the new one before it becomes valid. */
async function renewAccessToken(service: Service, dataDir: string, keys: DemoKeys): Promise<DemoKeys> {
  if (await findAccessToken(service, keys.access_token, new Date(Date.now() + GOOD_FOR_HOURS * HOUR_MS))) return keys;
  const holder = await holderOfGrant(service, keys.grant_hash);
  if (!holder) return keys;
  const renewed = { ...keys, access_token: newSecret('') };
  await replaceDemoKeys(dataDir, renewed);
  const { grant_hash, user_key, client_id, scopes } = holder;
  const expires_at = new Date(Date.now() + ACCESS_TOKEN_LIFETIME * 1000);
  const facts = { grant_hash, user_key, client_id, scopes: [...scopes], expires_at };
  await keepAccessToken(service, renewed.access_token, facts);
  return renewed;
}

/** Writes the demonstration's posts and pages, unless others have written on the website; idempotent. */
export async function writeContent(service: Service, { created }: DemoKeys): Promise<void> {
  const others = await WebsiteUserStore.exists(service, { username: { $ne: DEMO_WRITER } });
  const isDemoThere = await WebsiteUserStore.exists(service, { username: DEMO_WRITER });
  const isContentThere = await ContentItemStore.exists(service, {});
  if (others !== null || (isDemoThere === null && isContentThere !== null)) return;
  const write = () => importContent(service, demoContent(new Date(created)), { replace: false, siteUrl: '' });
  try {
    await write();
  } catch (error) {
    // A concurrent start writes the same content, which exists by now.
    if (!isDuplicateKey(error)) throw error;
    await write();
  }
}
