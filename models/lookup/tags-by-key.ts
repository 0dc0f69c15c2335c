import { TagStore } from '../account/tag.ts';
import { accountAccessScope } from '../store/tenancy.ts';
import type { Tag } from '../../schema/account/tag.ts';

import { recordsByKey } from './records-by-key.ts';
import type { Service } from '../store/service.ts';

/** The tags of records by key, read by one query. Callers who see a record see its tags. */
export async function tagsByKey(
  service: Service,
  accountKey: string,
  records: readonly { readonly tag_keys: readonly string[] }[],
): Promise<ReadonlyMap<string, Tag>> {
  const accessScope = accountAccessScope(service, accountKey);
  return recordsByKey(
    records.flatMap(({ tag_keys }) => tag_keys),
    (key) => TagStore.readShown({ accessScope, filter: { key } }, { sort: {} }),
  );
}
