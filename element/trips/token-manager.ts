import { AuthError } from './load-failure.ts';
import { faultOfServiceToken, lifetimeOf } from './service-token.ts';

/** Resolves to a fresh special-purpose token for a vehicle, which the page's own server has requested. */
export type TokenProvider = (vehicleKey: string) => Promise<string>;

/** A token is replaced this long before it expires, or a tenth of its lifetime before if that is less. */
const MARGIN_MS = 60_000;

/** Maximum delay of a browser's timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

interface Token {
  readonly text: string;
  /** Milliseconds since 1970 by the reader's clock. */
  readonly expires: number;
}

/** Provides the attribute's token, then those of the provider, which is called before one expires, never concurrently. */
export class TokenManager {
  #provider: (() => Promise<string>) | null = null;
  #token: Token | null = null;
  #request: Promise<Token> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Replaces the token by that of the attribute. */
  setToken(text: string | null): void {
    this.#request = null;
    this.#store(text ? { text, expires: lifetimeOf(text).expires } : null);
  }

  /** Replaces the provider; a call in progress still counts. */
  setProvider(provider: (() => Promise<string>) | null): void {
    this.#provider = provider;
    this.#store(this.#token);
  }

  /** Reason why no token is available; null if there is one, or a provider. */
  get fault(): string | null {
    return this.#provider ? null : faultOfServiceToken(this.#token?.text ?? null);
  }

  /** true if there is a provider. */
  get isProvided(): boolean {
    return this.#provider !== null;
  }

  /** true if the token has expired by the reader's clock. */
  get isExpired(): boolean {
    return this.#token !== null && this.#token.expires <= Date.now();
  }

  /**
   * Runs `work` with a token and, if the service rejects that one, again with a newer one of the provider.
   *
   * @throws AuthError if there is no token that the service accepts; any other error of `work`
   */
  async use<T>(work: (token: string) => Promise<T>): Promise<T> {
    const { text } = await this.#current();
    try {
      return await work(text);
    } catch (error) {
      if (!(error instanceof AuthError) || !this.#provider) throw error;
      const renewed = this.#token && this.#token.text !== text && !this.isExpired;
      const fresh = renewed && this.#token ? this.#token : await this.#fetch();
      if (fresh.text === text) throw error;
      return work(fresh.text);
    }
  }

  /** Stops the timer and discards token and provider; a call in progress no longer counts. */
  stop(): void {
    this.#provider = null;
    this.setToken(null);
  }

  async #current(): Promise<Token> {
    const token = this.#token;
    if (token && !this.#provider) return token;
    return token && token.expires > Date.now() && !faultOfServiceToken(token.text) ? token : this.#fetch();
  }

  /** Calls the provider, or waits for the call in progress. */
  #fetch(): Promise<Token> {
    const provider = this.#provider;
    if (!provider) return Promise.reject(new AuthError('The service-token attribute is missing'));
    if (this.#request) return this.#request;
    const request = tokenFrom(provider).then((token) => {
      if (this.#request === request) this.#store(token);
      return token;
    });
    const finish = (): void => {
      if (this.#request === request) this.#request = null;
    };
    this.#request = request;
    request.then(finish, finish);
    return request;
  }

  /** Stores a token and starts the timer for the next; not for one that has expired or was provided before, to avoid a loop. */
  #store(token: Token | null): void {
    clearTimeout(this.#timer);
    const before = this.#token;
    this.#token = token;
    if (!token || !this.#provider || token.expires === Infinity) return;
    const remaining = token.expires - Date.now();
    const repeated = before !== token && before?.text === token.text;
    if (remaining <= 0 || repeated) return;
    const delay = Math.min(remaining - Math.min(MARGIN_MS, remaining / 10), MAX_DELAY_MS);
    this.#timer = setTimeout(() => void this.#fetch().catch(() => {}), delay);
  }
}

/** Calls the provider. A token that seems expired, by a wrong clock, was just issued: it is used for its lifetime. */
async function tokenFrom(provider: () => Promise<string>): Promise<Token> {
  let text: string;
  try {
    text = await provider();
  } catch (cause) {
    throw new AuthError('The tokenProvider failed', { cause });
  }
  if (faultOfServiceToken(text)) throw new AuthError('The tokenProvider did not return a special-purpose token');
  const { expires, lifetime } = lifetimeOf(text);
  const now = Date.now();
  return { text, expires: expires > now ? Math.min(expires, now + lifetime) : now + lifetime };
}
