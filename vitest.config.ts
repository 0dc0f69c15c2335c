import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { defineConfig, type TestUserConfig } from 'vitest/config';

import { SlowestFirst } from './test/slowest-first.ts';

const ROOT = import.meta.dirname;

/**
 * Test files that run in a process each: those that replace modules, which others have loaded by then, that of the
 * printed schema, where fields stand in the order in which modules were loaded, that which has the schema answer at
 * random, and that which simulates the time of its process.
 */
const ISOLATED = [
  'test/campaigns/virtual.test.ts',
  'test/graphql/execution/plan-operation.test.ts',
  'test/resolvers/gateway-schema.test.ts',
  ...readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && readFileSync(join(ROOT, 'test', file), 'utf8').includes('vi.mock('))
    .map((file) => `test/${file}`),
];

/** Reading of sources. One copy of graphql in a process: type-graphql and the project's own files must agree on its classes. */
const sources = {
  root: ROOT,
  resolve: { alias: [{ find: /^graphql$/, replacement: join(ROOT, 'node_modules/graphql/index.js') }] },
  oxc: { decorator: { legacy: true } },
};

/** Settings of every test run. */
const common: TestUserConfig = {
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // Modules stay compiled between runs, in node_modules, by their text and these settings.
  experimental: { fsModuleCache: true },
  // Beside other workers, what takes milliseconds may take seconds.
  expect: { poll: { timeout: 60_000 } },
  // Tests wait for processes and browsers a third of the time, in which other workers use the cores.
  maxWorkers: availableParallelism() + 2,
  setupFiles: ['test/setup.ts'],
};

/**
 * Makes the configuration of `npm test` or `npm run test:full`. The files of a worker share one process, with its modules, its database server and its
 * browser; `test/setup.ts` undoes what a file has changed in it.
 */
export function testRun({ isFullRun }: { readonly isFullRun: boolean }) {
  const excluded = isFullRun ? [] : ['test/**/*.full.test.ts'];
  const projectOf = (name: string, isolate: boolean, files: { include: string[]; exclude: string[] }) => ({
    ...sources,
    test: { ...common, name, isolate, provide: { isFullRun }, ...files },
  });
  return defineConfig({
    ...sources,
    test: {
      globalSetup: ['test/run-folder.ts'],
      reporters: ['default', './test/summary-reporter.ts'],
      sequence: { sequencer: SlowestFirst },
      projects: [
        projectOf('shared', false, { include: ['test/**/*.test.ts'], exclude: [...excluded, ...ISOLATED] }),
        projectOf('isolated', true, { include: ISOLATED, exclude: excluded }),
      ],
    },
  });
}

export default testRun({ isFullRun: false });
