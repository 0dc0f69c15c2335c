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

/** Changes of the records of a device. */
interface LeasedChanges {
  /** New ones, with all their fields except those of {@link LeasedRecord} and the account. */
  readonly added: readonly ({ readonly key: string } & Filter)[];
  /** Keys of new ones that stay staged. */
  readonly hidden: ReadonlySet<string>;
  readonly changed: readonly { readonly key: string; readonly fields: Filter }[];
  /** Keys of those to remove. */
  readonly removed: readonly string[];
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
 * Changes records of a device that were read. New ones are staged and shown once the lease is confirmed, so that a holder that
 * has lost it shows nothing.
 * @throws ServiceError SERVICE_UNAVAILABLE if the lease is gone
 */
export async function changeRecords<Stored extends LeasedRecord>(
  model: LeasedStore<Stored>,
  recorder: ConfirmingRecorder,
  { added, hidden, changed, removed }: LeasedChanges,
): Promise<void> {
  if (added.length + changed.length + removed.length === 0) return;
  for (const record of added) await stage(model, recorder, record);
  await recorder.confirm();
  // Before changes to others: staged records that remain after a kill are removed, and may have contained facts of the others.
  const shown = added.map(({ key }) => key).filter((key) => !hidden.has(key));
  if (shown.length > 0) await change(model, recorder, shown, { staged: false });
  for (const { key, fields } of changed) await change(model, recorder, [key], fields);
  if (removed.length === 0) return;
  const { deletedCount } = await model.deleteMany(recorder.accessScope, those(removed, recorder.epoch));
  if (deletedCount < removed.length) throw leaseLost();
}

async function stage<Stored extends LeasedRecord>(
  model: LeasedStore<Stored>,
  recorder: Recorder,
  { key, ...fields }: LeasedChanges['added'][number],
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
