import { isDeepStrictEqual } from 'node:util';

import type { UpdateQuery } from 'mongoose';
import type { FilterOf, PlainStore, WriteRules } from '../../models/store/plain-store.ts';

import { newKey } from '../../models/key.ts';
import { isDuplicateKey } from '../../models/store/duplicate-key.ts';

import { STAMPED } from './content-stamp.ts';
import { absent } from './stored-paths.ts';
import type { Service } from '../../models/store/service.ts';

/** A document that requests may change concurrently. */
export interface Versioned {
  readonly id: number;
  /** Differs after every write, and never repeats; absent until the first one. */
  readonly version?: string;
}

/** Path of {@link Versioned.version}, for the schema of a versioned document. */
export const VERSION_PATH = { version: absent<string>(String) };

/** The rules for writes of versioned content: each changes the stamp, and gives changed documents a new version, unless it names one. */
export const VERSIONED: WriteRules = {
  ...STAMPED,
  updated: (update) => ({ ...update, $set: { version: newKey(), ...(update.$set as object | undefined) } }),
};

/**
 * Updates a document unless it was written since it was read.
 *
 * @param read the document, with the version that the update was computed from
 * @returns false if another request has changed or deleted it
 */
export async function updateVersion<T extends Versioned>(
  service: Service,
  store: PlainStore<T>,
  read: Versioned,
  update: UpdateQuery<Partial<T>>,
): Promise<boolean> {
  const filter = { id: read.id, version: read.version ?? null } as FilterOf<T>;
  const { matchedCount } = await store.updateOne(service, filter, update as UpdateQuery<T>);
  return matchedCount === 1;
}

/**
 * Changes a document as it was read. If another request has changed it, or taken one of some unique keys, the change is
 * computed again.
 */
export async function changeVersioned<T extends Versioned, R extends Versioned>(
  service: Service,
  store: PlainStore<T>,
  read: () => Promise<R>,
  change: (before: R) => R | Promise<R>,
  ...keys: readonly string[]
): Promise<R> {
  for (;;) {
    const before = await read();
    const after = await change(before);
    try {
      if (await updateVersion(service, store, before, updateTo(before, after) as UpdateQuery<Partial<T>>)) return after;
    } catch (error) {
      if (keys.length === 0 || !isDuplicateKey(error, ...keys)) throw error;
    }
  }
}

/** The update that turns one document into another: only differing fields are set, and missing ones are unset. */
export function updateTo<T extends object>(before: T, after: T): UpdateQuery<T> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof T & string)[];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const isGone = (name: keyof T) => after[name] === undefined;
  const set = Object.fromEntries(changed.filter((name) => !isGone(name)).map((name) => [name, after[name]]));
  const unset = Object.fromEntries(changed.filter(isGone).map((name) => [name, 1]));
  return { $set: set, ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}) } as UpdateQuery<T>;
}
