import { TagStore } from '../account/tag.ts';
import type { AccessScope } from '../store/tenancy.ts';
import { ServiceError } from '../../schema/service-error.ts';
import type { TagType } from '../../schema/account/tag.ts';

import { unknownKey } from './unknown-key.ts';

/** Maximum number of tags of one record, and of tags in the filter of a list. */
const MAX_TAGS = 50;

/**
 * Checks keys of tags; returns each once, in order.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter, for too many or one that is no tag of the type
 */
export async function checkTagKeys(
  accessScope: AccessScope,
  parameter: string,
  type: TagType,
  given: readonly string[],
): Promise<string[]> {
  const keys = [...new Set(given)];
  const found = new Set(await existingTagKeys(accessScope, parameter, type, keys));
  for (const key of keys) if (!found.has(key)) throw unknownKey(parameter, `a tag of the type ${type}`, key);
  return keys;
}

/**
 * The given keys that are tags of a type, so that records that still name a deleted tag are not found by it.
 *
 * @throws ServiceError BAD_REQUEST naming the parameter, for too many
 */
export async function existingTagKeys(
  accessScope: AccessScope,
  parameter: string,
  type: TagType,
  keys: readonly string[],
): Promise<string[]> {
  if (keys.length > MAX_TAGS) throw new ServiceError('BAD_REQUEST', `${parameter} must have at most ${MAX_TAGS} keys`);
  if (keys.length === 0) return [];
  const filter = { key: { $in: [...keys] }, type };
  const found = await TagStore.find(accessScope, filter, { key: 1 });
  return found.map(({ key }) => key);
}
