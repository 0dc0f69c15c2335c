import { testRun } from '../../vitest.config.ts';

/** Runs all tests of `npm test`, with larger samples, and those named `*.full.test.ts`, which take minutes. */
export default testRun({ isFullRun: true });
