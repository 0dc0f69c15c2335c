import { setTimeout } from 'node:timers/promises';

import { newKey } from '../key.ts';
import { accountAccessScope } from '../store/tenancy.ts';
import { AccountStore } from './account.ts';
import type { Store } from '../store/store.ts';
import type { Service } from '../store/service.ts';

/** Milliseconds between two checks of a removal in progress. */
const LOOK_MS = 10;

/** Milliseconds after which a removal in progress counts as interrupted. */
const INTERRUPTED_MS = 500;

const REMOVALS = { administrator_removal: 1, api_key_removal: 1 } as const;

/** Removal of a record of an account of which one must remain. */
interface Removal {
  /** Field of the account that names the removal in progress. */
  readonly field: 'administrator_removal' | 'api_key_removal';
  readonly model: Pick<
    Store<{ readonly key: string; readonly revision: number }, unknown>,
    'countDocuments' | 'updateOne'
  >;
  readonly account_key: string;
  /** Key of the record, which was read before. */
  readonly key: string;
  /** Condition on the records that count. */
  readonly counted: Readonly<Record<string, unknown>>;
  /** Removes the record if its revision is the one that was read; resolves to null if it is not. */
  readonly write: () => Promise<object | null>;
}

/**
 * Removes a record unless it is the last of its account that counts. Resolves to `last` in that case, and to `changed` if
 * the record has changed since it was read.
 *
 * An account has one removal in progress at a time, which it names. An interrupted one is taken over. Before
 * that, the revision of its record is counted up, so that its write has no effect if it still comes: it was based on a
 * count that may be outdated by then.
 */
export async function removeUnlessLast(service: Service, removal: Removal): Promise<'removed' | 'last' | 'changed'> {
  const { field, model, account_key, key, counted, write } = removal;
  const accessScope = accountAccessScope(service, account_key);
  const token = newKey();
  await announce(service, removal, token);
  try {
    const others = await model.countDocuments(accessScope, { ...counted, key: { $ne: key } });
    if (others === 0) return 'last';
    return (await write()) === null ? 'changed' : 'removed';
  } finally {
    await AccountStore.updateOne(accessScope, { [`${field}.token`]: token }, { [field]: null });
  }
}

/** Records a removal as the one in progress, as soon as there is no other. */
async function announce(service: Service, { field, model, account_key, key }: Removal, token: string): Promise<void> {
  const accessScope = accountAccessScope(service, account_key);
  let seen = { token: '', since: 0 };
  for (;;) {
    const account = await AccountStore.findOne(accessScope, {}, REMOVALS);
    const other = account?.[field] ?? null;
    if (other && other.token !== seen.token) seen = { token: other.token, since: performance.now() };
    if (other && performance.now() - seen.since < INTERRUPTED_MS) {
      await setTimeout(LOOK_MS);
      continue;
    }
    if (other) await model.updateOne(accessScope, { key: other.key }, { $inc: { revision: 1 } });
    const filter = other ? { [`${field}.token`]: other.token } : { [field]: null };
    const { matchedCount } = await AccountStore.updateOne(accessScope, filter, { [field]: { key, token } });
    if (matchedCount === 1) return;
  }
}

/** Condition on a record whose revision was read; older programs stored none. */
export function atRevision(revision: number): { readonly revision: number | { readonly $in: (number | null)[] } } {
  return { revision: revision === 0 ? { $in: [0, null] } : revision };
}
