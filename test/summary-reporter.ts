import type { Reporter, TestModule } from 'vitest/node';

/** Number of slow files that are named. */
const MAX_SLOW_FILES = 10;

/** Ends a run with the slowest files and the one line `N passed, N failed`, which a person and a machine can read. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      if (module.state() === 'failed' && [...module.children.allTests('failed')].length === 0) counts.failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') counts[state] += 1;
      }
    }
    const slowest = [...modules].sort((a, b) => secondsOf(b) - secondsOf(a)).slice(0, MAX_SLOW_FILES);
    const rows = slowest.map((module) => `${secondsOf(module).toFixed(1).padStart(7)} s  ${module.relativeModuleId}`);
    if (modules.length > MAX_SLOW_FILES) process.stdout.write(`\nSlowest files:\n${rows.join('\n')}\n`);
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
  }
}

/** Seconds that a file took, with its imports. */
export function secondsOf(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return (collectDuration + duration) / 1000;
}
