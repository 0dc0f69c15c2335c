import { inject, test } from 'vitest';

/** Chooses how much a campaign or property test tries: a sample in `npm test`, all of it in `npm run test:full`. */
export function runSize<Size>(sample: Size, all: Size): Size {
  return inject('isFullRun') ? all : sample;
}

/** A test of `npm run test:full` alone: one that takes seconds, of a rule that quicker tests hold elsewhere. */
export function fullTest(name: string, run: () => Promise<void>): void {
  if (inject('isFullRun')) test(name, run);
}
