import { defineConfig } from 'vitest/config';

import tests from '../../vitest.config.ts';

/** Runs all tests of `npm test`, and those named `*.full.test.ts`, which take minutes. */
export default defineConfig({
  ...tests,
  root: new URL('../..', import.meta.url).pathname,
  test: { ...tests.test, exclude: [] },
});
