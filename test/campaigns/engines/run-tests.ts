import { startVitest } from 'vitest/node';

/** Results of some test files. */
export interface TestResults {
  readonly passed: number;
  /** Names of failed tests, with their errors, and of files. */
  readonly failed: readonly string[];
  /** Numbers of skipped tests by their reasons. */
  readonly skipped: ReadonlyMap<string, number>;
}

/** Runs the test files whose paths contain one of some texts, with the databases of a server. */
export async function runTests(uri: string, files: readonly string[]): Promise<TestResults> {
  process.env.MONGODB_URI = uri;
  const vitest = await startVitest('test', [...files], { watch: false, reporters: ['./test/summary-reporter.ts'] });
  let passed = 0;
  const failed: string[] = [];
  const skipped = new Map<string, number>();
  for (const module of vitest.state.getTestModules()) {
    if (module.errors().length > 0) failed.push(module.relativeModuleId);
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === 'passed') passed += 1;
      else if (result.state === 'failed')
        failed.push(`${module.relativeModuleId}: ${test.fullName}: ${result.errors[0]?.message}`);
      else if (result.state === 'skipped') {
        const note = result.note ?? 'for `npm run test:full`';
        skipped.set(note, (skipped.get(note) ?? 0) + 1);
      }
    }
  }
  await vitest.close();
  delete process.env.MONGODB_URI;
  return { passed, failed, skipped };
}
