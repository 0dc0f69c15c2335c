/**
 * A deliberate error of the content interface, in its dialect: `{ code, message, data: { status } }`.
 * `code` and `message` are the interface (section D of the specification); `status` is the HTTP status; `data` holds
 * further members of the error, such as `params`; null omits even the status.
 */
export class ContentError extends Error {
  override readonly name = 'ContentError';

  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly data: Readonly<Record<string, unknown>> | null = {},
  ) {
    super(message);
  }
}
