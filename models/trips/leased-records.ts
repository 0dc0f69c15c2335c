import { createHash } from 'node:crypto';

import { isDuplicateKey } from '../store/duplicate-key.ts';
import { ofDevice, type Recorder } from './device-minute.ts';
import { leaseLost } from './lease-lost.ts';
import type { Store } from '../store/store.ts';

/** A record that follows from the positions of a device, written by holders of the lease of the device. */
export interface LeasedRecord {
  readonly key: string;
  /** True until the lease has been confirmed under which it was written; visible to no one. */
  readonly staged: boolean;
  /** The epoch of the device's lease under which it was last read or changed. */
  readonly epoch: number;
}

/** A model of such records. */
type LeasedStore<Stored extends LeasedRecord> = Pick<
  Store<Stored, unknown>,
  'find' | 'updateMany' | 'updateOne' | 'deleteMany'
>;

type Filter = Readonly<Record<string, unknown>>;

/** The holder of a device's lease, which writes them. */
export type ConfirmingRecorder = Recorder & {
  /** @throws ServiceError SERVICE_UNAVAILABLE if the lease is gone */
  confirm(): Promise<void>;
};

/** Records of a device as they follow from its positions now, in place of those that were read. */
interface Replacement<Derived extends { readonly key: string }> {
  readonly read: readonly Derived[];
  readonly derived: readonly Derived[];
  /** Returns true if a record is unchanged. */
  readonly isSame: (read: Derived, derived: Derived) => boolean;
  /** Returns the fields of a new record that never change, without those of {@link LeasedRecord} and the account. */
  readonly lasting: (record: Derived) => Filter;
  /** Returns the other fields of a record. */
  readonly changing: (record: Derived) => Filter;
  /** Returns true if a new record stays staged; none does by default. */
  readonly isHidden?: (record: Derived) => boolean;
}

/** 132 bits. */
const KEY_LENGTH = 22;

/** The key of a record from its distinguishing facts, so that repeated computation creates it only once. */
export function derivedKey(facts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, KEY_LENGTH);
}

/**
 * Reads records of a device, taken over from earlier holders of its lease: later writes of these have no effect.
 * @throws ServiceError SERVICE_UNAVAILABLE if a later holder has read one
 */
export async function takeRecords<Stored extends LeasedRecord>(
  model: LeasedStore<Stored>,
  recorder: Recorder,
  filter: Filter,
): Promise<Stored[]> {
  const { accessScope, epoch } = recorder;
  for (;;) {
    const found = await model.find(accessScope, { ...ofDevice(recorder), ...filter } as never);
    if (found.some((record) => record.epoch > epoch)) throw leaseLost();
    const older = found.filter((record) => record.epoch < epoch).map(({ key }) => key);
    if (older.length === 0) return found;
    await model.updateMany(accessScope, those(older, epoch), { epoch } as never);
  }
}

/**
 * Replaces records of a device that were read; returns true if any were new. New ones are staged and shown once the lease is
 * confirmed, so that a holder that has lost it shows
 * nothing.
 * @throws ServiceError SERVICE_UNAVAILABLE if the lease is gone
 */
export async function replaceRecords<Stored extends LeasedRecord, Derived extends { readonly key: string }>(
  model: LeasedStore<Stored>,
  recorder: ConfirmingRecorder,
  { read, derived, isSame, lasting, changing, isHidden = () => false }: Replacement<Derived>,
): Promise<boolean> {
  const known = new Map(read.map((record) => [record.key, record]));
  const kept = new Set(derived.map(({ key }) => key));
  const added = derived.filter(({ key }) => !known.has(key));
  const changed = derived.filter((record) => {
    const before = known.get(record.key);
    return before && !isSame(before, record);
  });
  const removed = read.map(({ key }) => key).filter((key) => !kept.has(key));
  if (added.length + changed.length + removed.length === 0) return false;
  for (const record of added) await stage(model, recorder, record.key, { ...lasting(record), ...changing(record) });
  await recorder.confirm();
  // Before changes to others: staged records that remain after a kill are removed, and may have contained facts of the others.
  const shown = added.filter((record) => !isHidden(record)).map(({ key }) => key);
  if (shown.length > 0) await change(model, recorder, shown, { staged: false });
  for (const record of changed) await change(model, recorder, [record.key], changing(record));
  if (removed.length > 0) {
    const { deletedCount } = await model.deleteMany(recorder.accessScope, those(removed, recorder.epoch));
    if (deletedCount < removed.length) throw leaseLost();
  }
  return added.length > 0;
}

async function stage<Stored extends LeasedRecord>(
  model: LeasedStore<Stored>,
  recorder: Recorder,
  key: string,
  fields: Filter,
): Promise<void> {
  const { accessScope, epoch } = recorder;
  const { account_key } = accessScope;
  const update = { $set: { ...ofDevice(recorder), ...fields, account_key, key, staged: true, epoch } };
  const write = model.updateOne(accessScope, { key, ...upTo(epoch) } as never, update as never, { upsert: true });
  await write.catch((error: unknown) => {
    throw isDuplicateKey(error) ? leaseLost() : error;
  });
}

async function change<Stored extends LeasedRecord>(
  model: LeasedStore<Stored>,
  { accessScope, epoch }: Recorder,
  keys: readonly string[],
  fields: Filter,
): Promise<void> {
  const write = model.updateMany(accessScope, those(keys, epoch), { ...fields, epoch } as never);
  if ((await write).matchedCount < keys.length) throw leaseLost();
}

function those(keys: readonly string[], epoch: number) {
  return { key: { $in: [...keys] }, ...upTo(epoch) } as never;
}

/** The condition under which a holder of the lease changes a record: no later holder has read it. */
function upTo(epoch: number) {
  return { epoch: { $not: { $gt: epoch } } };
}
