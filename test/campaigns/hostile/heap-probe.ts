/**
 * Loaded into a service before its own code (`node --import`), in each of its threads: at SIGUSR2 all threads collect
 * their garbage, and one line of JSON on standard error says what is left.
 */
import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

/** Name of the member of the line, which holds bytes by thread. */
const HEAP_MEMBER = 'heap_after_collection';

const CHANNEL = 'heap-probe';
/** Collections until nothing more is freed, as a rule: finalizers run between them. */
const ROUNDS = 6;
/** Time for other threads to answer, in milliseconds. */
const WAIT_MS = 3000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function heapUsed(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    collect();
    await setTimeout(50);
    least = Math.min(least, process.memoryUsage().heapUsed);
  }
  return least;
}

const channel = new BroadcastChannel(CHANNEL);
channel.unref();

if (isMainThread) {
  process.on('SIGUSR2', async () => {
    const heaps: Record<string, number> = {};
    channel.onmessage = (event) => {
      const { data } = event as { readonly data: { readonly thread?: number; readonly bytes?: number } };
      if (data.thread !== undefined) heaps[`thread ${data.thread}`] = data.bytes ?? 0;
    };
    channel.postMessage('measure');
    const [main] = await Promise.all([heapUsed(), setTimeout(WAIT_MS)]);
    const { rss, external, arrayBuffers } = process.memoryUsage();
    heaps.main = main;
    writeSync(2, `${JSON.stringify({ [HEAP_MEMBER]: heaps, rss, external, arrayBuffers })}\n`);
  });
} else {
  channel.onmessage = async (event) => {
    if ((event as { readonly data: unknown }).data !== 'measure') return;
    channel.postMessage({ thread: threadId, bytes: await heapUsed() });
  };
}
