import { vi } from 'vitest';

/** The writes of a process that ends in the midst of them. */
export interface InterruptedWrites {
  /** Number of writes that were made. */
  readonly made: () => number;
  /** Returns true if one was not made. */
  readonly isDead: () => boolean;
}

/**
 * As if the process were killed after so many more writes: none of the later ones is made, until mocks are restored.
 *
 * @param targets models, or collections, that are written
 * @param names their methods that write
 */
export function dieAfter(writes: number, targets: readonly object[], names: readonly string[]): InterruptedWrites {
  let made = 0;
  let isDead = false;
  for (const target of targets as readonly Record<string, (...args: unknown[]) => unknown>[]) {
    for (const name of names) {
      const real = target[name]?.bind(target);
      vi.spyOn(target, name).mockImplementation((...args) => {
        isDead ||= made >= writes;
        if (isDead) throw new Error('killed');
        made++;
        return real?.(...args);
      });
    }
  }
  return { made: () => made, isDead: () => isDead };
}
