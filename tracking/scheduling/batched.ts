import DataLoader from 'dataloader';

import type { RequestContext } from '../../auth/caller.ts';

/**
 * A read follows on the turn of the event loop: records of a list that are completed in slices of time ask one after another, each
 * after all the work of the one before. Work on what is found goes on in one turn, so that a read is not for all records of a
 * long list.
 */
const OPTIONS = {
  cache: false,
  maxBatchSize: 100,
  batchScheduleFn: (read: () => void) => void setImmediate(read),
} as const;

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
    const loader = loaders.get(context) ?? new DataLoader((keys) => read(context, keys), OPTIONS);
    loaders.set(context, loader);
    return loader.load(key);
  };
}
