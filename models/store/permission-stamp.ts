import { randomUUID } from 'node:crypto';

import mongoose from 'mongoose';

import { collectionOptions } from './collection-options.ts';
import { type Change, PlainStore, type Written } from './plain-store.ts';
import { perService, type Service } from './service.ts';
import { onceStored } from './transaction.ts';

/** The state of all permissions: long-running work, such as a stream, checks again when it has changed. */
interface StoredStamp {
  readonly _id: 'permissions';
  readonly stamp: string;
}

const stampSchema = new mongoose.Schema<StoredStamp>(
  { _id: { type: String, required: true }, stamp: { type: String, required: true } },
  collectionOptions('permission_stamps'),
);

const StampStore = new PlainStore<StoredStamp>('PermissionStamp', stampSchema);

const ONE = { _id: 'permissions' } as const;

const listeners = perService(() => ({ all: new Set<() => void>(), here: new Set<() => void>() }));

/** Fields of a record that decide what callers may see, and the kinds of its documents that grant access. */
export interface Deciding {
  readonly fields: readonly string[];
  /** Null if all documents are of one kind. */
  readonly kinds: readonly string[] | null;
}

/**
 * Returns true if a write may change permissions: an update that names one of the fields, or a removal, unless it
 * found no document, or only removes kinds of documents that grant nothing.
 */
export function changesPermissions({ fields, kinds }: Deciding, write: Written): boolean {
  if (write.kind === 'addition' || !write.isFound) return false;
  if (write.kind === 'update') return write.updates.some((update) => names(update, fields));
  const { kind } = write.filter;
  return kinds === null || typeof kind !== 'string' || kinds.includes(kind);
}

function names(update: Change, fields: readonly string[]): boolean {
  return Object.entries(update).some(([name, value]) =>
    name.startsWith('$') ? names(Object(value), fields) : fields.includes(name),
  );
}

/** Notifies every process of a service that permissions have changed. */
export async function permissionsChanged(service: Service): Promise<void> {
  await StampStore.updateOne(service, ONE, { $set: { stamp: randomUUID() } }, { upsert: true });
  onceStored(() => {
    for (const listener of listeners(service).here) listener();
    noticePermissions(service);
  });
}

/** Reads the stamp; null before the first change. */
export async function readPermissionStamp(service: Service): Promise<string | null> {
  return (await StampStore.findOne(service, ONE))?.stamp ?? null;
}

/** Notifies listeners in this process that permissions have changed. */
export function noticePermissions(service: Service): void {
  for (const listener of listeners(service).all) listener();
}

/** Calls back at every change of permissions that this process makes, until the returned function is called. */
export function onPermissionsChangedHere(service: Service, listener: () => void): () => void {
  listeners(service).here.add(listener);
  return () => listeners(service).here.delete(listener);
}

/** Calls back at every change of permissions, until the returned function is called. */
export function onPermissions(service: Service, listener: () => void): () => void {
  listeners(service).all.add(listener);
  return () => listeners(service).all.delete(listener);
}
