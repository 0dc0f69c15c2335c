import * as oauth from 'oauth4webapi';

import { type Credentials, headerOf, type RequestHeaders } from './credentials.ts';
import { RequestError } from './request-error.ts';

/** Storage of tokens: `localStorage`, or an object of the same form. */
export type TokenStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A public app, as registered with the service. */
export interface OAuthOptions {
  /** Address of the OAuth server, `{auth_url}`. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** Scopes that are requested, separated by spaces; those of the app by default. */
  readonly scope?: string;
  /** `localStorage` by default, which Node.js does not have. */
  readonly storage?: TokenStorage;
  /** Address at which tokens are requested: by default `{authUrl}/oauth/token`, which pages of other origins cannot read. */
  readonly tokenUrl?: string;
  /** Sends requests in place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string | null;
  /** Milliseconds since 1970 by the clock of this machine. */
  readonly expires: number;
}

/** An authorization that has begun. */
interface Pending {
  readonly state: string;
  readonly verifier: string;
}

/** A token is replaced this long before it expires, in milliseconds. */
const MARGIN_MS = 30_000;

/**
 * Credentials of a user who signs in, by OAuth 2.0 with PKCE (RFC 7636). Tokens are refreshed when they expire, once for all
 * requests of this process and, in browsers, of all tabs.
 */
export class OAuthSession implements Credentials {
  readonly #options: OAuthOptions;
  readonly #storage: TokenStorage;
  readonly #server: oauth.AuthorizationServer;
  readonly #client: oauth.Client;
  readonly #name: string;
  #refreshing: Promise<Tokens> | null = null;

  constructor(options: OAuthOptions) {
    const { authUrl, clientId, tokenUrl = `${authUrl}/oauth/token` } = options;
    this.#options = options;
    this.#storage = options.storage ?? localStorage;
    this.#server = { issuer: authUrl, authorization_endpoint: `${authUrl}/authorize`, token_endpoint: tokenUrl };
    this.#client = { client_id: clientId };
    this.#name = `waybridge ${authUrl} ${clientId}`;
  }

  /** True if a user has signed in and not out. */
  get isSignedIn(): boolean {
    return this.#tokens !== null;
  }

  /** Begins to sign in: returns the address to which the browser must go. */
  async begin(): Promise<string> {
    const pending: Pending = { state: oauth.generateRandomState(), verifier: oauth.generateRandomCodeVerifier() };
    this.#storage.setItem(`${this.#name} pending`, JSON.stringify(pending));
    const { clientId, redirectUri, scope } = this.#options;
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      state: pending.state,
      code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
      ...(scope !== undefined && { scope }),
    });
    return `${this.#server.authorization_endpoint}?${query}`;
  }

  /**
   * Completes signing in, at the address to which the service has led the browser back.
   *
   * @throws an error of `oauth4webapi` if the user or the service has declined, or the address is not an answer to {@link begin}
   */
  async complete(address: string | URL): Promise<void> {
    const text = this.#storage.getItem(`${this.#name} pending`);
    if (text === null) throw signInNeeded();
    this.#storage.removeItem(`${this.#name} pending`);
    const { state, verifier } = JSON.parse(text) as Pending;
    const [server, client] = [this.#server, this.#client];
    const answer = oauth.validateAuthResponse(server, client, new URL(address), state);
    const { redirectUri } = this.#options;
    const response = await oauth.authorizationCodeGrantRequest(
      ...([server, client, oauth.None(), answer, redirectUri, verifier, this.#requests] as const),
    );
    this.#storeTokens(await oauth.processAuthorizationCodeResponse(server, client, response), null);
  }

  /** Removes the tokens from this machine. */
  signOut(): void {
    this.#storage.removeItem(this.#name);
  }

  async headers(): Promise<RequestHeaders> {
    const tokens = this.#tokens;
    if (!tokens) throw signInNeeded();
    const isValid = tokens.expires - MARGIN_MS > Date.now();
    return headerOf((isValid ? tokens : await this.#refresh(tokens.access_token)).access_token);
  }

  async renew({ authorization }: RequestHeaders): Promise<void> {
    await this.#refresh(authorization?.replace('Bearer ', '') ?? '');
  }

  get #tokens(): Tokens | null {
    return JSON.parse(this.#storage.getItem(this.#name) ?? 'null') as Tokens | null;
  }

  get #requests() {
    const { fetch } = this.#options;
    return fetch ? { [oauth.customFetch]: fetch } : {};
  }

  /** Replaces a token, unless another call or tab has done so. */
  #refresh(former: string): Promise<Tokens> {
    this.#refreshing ??= this.#locked(async () => {
      const tokens = this.#tokens;
      if (tokens && tokens.access_token !== former) return tokens;
      if (!tokens?.refresh_token) throw signInNeeded();
      return this.#requestTokens(tokens.refresh_token);
    }).finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  /** Runs work while no other tab does (Web Locks); a process without locks has no tabs. */
  async #locked(work: () => Promise<Tokens>): Promise<Tokens> {
    const { locks } = globalThis.navigator ?? {};
    return locks ? await locks.request(this.#name, work) : work();
  }

  async #requestTokens(refreshToken: string): Promise<Tokens> {
    const [server, client] = [this.#server, this.#client];
    try {
      const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, this.#requests);
      const answer = await oauth.processRefreshTokenResponse(server, client, response);
      // The user may have signed out since.
      return this.isSignedIn ? this.#storeTokens(answer, refreshToken) : Promise.reject(signInNeeded());
    } catch (cause) {
      const { error, status } = cause instanceof oauth.ResponseBodyError ? cause : { error: null, status: 0 };
      if (error !== 'invalid_grant') throw new RequestError('The OAuth server sent no token', { status, cause });
      this.signOut();
      throw signInNeeded(cause);
    }
  }

  #storeTokens(answer: oauth.TokenEndpointResponse, refreshToken: string | null): Tokens {
    const { access_token, refresh_token = refreshToken, expires_in = Number.POSITIVE_INFINITY } = answer;
    const tokens = { access_token, refresh_token, expires: Math.min(Date.now() + expires_in * 1000, MAX_TIME) };
    this.#storage.setItem(this.#name, JSON.stringify(tokens));
    return tokens;
  }
}

/** Largest time of a `Date`. */
const MAX_TIME = 8.64e15;

function signInNeeded(cause?: unknown): RequestError {
  return new RequestError('The user must sign in', { status: 401, code: 'UNAUTHENTICATED', cause });
}
