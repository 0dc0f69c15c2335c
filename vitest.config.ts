import { defineConfig } from 'vitest/config';

/** One copy of graphql in a test process: type-graphql and the project's own files must agree on its classes. */
const graphqlEntry = new URL('./node_modules/graphql/index.js', import.meta.url).pathname;

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: graphqlEntry }] },
  oxc: { decorator: { legacy: true } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.full.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Tests wait for processes and browsers much of the time, so that even the last core is worth a worker.
    maxWorkers: '100%',
    setupFiles: ['test/setup.ts'],
    reporters: ['default', './test/summary-reporter.ts'],
  },
});
