/** Interval of checks for commits of other processes, in milliseconds. */
export const LOOK_MS = 150;

/** Maximum time of a timer, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Wakes readers that wait for documents of capped collections: at a commit of this process with such documents, and after any
 * commit of another process, for which it checks while there are waiting readers.
 */
export class Arrivals {
  readonly #versionOf: () => unknown;
  readonly #waiting = new Set<() => void>();
  #version: unknown;
  #looking: NodeJS.Timeout | undefined;

  /** `versionOf` reads a value that each commit of another process changes. */
  constructor(versionOf: () => unknown) {
    this.#versionOf = versionOf;
    this.#version = versionOf();
  }

  /**
   * Waits for a commit, for a number of milliseconds at most, or until a signal ends it. It misses none after what its caller
   * has read in this turn of the event loop: of the other processes, it knows the version of the last look, not that of now.
   */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    this.#looking ??= setInterval(() => this.#look(), LOOK_MS);
    return new Promise((settle) => {
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        if (this.#waiting.size === 0) this.#rest();
        settle();
      };
      const timer = setTimeout(wake, Math.min(ms, MAX_TIMER_MS));
      signal.addEventListener('abort', wake);
      this.#waiting.add(wake);
    });
  }

  /** Wakes all. */
  wake(): void {
    for (const wake of this.#waiting) wake();
  }

  #look(): void {
    try {
      const version = this.#versionOf();
      if (version === this.#version) return;
      this.#version = version;
    } catch {
      // Waiting readers find the failure when they read.
    }
    this.wake();
  }

  #rest(): void {
    clearInterval(this.#looking);
    this.#looking = undefined;
  }
}
