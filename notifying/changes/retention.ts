import { marksFrom } from '../../models/store/change-mark.ts';
import { ChangeStore } from '../../models/changes/change.ts';
import { DeletionNoteStore } from '../../models/store/logged-model.ts';
import { accountAccessScope, unrestricted } from '../../models/store/tenancy.ts';

import { lastNumber } from './number-changes.ts';
import type { Service } from '../../models/store/service.ts';

const DAY_MS = 86_400_000;
/** Time beyond the retention after which entries are purged, so that no reader misses one just before its expiry. */
const MARGIN_MS = 3_600_000;
/** Time after which the record of a deletion that did not happen is dropped. */
const NOTE_MS = DAY_MS;

/**
 * The time after which all changes are in the log.
 * @param now milliseconds since 1970
 */
export function loggedSince({ settings }: Service, now: number): Date {
  return new Date(now - settings.changeLogDays * DAY_MS);
}

/** Purges expired entries except the last of each account, from which numbering continues. */
export async function purgeChanges(service: Service, signal?: AbortSignal, now = Date.now()): Promise<void> {
  const old = { timestamp: { $lt: new Date(loggedSince(service, now).getTime() - MARGIN_MS) } };
  await DeletionNoteStore.deleteMany(service, { mark: { $lt: marksFrom(now - NOTE_MS) } });
  const accounts = await ChangeStore.distinct(unrestricted(service), 'account_key', old);
  for (const accountKey of accounts) {
    if (signal?.aborted) break;
    const accessScope = accountAccessScope(service, accountKey);
    const last = await lastNumber(accessScope);
    await ChangeStore.deleteMany(accessScope, { ...old, number: { $lt: last } });
  }
}
