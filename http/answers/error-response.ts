import { HTTP_STATUS, type ServiceError } from '../../schema/service-error.ts';

/** Answer to a REST client. The body is a JSON value, or a stream with its type in the headers; empty unless given. */
export interface RestAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Formats a deliberate error in one REST dialect. */
export type ErrorResponder = (error: ServiceError) => RestAnswer;

/** The account API: a message for a bad request, an empty body for everything else. Specification: "Errors". */
export const terseErrorResponse: ErrorResponder = (error) =>
  error.code === 'BAD_REQUEST'
    ? { status: HTTP_STATUS.BAD_REQUEST, body: { errors: error.message } }
    : { status: HTTP_STATUS[error.code] };

/** The token endpoint: each error carries its message. Decisions: "Errors". */
export const errorResponseWithMessage: ErrorResponder = (error) => ({
  status: HTTP_STATUS[error.code],
  body: { errors: error.message },
});
