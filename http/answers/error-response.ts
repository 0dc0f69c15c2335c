import { type ErrorCode, HTTP_STATUS, type ServiceError } from '../../schema/service-error.ts';

/** Answer to a REST client. The body is a JSON value, or a stream with its type in the headers; empty by default. */
export interface RestAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Formats a deliberate error in one REST dialect. */
export type ErrorResponder = (error: ServiceError) => RestAnswer;

/** Errors of the account API with a message. */
const EXPLAINED: ReadonlySet<ErrorCode> = new Set(['BAD_REQUEST', 'CONFLICT', 'CURSOR_EXPIRED', 'UNPROCESSABLE']);

/** The account API: a message for an invalid request, an empty body for everything else. Specification: "Errors". */
export const terseErrorResponse: ErrorResponder = (error) => {
  const { status, headers = [] } = error.extensions.http;
  const answer = { status, headers: Object.fromEntries(headers) };
  return EXPLAINED.has(error.code) ? { ...answer, body: { errors: error.message } } : answer;
};

/** The token endpoint: each error carries its message. Decisions: "Errors". */
export const errorResponseWithMessage: ErrorResponder = (error) => ({
  status: HTTP_STATUS[error.code],
  body: { errors: error.message },
});
