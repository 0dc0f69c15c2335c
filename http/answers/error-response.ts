import { HTTP_STATUS, type ServiceError } from '../../schema/service-error.ts';

/** What a REST client gets: a status, and a JSON value unless the body is empty. */
export interface RestAnswer {
  readonly status: number;
  readonly body?: unknown;
}

/** How one REST dialect words a deliberate refusal. */
export type ErrorResponder = (error: ServiceError) => RestAnswer;

/** The account API: a message for a bad request, an empty body for everything else. Specification: "Errors". */
export const terseErrorResponse: ErrorResponder = (error) =>
  error.code === 'BAD_REQUEST'
    ? { status: HTTP_STATUS.BAD_REQUEST, body: { errors: error.message } }
    : { status: HTTP_STATUS[error.code] };

/** The token endpoint: each refusal carries its message. Decisions: "Errors". */
export const errorResponseWithMessage: ErrorResponder = (error) => ({
  status: HTTP_STATUS[error.code],
  body: { errors: error.message },
});
