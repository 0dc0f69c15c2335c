import { expect, test, vi } from 'vitest';

import { LatestRun } from '../../../element/trips/latest-run.ts';

/** A promise and the means to settle it. */
function deferred(): { promise: Promise<string>; resolve: (value: string) => void; reject: (error: Error) => void } {
  let resolve: (value: string) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<string>((fulfil, rejectIt) => {
    resolve = fulfil;
    reject = rejectIt;
  });
  return { promise, resolve, reject };
}

test('only the latest run reports, and the one before is aborted', async () => {
  const [run, first, second] = [new LatestRun(), deferred(), deferred()];
  const [done, failed] = [vi.fn(), vi.fn()];
  const signals: AbortSignal[] = [];
  const start = ({ promise }: typeof first): void =>
    run.start(
      (signal) => {
        signals.push(signal);
        return promise;
      },
      done,
      failed,
    );
  start(first);
  start(second);
  first.resolve('stale');
  second.resolve('fresh');
  await Promise.all([first.promise, second.promise]);
  await Promise.resolve();
  expect(done.mock.calls).toEqual([['fresh']]);
  expect(failed).not.toHaveBeenCalled();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(run.running).toBe(false);
});

test('a run that is aborted says nothing, not even that it failed', async () => {
  const [run, work] = [new LatestRun(), deferred()];
  const report = vi.fn();
  run.start(() => work.promise, report, report);
  expect(run.running).toBe(true);
  run.abort();
  work.reject(new Error('aborted'));
  await work.promise.catch(() => {});
  await Promise.resolve();
  expect(report).not.toHaveBeenCalled();
});
