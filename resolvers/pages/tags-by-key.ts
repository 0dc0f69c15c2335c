import { TagModel } from '../../models/account/tag.ts';
import { readShown } from '../../models/read-shown.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import type { Tag } from '../../schema/account/tag.ts';

import { recordsByKey } from './records-by-key.ts';

/** The tags of records by key, read by one query. Who sees a record sees its tags. */
export async function tagsByKey(
  accountKey: string,
  records: readonly { readonly tag_keys: readonly string[] }[],
): Promise<ReadonlyMap<string, Tag>> {
  const accessScope = accountAccessScope(accountKey);
  return recordsByKey(
    records.flatMap(({ tag_keys }) => tag_keys),
    (key) => readShown(TagModel, { accessScope, filter: { key } }, { sort: {} }),
  );
}
