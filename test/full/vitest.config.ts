import { testsExcept } from '../../vitest.config.ts';

/** Runs all tests of `npm test`, and those named `*.full.test.ts`, which take minutes. */
export default testsExcept([]);
