const FIRST_MS = 1000;
const MAX_MS = 30_000;

/** Time before another attempt after a number of failures, in milliseconds: twice as long each time, with random variation. */
export function pauseAfter(failures: number, random: () => number = Math.random): number {
  return Math.min(MAX_MS, FIRST_MS * 2 ** failures) * (0.5 + random() / 2);
}

/** Resolves after a time in milliseconds, or when the signal is aborted. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish);
  });
}
