import { marksFrom } from '../../models/change-mark.ts';
import { ChangeModel } from '../../models/changes/change.ts';
import { DeletionNoteModel } from '../../models/logged-model.ts';
import { accountAccessScope, UNRESTRICTED } from '../../models/tenancy.ts';
import { DEFAULT_CHANGE_LOG_DAYS } from '../../schema/changes/retention-days.ts';

import { lastNumber } from './number-changes.ts';

const DAY_MS = 86_400_000;
/** Time beyond the retention after which entries are purged, so that no reader misses one who is just in time. */
const MARGIN_MS = 3_600_000;
/** Time after which the note of a deletion that was not made is dropped. */
const NOTE_MS = DAY_MS;

let retentionDays = DEFAULT_CHANGE_LOG_DAYS;

/** Sets for how many days changes are logged. */
export function setChangeLogDays(days: number): void {
  retentionDays = days;
}

/**
 * The time after which all changes are in the log.
 * @param now milliseconds since 1970
 */
export function loggedSince(now: number): Date {
  return new Date(now - retentionDays * DAY_MS);
}

/** Purges entries that are older than changes are logged, but the last of each account, after which it goes on counting. */
export async function purgeChanges(signal?: AbortSignal, now = Date.now()): Promise<void> {
  const old = { timestamp: { $lt: new Date(loggedSince(now).getTime() - MARGIN_MS) } };
  await DeletionNoteModel.deleteMany({ mark: { $lt: marksFrom(now - NOTE_MS) } });
  const accounts = await ChangeModel.distinct('account_key', old).setOptions({ accessScope: UNRESTRICTED });
  for (const accountKey of accounts) {
    if (signal?.aborted) break;
    const accessScope = accountAccessScope(accountKey);
    const last = await lastNumber(accessScope);
    await ChangeModel.deleteMany({ ...old, number: { $lt: last } }).setOptions({ accessScope });
  }
}
