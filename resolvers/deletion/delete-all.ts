import type { Model } from 'mongoose';

import type { AccessScope } from '../../models/tenancy.ts';

/** Documents that one command deletes, so that nobody waits long for it. */
export const AT_ONCE = 500;

/** Deletes the documents of a tenant's model in an access scope that fulfil a condition, in several commands; returns whether there were any. */
export async function deleteAll(
  model: Pick<Model<unknown>, 'find' | 'deleteMany'>,
  accessScope: AccessScope,
  condition: Readonly<Record<string, unknown>> = {},
): Promise<boolean> {
  for (let isAny = false; ; isAny = true) {
    const found = await model.find(condition, '_id', { accessScope }).limit(AT_ONCE).lean();
    if (found.length === 0) return isAny;
    await model.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } }).setOptions({ accessScope });
  }
}
