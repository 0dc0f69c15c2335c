import { AccountModel } from '../../models/account/account.ts';
import { UNRESTRICTED, accountAccessScope } from '../../models/tenancy.ts';

import { type DemoKeys, keepFirstDemoKeys, readDemoKeys, replaceDemoKeys } from './demo-keys.ts';
import { newDemoKeys } from './new-demo-keys.ts';
import { renewAccessToken } from './renew-access-token.ts';
import { writeContent } from './write-content.ts';
import { writeRecords } from './write-records.ts';
import { writeTrips } from './write-trips.ts';

/** Whether a demonstration is wanted: `default` makes one in an embedded database that has no account. */
export type DemoOption = 'default' | 'wanted' | 'refused';

/**
 * Makes the demonstration where one is wanted and there is none, or finishes the one that an earlier start began.
 *
 * First its keys are written down, then records and trips under these keys, then that it is complete: a start that is
 * killed in between loses nothing, and the next one writes what is missing and nothing twice.
 *
 * @returns the keys of the demonstration that is in the database; null where there is none
 */
export async function ensureDemo(
  dataDir: string,
  wish: DemoOption,
  database: { readonly isEmbedded: boolean },
): Promise<DemoKeys | null> {
  const kept = await readDemoKeys(dataDir);
  const isThere = kept !== null && (await hasAccount(kept.account_key));
  if (kept?.complete && isThere) return renewAccessToken(dataDir, kept);
  if (wish === 'refused' || (wish === 'default' && !database.isEmbedded)) return null;
  if (!isThere && (await hasAnyAccount())) return null;

  const keys = await beginAt(dataDir, kept);
  await writeRecords(keys);
  await writeContent(keys);
  await writeTrips(keys);
  const complete = { ...keys, complete: true };
  await replaceDemoKeys(dataDir, complete);
  return renewAccessToken(dataDir, complete);
}

/** The keys to write with; those of a database that is gone serve again, with trips up to today. */
async function beginAt(dataDir: string, kept: DemoKeys | null): Promise<DemoKeys> {
  if (kept === null) return keepFirstDemoKeys(dataDir, newDemoKeys(new Date()));
  if (!kept.complete) return kept;
  const begun = { ...kept, complete: false, created: new Date().toISOString() };
  await replaceDemoKeys(dataDir, begun);
  return begun;
}

async function hasAccount(key: string): Promise<boolean> {
  return (await AccountModel.countDocuments({}, { accessScope: accountAccessScope(key) })) > 0;
}

async function hasAnyAccount(): Promise<boolean> {
  return (await AccountModel.findOne({}, { key: 1 }, { accessScope: UNRESTRICTED }).lean()) !== null;
}
