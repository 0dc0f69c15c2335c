import { Worker } from 'node:worker_threads';

/** Time within which a second signal is the same Ctrl-C: npm passes on the signal that the terminal sent to both. */
const SAME_SIGNAL_MS = 400;
/** Time for the whole shutdown; parts that have not ended by then are killed. */
const END_WITHIN_MS = 7000;
/** Exit code of a forced shutdown: something was cut off, or did not close in time (EX_TEMPFAIL of sysexits.h). */
const FORCED = 75;
/** Exit codes of a second signal, as shells report them. */
const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Ends the process on SIGINT and SIGTERM: with 0 if everything was closed, with 75 if something was cut off or did
 * not close in time, and immediately, with 130 or 143, on a second signal. A process whose main thread is stuck is killed.
 *
 * @param stop closes everything and returns the names of the parts that did not close
 * @returns a function that ends the process as the first signal does
 */
export function endOnSignals(stop: () => Promise<readonly string[]>): () => Promise<void> {
  let first: number | undefined;
  const end = async (): Promise<void> => {
    killLater();
    setTimeout(() => process.exit(FORCED), END_WITHIN_MS - 500);
    const unclosed = await stop().catch((): string[] => ['service']);
    process.exit(unclosed.length === 0 ? 0 : FORCED);
  };
  const endOnce = async (signal: keyof typeof INTERRUPTED): Promise<void> => {
    const now = Date.now();
    if (first !== undefined) {
      if (now - first > SAME_SIGNAL_MS) process.exit(INTERRUPTED[signal]);
      return;
    }
    first = now;
    await end();
  };
  process.on('SIGINT', endOnce);
  process.on('SIGTERM', endOnce);
  return end;
}

/** Kills this process after its time from a separate thread, which runs even if the main thread is stuck. */
function killLater(): void {
  const code = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${END_WITHIN_MS})`;
  new Worker(code, { eval: true, stdout: false, stderr: false }).unref();
}
