import { runSize } from '../services/run-size.ts';
import { type Engine, ENGINES } from './built-file.ts';

/** Engines of a test file in which they differ little: `npm test` runs it with one, `npm run test:full` with both. */
export function enginesWith(sample: Engine): readonly Engine[] {
  return runSize([sample], ENGINES);
}
