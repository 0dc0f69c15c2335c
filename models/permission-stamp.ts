import { randomUUID } from 'node:crypto';

import mongoose, { type Query, type Schema } from 'mongoose';

import { collectionOptions } from './collection-options.ts';
import { PlainStore } from './plain-store.ts';
import { perService, type Service, serviceOf } from './service.ts';
import { onceStored } from './transaction.ts';

/** The state of all permissions: whoever goes on for long, as a stream does, looks again when it has changed. */
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

/** Fields of each schema that decide what callers may see. */
const decidingFields = new WeakMap<object, readonly string[]>();

const listeners = perService(() => ({ all: new Set<() => void>(), here: new Set<() => void>() }));

/** An update as the driver takes it. */
type Update = Readonly<Record<string, unknown>>;

const UPDATES = ['updateOne', 'updateMany', 'replaceOne', 'findOneAndUpdate'] as const;
const REMOVALS = ['deleteOne', 'deleteMany', 'findOneAndDelete'] as const;

/**
 * Lets writes of a schema change the stamp, once they are done: updates that name one of the fields, and removals, unless
 * they find no document, or only kinds of documents are removed that permit nothing.
 *
 * @param permits kinds of documents by which a caller may see something; null where all are of one kind
 */
export function stampPermissions<T>(schema: Schema<T>, fields: readonly string[], permits: readonly string[] | null) {
  decidingFields.set(schema, fields);
  schema.post([...UPDATES], async function (this: Query<unknown, unknown>, result: unknown) {
    if (hasFound(result)) await stampUpdates(serviceOf(this.model.db), schema, [this.getUpdate() as Update | null]);
  });
  schema.post([...REMOVALS], async function (this: Query<unknown, unknown>, result: unknown) {
    if (!hasFound(result)) return;
    const { kind } = this.getFilter() as { readonly kind?: unknown };
    if (permits === null || typeof kind !== 'string' || permits.includes(kind)) {
      await permissionsChanged(serviceOf(this.model.db));
    }
  });
}

/** Tells by the result of a write, a document or counts, whether there was a document to write. */
function hasFound(result: unknown): boolean {
  const { matchedCount = 1, deletedCount = 1 } = Object(result) as Readonly<Record<string, unknown>>;
  return result !== null && matchedCount !== 0 && deletedCount !== 0;
}

/** Changes the stamp if one of some updates of a schema names a field that decides; null stands for one that may. */
export async function stampUpdates(
  service: Service,
  schema: object,
  updates: readonly (Update | null)[],
): Promise<void> {
  const fields = decidingFields.get(schema);
  if (fields && updates.some((update) => update === null || names(update, fields))) await permissionsChanged(service);
}

/** Changes the stamp if documents of the schema permit something: one was removed, or came back. */
export async function stampPresence(service: Service, schema: object): Promise<void> {
  if (decidingFields.has(schema)) await permissionsChanged(service);
}

function names(update: Update, fields: readonly string[]): boolean {
  return Object.entries(update).some(([name, value]) =>
    name.startsWith('$') ? names(Object(value), fields) : fields.includes(name),
  );
}

/** Tells every process of a service that callers may see something else from now on. */
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

/** Tells those in this process who listen that permissions have changed. */
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
