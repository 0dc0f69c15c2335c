import type { AccessScope } from '../store/tenancy.ts';
import { type SecretKey, SecretKeyChange } from '../../schema/account/api-key.ts';
import { notFound } from '../../schema/service-error.ts';

import { checkName } from '../../schema/check-name.ts';
import type { Store } from '../store/store.ts';

/** A key of an account. */
interface NamedKey {
  readonly accessScope: AccessScope;
  readonly filter: Readonly<Record<string, unknown>>;
  /** Noun for the error if there is none. */
  readonly noun: string;
}

/**
 * Changes the given fields of a key; its secret stays valid.
 *
 * @throws ServiceError NOT_FOUND, or BAD_REQUEST naming the parameter
 */
export async function renameKey<Stored extends SecretKey, Shown>(
  model: Store<Stored, Shown>,
  { accessScope, filter, noun }: NamedKey,
  input: SecretKeyChange,
): Promise<Stored> {
  const change = { $set: SecretKeyChange.read(input) };
  const found = await model.findOneAndUpdate(accessScope, filter as never, change as never, {
    returnDocument: 'after',
  });
  if (!found) throw notFound(noun);
  return found;
}

/**
 * The name that is given; null if there is none, undefined if it is omitted.
 *
 * @throws ServiceError BAD_REQUEST
 */
export function nameOf(name: string | null | undefined): string | null | undefined {
  return typeof name === 'string' ? checkName('name', name) : name;
}
