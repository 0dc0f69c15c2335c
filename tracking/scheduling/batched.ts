import DataLoader from 'dataloader';

import type { RequestContext } from '../../auth/caller.ts';
import { timeSliceOf } from './time-slice.ts';

/** Keys of one read. */
const MAX_KEYS = 100;

/** A function that reads what a key stands for, together with what a request reads at the same time by other keys. */
export type BatchedRead<Key, Value> = (context: RequestContext, key: Key) => Promise<Value>;

/**
 * Makes a function that asks once for all keys for which a request asks side by side, as relations of all records of a list
 * do. Nothing is remembered: a later mutation of the same request may change it.
 *
 * @param read answers in the order of the keys
 */
export function batched<Key, Value>(
  read: (context: RequestContext, keys: readonly Key[]) => Promise<readonly Value[]>,
): BatchedRead<Key, Value> {
  const loaders = new WeakMap<RequestContext, DataLoader<Key, Value>>();
  return (context, key) => {
    const loader =
      loaders.get(context) ?? new DataLoader((keys) => read(context, keys), optionsOf<Key, Value>(context));
    loaders.set(context, loader);
    return loader.load(key);
  };
}

/** Options of what a request reads: all records of a list that is completed in slices of time ask before a read follows. */
function optionsOf<Key, Value>(context: RequestContext): DataLoader.Options<Key, Value> {
  const slice = timeSliceOf(context);
  const whenAllHaveAsked = (read: () => void) => {
    setImmediate(() => (slice.isWaitedFor ? whenAllHaveAsked(read) : read()));
  };
  return { cache: false, maxBatchSize: MAX_KEYS, batchScheduleFn: whenAllHaveAsked };
}
