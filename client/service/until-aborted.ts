import { delay, pauseAfter } from '../../element/live/pause.ts';
import { RequestError } from './request-error.ts';

/**
 * Repeats an attempt until `signal` is aborted; after a transient error it waits, longer each time until one has worked.
 *
 * @throws any other error of an attempt
 */
export async function untilAborted(
  attempt: (worked: () => void) => Promise<void>,
  signal: AbortSignal,
  interrupted: (error: RequestError) => void = () => {},
): Promise<void> {
  let failures = 0;
  const worked = () => {
    failures = 0;
  };
  while (!signal.aborted) {
    try {
      await attempt(worked);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RequestError && error.isTransient)) throw error;
      interrupted(error);
      await delay(Math.max(error.retryAfter, pauseAfter(failures++)), signal);
    }
  }
}
