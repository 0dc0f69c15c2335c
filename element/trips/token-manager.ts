import { AuthError } from './load-failure.ts';
import { faultOfServiceToken, lifeOfServiceToken } from './service-token.ts';

/** Resolves to a fresh special-purpose token, which the page's own server has asked for. */
export type TokenProvider = () => Promise<string>;

/** So long before its end a token is replaced, or a tenth of its life where that is less. */
const MARGIN_MS = 60_000;

/** The longest that a browser's timer waits. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** A token at hand. */
interface Held {
  readonly token: string;
  /** Milliseconds since 1970 by the reader's clock. */
  readonly ends: number;
}

/**
 * Keeps a token that the service takes: the attribute's, and from before its end on those of the page's provider, which is
 * asked for one at a time.
 */
export class TokenManager {
  #provider: TokenProvider | null = null;
  #held: Held | null = null;
  #asking: Promise<Held> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Takes the token that the page has written, in place of any before. */
  takeToken(token: string | null): void {
    this.#asking = null;
    this.#hold(token ? { token, ends: lifeOfServiceToken(token).ends } : null);
  }

  /** Takes the provider to be asked from now on; an answer on its way still counts. */
  takeProvider(provider: TokenProvider | null): void {
    this.#provider = provider;
    this.#hold(this.#held);
  }

  /** Why no load can have a token; null where there is one, or a provider to ask. */
  get fault(): string | null {
    return this.#provider ? null : faultOfServiceToken(this.#held?.token ?? null);
  }

  /**
   * Runs `work` with a token and, where the service rejects that one, once more with another from the provider.
   *
   * @throws AuthError where there is no token, or none that the service takes; whatever else `work` throws
   */
  async use<T>(work: (token: string) => Promise<T>): Promise<T> {
    const { token } = await this.#current();
    try {
      return await work(token);
    } catch (error) {
      if (!(error instanceof AuthError) || !this.#provider) throw error;
      const other = await this.#ask();
      if (other.token === token) throw error;
      return work(other.token);
    }
  }

  /** Stops the clock and forgets everything; no answer of the provider counts any more. */
  stop(): void {
    this.#provider = null;
    this.takeToken(null);
  }

  async #current(): Promise<Held> {
    const held = this.#held;
    if (held && !this.#provider) return held;
    return held && held.ends > Date.now() && !faultOfServiceToken(held.token) ? held : this.#ask();
  }

  /** Asks the provider, or waits for the answer that is on its way. */
  #ask(): Promise<Held> {
    const provider = this.#provider;
    if (!provider) return Promise.reject(new AuthError('The service-token attribute is missing'));
    if (this.#asking) return this.#asking;
    const asking = tokenOf(provider).then((held) => {
      if (this.#asking === asking) this.#hold(held);
      return held;
    });
    const answered = (): void => {
      if (this.#asking === asking) this.#asking = null;
    };
    this.#asking = asking;
    asking.then(answered, answered);
    return asking;
  }

  /** Keeps a token and sets the clock for the next; a token that is over already sets none, so that nothing goes round. */
  #hold(held: Held | null): void {
    clearTimeout(this.#timer);
    const before = this.#held;
    this.#held = held;
    if (!held || !this.#provider || held.ends === Infinity) return;
    const left = held.ends - Date.now();
    const sameAgain = before !== held && before?.token === held.token;
    if (left <= 0 || sameAgain) return;
    const wait = Math.min(left - Math.min(MARGIN_MS, left / 10), MAX_WAIT_MS);
    this.#timer = setTimeout(() => void this.#ask().catch(() => {}), wait);
  }
}

/**
 * Asks for a token. The reader's clock may be wrong: a token that it takes for an ended one has just been made all the
 * same, and lives as long as it says.
 */
async function tokenOf(provider: TokenProvider): Promise<Held> {
  let token: string;
  try {
    token = await provider();
  } catch (cause) {
    throw new AuthError('The tokenProvider failed', { cause });
  }
  if (faultOfServiceToken(token)) throw new AuthError('The tokenProvider gave no special-purpose token');
  const { ends, lives } = lifeOfServiceToken(token);
  const now = Date.now();
  return { token, ends: ends > now ? Math.min(ends, now + lives) : now + lives };
}
