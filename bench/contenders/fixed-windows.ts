/** Use of a quota in a window of time. */
export interface WindowUse {
  used: number;
  /** When the window ends, in milliseconds since 1970. */
  readonly end: number;
}

/** Counts by key in windows of time, as a rate limit by hand does. */
export class FixedWindows {
  readonly #name: string;
  readonly #quota: number;
  readonly #ms: number;
  readonly #uses = new Map<string, WindowUse>();

  /** @param ms length of a window, in milliseconds */
  constructor(name: string, quota: number, ms: number) {
    this.#name = name;
    this.#quota = quota;
    this.#ms = ms;
  }

  /** Counts one more for a key. */
  count(key: string): WindowUse {
    const now = Date.now();
    let use = this.#uses.get(key);
    if (!use || use.end <= now) {
      use = { used: 0, end: now + this.#ms };
      this.#uses.set(key, use);
    }
    use.used++;
    return use;
  }

  /** The headers that show a use. */
  headers({ used, end }: WindowUse): Record<string, string> {
    const seconds = Math.max(1, Math.ceil((end - Date.now()) / 1000));
    return {
      'RateLimit-Policy': `"${this.#name}";q=${this.#quota};w=${this.#ms / 1000}`,
      RateLimit: `"${this.#name}";r=${Math.max(0, this.#quota - used)};t=${seconds}`,
    };
  }
}
