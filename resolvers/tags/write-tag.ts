import { isDuplicateKey } from '../../models/store/duplicate-key.ts';
import { foldTagValue, TagStore } from '../../models/account/tag.ts';
import { newKey } from '../../models/key.ts';
import { type AccessScope, unrestricted } from '../../models/store/tenancy.ts';
import type { Tag, TagChange, TagInput } from '../../schema/account/tag.ts';
import type { Deletion } from '../../schema/deletion.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { checkName } from '../../schema/check-name.ts';
import { takeOffEverything } from './tagged-records.ts';

/**
 * Makes a tag; returns its key.
 *
 * @throws ServiceError BAD_REQUEST naming `value` or `color`
 */
export async function createTag({ service, account_key }: AccessScope, { type, ...input }: TagInput): Promise<string> {
  const key = newKey();
  const fields = { key, account_key, type, color: null, ...checkedFields(input), created: new Date() };
  await unlessTaken(() => TagStore.create(unrestricted(service), fields));
  return key;
}

/**
 * Changes a tag. Records store its key alone, so it is changed everywhere.
 *
 * @throws ServiceError BAD_REQUEST naming `value` or `color`
 */
export async function updateTag(accessScope: AccessScope, { key }: Pick<Tag, 'key'>, input: TagChange): Promise<void> {
  const change = checkedFields(input);
  if (Object.keys(change).length === 0) return;
  const fields = { $set: { ...change, updated: new Date() } };
  await unlessTaken(() => TagStore.updateOne(accessScope, { key }, fields));
}

/** Deletes a tag. Where a kill interrupts it, the tag is there still, and deleting it again completes the work. */
export async function deleteTag(accessScope: AccessScope, { key, type }: Tag): Promise<Deletion> {
  await takeOffEverything(accessScope, type, key);
  await TagStore.deleteOne(accessScope, { key });
  return { key, deleted: true };
}

function checkedFields({ value, color }: TagChange) {
  if (value === null) throw new ServiceError('BAD_REQUEST', 'value must be a string');
  return {
    ...(value !== undefined && namedValue(checkName('value', value))),
    ...(color !== undefined && { color: color && checkColor(color) }),
  };
}

function namedValue(value: string) {
  return { value, value_folded: foldTagValue(value) };
}

function checkColor(color: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(color)) throw new ServiceError('BAD_REQUEST', 'color must be of the form #rrggbb');
  return color.toLowerCase();
}

async function unlessTaken(write: () => Promise<unknown> | PromiseLike<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new ServiceError('BAD_REQUEST', 'value is taken by another tag of this type');
  }
}
