/** A request that the service did not answer as asked. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** Status of the response; 0 if there was none. */
  readonly status: number;
  /** Code of the error, see "Codes of errors" in the documentation of GraphQL; null if there is none. */
  readonly code: string | null;
  /** Time after which the service allows the next request, in milliseconds. */
  readonly retryAfter: number;

  constructor(
    message: string,
    options: ErrorOptions & {
      readonly status: number;
      readonly code?: string | undefined;
      readonly retryAfter?: number;
    },
  ) {
    super(message, options);
    this.status = options.status;
    this.code = options.code ?? null;
    this.retryAfter = options.retryAfter ?? 0;
  }

  /** True if the same request may succeed later. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}
