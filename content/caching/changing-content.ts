import { isHolderDead, newHolder } from '../../models/leases/lease-holder.ts';
import { addWriter, readStamp, removeWriters } from '../models/content-stamp.ts';
import type { Service } from '../../models/store/service.ts';

/** Milliseconds after which a writer counts as ended, whichever machine its process is on. */
const ENDED_AFTER_MS = 60_000;

/** Changes content: no answer is cached, or taken from the cache, until the whole change is made. */
export async function changingContent<T>(service: Service, change: () => Promise<T>): Promise<T> {
  const by = newHolder();
  await addWriter(service, { by, started: new Date() });
  try {
    return await change();
  } finally {
    await removeWriters(service, [by]);
  }
}

/** Enables caching again after a process ended during a change. Idempotent. */
export async function removeEndedWriters(service: Service, now: Date): Promise<void> {
  const limit = now.getTime() - ENDED_AFTER_MS;
  const { writers = [] } = (await readStamp(service)) ?? {};
  const ended = writers.filter(({ by, started }) => started.getTime() <= limit || isHolderDead(by));
  if (ended.length > 0)
    await removeWriters(
      service,
      ended.map(({ by }) => by),
    );
}
