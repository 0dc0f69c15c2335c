import { RateLimiterCluster, RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** Maximum volume of one key in a window of time, which begins with the key's first use. */
export interface Quota {
  /** Names the limit to clients, as a policy of `RateLimit-Policy`. */
  readonly name: string;
  /** Maximum volume in a window. */
  readonly points: number;
  /** Length of the window, in seconds. */
  readonly seconds: number;
  /** True if headers do not report the usage, because it includes that of other callers. */
  readonly isHidden?: boolean;
}

/** Use of a quota by one key. */
export interface Usage {
  readonly quota: Quota;
  /** Volume used in the current window. */
  readonly used: number;
  /** Seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/** Counts volume by key in the memory of this process, or, with workers, in that of their primary process. */
export class RateLimit {
  readonly quota: Quota;
  readonly #limiter: RateLimiterMemory | RateLimiterCluster;

  constructor(quota: Quota, { isWorker = false } = {}) {
    this.quota = quota;
    const options = { points: quota.points, duration: quota.seconds };
    this.#limiter = isWorker
      ? new RateLimiterCluster({ ...options, keyPrefix: quota.name })
      : new RateLimiterMemory(options);
  }

  /** Adds to the usage of a key. Volume beyond the quota is counted too, but does not prolong the wait. */
  async add(key: string, points = 1): Promise<Usage> {
    return this.#usage(await this.#limiter.penalty(key, points));
  }

  /** Subtracts from the usage of a key. */
  async giveBack(key: string, points = 1): Promise<void> {
    await this.#limiter.reward(key, points);
  }

  /** Reads the usage of a key. */
  async usageOf(key: string): Promise<Usage> {
    const found = await this.#limiter.get(key);
    return this.#usage(found && found.msBeforeNext > 0 ? found : null);
  }

  #usage(found: RateLimiterRes | null): Usage {
    const resetSeconds = found ? Math.max(1, Math.ceil(found.msBeforeNext / 1000)) : this.quota.seconds;
    return { quota: this.quota, used: Math.max(0, found?.consumedPoints ?? 0), resetSeconds };
  }
}

/** Returns true if more is used than the quota allows. */
export function isOver({ quota, used }: Usage): boolean {
  return used > quota.points;
}

/** Headers that show the limits (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/). */
export function rateLimitHeaders(usages: readonly Usage[]): Record<string, string> {
  const policies = usages.map(({ quota }) => `"${quota.name}";q=${quota.points};w=${quota.seconds}`);
  const limits = usages.map(({ quota, used, resetSeconds }) => {
    return `"${quota.name}";r=${Math.max(0, quota.points - used)};t=${resetSeconds}`;
  });
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: limits.join(', ') };
}
