import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type RestAnswer, terseErrorResponse } from './error-response.ts';
import { HTTP_STATUS, ServiceError } from '../../schema/service-error.ts';

import { bearerChallenge } from './bearer-challenge.ts';
import { CLIENT_GONE, isClientGone } from '../requests/client-gone.ts';
import { isDatabaseUnreachable, RETRY_AFTER } from './database-unreachable.ts';
import { isOutOfDescriptors, MORE_DESCRIPTORS } from './file-descriptors.ts';

/** Messages for Fastify's errors, by error code; Fastify's own messages word content types and limits differently. */
const BODY_FAULTS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is too large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body must be JSON, and it is empty',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body must be JSON',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The Content-Type must be application/json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body must be as long as Content-Length says',
  BODY_ENCODED: 'The body must not be compressed: Content-Encoding is not accepted',
  BODY_TIMEOUT: 'The body took too long to arrive',
  FST_ERR_BAD_URL: 'The path must be percent-encoded UTF-8',
};

/**
 * Answers errors that an endpoint does not handle (decisions, section "Errors"): a request that cannot be read with 400, 408 or 413 and
 * `{"errors":message}`, an unknown path with an empty 404, an unreachable database with an empty 503 and `Retry-After`,
 * and a fault with an empty 500, its cause being logged once under the request id.
 */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((_request, reply) => reply.code(404).send());
}

/** Answers one error; see {@link answerErrors}. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ServiceError) {
    if (error.code === 'TOO_MANY_REQUESTS' && (request.headers.accept ?? '').includes('text/html')) {
      return reply.code(HTTP_STATUS[error.code]).type('text/plain; charset=utf-8').send(`${error.message}\n`);
    }
    return sendAnswer(terseErrorResponse(error), request, reply);
  }
  const fault = bodyFault(error);
  if (fault !== null) return reply.code(fault.status).send({ errors: fault.message });
  return reportFault(error, request, reply).send();
}

/** Status and message for a request that could not be read: 408, 413 or 400; null for other errors. */
export function bodyFault(error: FastifyError): { readonly status: 400 | 408 | 413; readonly message: string } | null {
  if (error instanceof ServiceError) {
    return error.code === 'BAD_REQUEST' ? { status: HTTP_STATUS[error.code], message: error.message } : null;
  }
  if (error.statusCode === undefined || error.statusCode >= 500) return null;
  const status = error.statusCode === 413 || error.statusCode === 408 ? error.statusCode : 400;
  return { status, message: BODY_FAULTS[error.code] ?? 'The request cannot be read' };
}

/** Logs a fault with its request's id and sets the status 503 or 500; a disconnected client is not a fault. */
export function reportFault(fault: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isClientGone(fault, request.raw)) {
    request.log.debug(CLIENT_GONE);
    return reply.code(400);
  }
  const shortage = shortageOf(fault);
  request.log.error({ err: fault }, shortage ?? 'fault');
  return shortage === null ? reply.code(500) : reply.code(503).header('Retry-After', RETRY_AFTER);
}

/** Names the temporarily unavailable resource that caused a fault; null for a defect. */
function shortageOf(fault: unknown): string | null {
  if (isOutOfDescriptors(fault)) return `no more file descriptors: ${MORE_DESCRIPTORS}`;
  return isDatabaseUnreachable(fault) ? 'database unreachable' : null;
}

/** Sends an answer of REST; a 401 has a challenge, a 503 the time after which to try again. */
export function sendAnswer(answer: RestAnswer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers = {}, body } = answer;
  if (status === 401) reply.header('WWW-Authenticate', bearerChallenge(request.headers));
  if (status === 503) reply.header('Retry-After', RETRY_AFTER);
  return reply.code(status).headers(headers).send(body);
}
