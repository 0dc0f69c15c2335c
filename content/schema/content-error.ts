/**
 * A deliberate refusal of the content interface, in the words of its dialect: `{ code, message, data: { status } }`.
 * `code` and `message` are the interface (section D of the specification); `status` is the HTTP status; `data` holds
 * what else the refusal says about itself, such as `params`; null leaves even the status out of it.
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
