import { isHolderDead, newHolder } from '../../models/leases/lease-holder.ts';
import { addWriter, readStamp, removeWriters } from '../models/content-stamp.ts';

/** Milliseconds after which a writer counts as ended, whichever machine its process is on. */
const ENDED_AFTER_MS = 60_000;

/** Changes content: no answer is kept in memory, or taken from there, until the whole change is made. */
export async function changingContent<T>(change: () => Promise<T>): Promise<T> {
  const by = newHolder();
  await addWriter({ by, started: new Date() });
  try {
    return await change();
  } finally {
    await removeWriters([by]);
  }
}

/** Lets answers be kept again where a process ended amid a change. Repeating it changes nothing. */
export async function removeEndedWriters(now: Date): Promise<void> {
  const limit = now.getTime() - ENDED_AFTER_MS;
  const { writers = [] } = (await readStamp()) ?? {};
  const ended = writers.filter(({ by, started }) => started.getTime() <= limit || isHolderDead(by));
  if (ended.length > 0) await removeWriters(ended.map(({ by }) => by));
}
