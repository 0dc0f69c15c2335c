import { inject } from 'vitest';

/** Chooses how much a campaign or property test tries: a sample in `npm test`, all of it in `npm run test:full`. */
export function runSize<Size>(sample: Size, all: Size): Size {
  return inject('isFullRun') ? all : sample;
}
