import type { AccessScope } from '../../models/store/tenancy.ts';
import type { Store } from '../../models/store/store.ts';

/** Maximum number of documents that one command deletes, so that no request waits long for it. */
export const AT_ONCE = 500;

/**
 * Deletes the documents of a tenant's model in an access scope that fulfil a condition, in several commands; returns true if
 * there were any.
 */
export async function deleteAll(
  model: Pick<Store<unknown, unknown>, 'find' | 'deleteMany'>,
  accessScope: AccessScope,
  condition: Readonly<Record<string, unknown>> = {},
): Promise<boolean> {
  for (let isAny = false; ; isAny = true) {
    const found = (await model.find(accessScope, condition, '_id').limit(AT_ONCE)) as { readonly _id: unknown }[];
    if (found.length === 0) return isAny;
    await model.deleteMany(accessScope, { _id: { $in: found.map(({ _id }) => _id) } });
  }
}
