/** The token is missing or was rejected: reported by `auth-error` (specification, Events). */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  /** true if another token may be had by signing in again; false if the page has to be changed. */
  readonly signInHelps: boolean;

  constructor(message: string, options: ErrorOptions & { readonly signInHelps?: boolean } = {}) {
    super(message, options);
    this.signInHelps = options.signInHelps ?? true;
  }
}

/** Trip data could not be retrieved for any other reason: reported by `api-error` (specification, Events). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** false if the same request fails again, whenever it is sent. */
  readonly retryHelps: boolean;

  constructor(message: string, options: ErrorOptions & { readonly retryHelps?: boolean } = {}) {
    super(message, options);
    this.retryHelps = options.retryHelps ?? true;
  }
}

/** An attribute or the page has to be changed: reported by `error` (specification, Events). */
export class PageError extends Error {
  readonly retryHelps = false;
}

/** Returns false if trying again does not help. */
export function isWorthRetry(error: Error): boolean {
  return !('retryHelps' in error && error.retryHelps === false);
}
