import { hkdfSync } from 'node:crypto';

import { Provider } from 'oidc-provider';

/** Origin of tokens that a repeated request gets again. */
export interface TokenSource {
  /** Secret that the client presents, of 256 random bits; the database knows only its hash. */
  readonly secret: string;
  readonly salt: string;
  /** Time of the first request, if the lifetime of tokens depends on it. */
  readonly since?: Date;
}

/** Sources of tokens, by the request that issues them. */
const sources = new WeakMap<object, TokenSource>();

/** Derives all tokens that a request issues, the current one by default, so that it can be repeated without storing them. */
export function deriveTokens(source: TokenSource, request: object | undefined = Provider.ctx): void {
  if (request) sources.set(request, source);
}

/** Seconds since the current request came first; 0 unless it is a repetition. */
export function secondsSinceFirst(): number {
  const since = Provider.ctx && sources.get(Provider.ctx)?.since;
  return since ? Math.max(0, Math.floor((Date.now() - since.getTime()) / 1000)) : 0;
}

/** A token of the OAuth library before it is stored. */
interface NewToken {
  readonly kind: string;
  readonly scope?: string;
  generateTokenId(): string;
}

/** Derives tokens of a kind if the request has a source, access tokens also from the scope. Others are random. */
export function makeRepeatable(prototype: object): void {
  const token = prototype as NewToken;
  const { generateTokenId } = token;
  token.generateTokenId = function () {
    const random = generateTokenId.call(this);
    const source = Provider.ctx && sources.get(Provider.ctx);
    if (!source) return random;
    const scopes = this.kind === 'AccessToken' ? ` ${this.scope?.split(' ').sort().join(' ')}` : '';
    return derivedToken(source, this.kind + scopes);
  };
}

/** Derives a token of 256 bits (HKDF with SHA-256, RFC 5869): without the secret, the salt reveals nothing about it. */
export function derivedToken({ secret, salt }: TokenSource, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', secret, salt, `waybridge ${purpose}`, 32)).toString('base64url');
}
