import { expect, test, vi } from 'vitest';

import { collectWhenIdle } from '../../../server/service/collect-when-idle.ts';

/** Shares of the time in which a process was busy, one for each look at it. */
function processOf(shares: readonly number[]) {
  const left = [...shares];
  return { busyShare: () => left.shift() ?? 0, collectGarbage: vi.fn() };
}

test('garbage is collected once, when a service has been idle for some seconds after its start', () => {
  vi.useFakeTimers();
  const idle = processOf([0.9]);
  collectWhenIdle(idle);
  vi.advanceTimersByTime(7000);
  expect(idle.collectGarbage).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(idle.collectGarbage).toHaveBeenCalledTimes(1);
});

test('a busy service is not held up by a collection until it is idle', () => {
  vi.useFakeTimers();
  const busy = processOf([0.9, 0.5, 0.03]);
  collectWhenIdle(busy);
  vi.advanceTimersByTime(17_000);
  expect(busy.collectGarbage).not.toHaveBeenCalled();
  vi.advanceTimersByTime(8000);
  expect(busy.collectGarbage).toHaveBeenCalledTimes(1);
});

test('garbage is collected again when a service is idle after a load, and not after single requests', () => {
  vi.useFakeTimers();
  const loaded = processOf([0.9, 0, 0.1, 0, 0.5, 0.1, 0, 0]);
  collectWhenIdle(loaded);
  vi.advanceTimersByTime(33_000);
  expect(loaded.collectGarbage).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(60_000);
  expect(loaded.collectGarbage).toHaveBeenCalledTimes(2);
});

test('a service that has ended collects nothing', async () => {
  vi.useFakeTimers();
  const ended = processOf([0.9]);
  await collectWhenIdle(ended).close();
  vi.advanceTimersByTime(60_000);
  expect(ended.collectGarbage).not.toHaveBeenCalled();
});
