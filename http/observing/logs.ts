import { fstatSync } from 'node:fs';

import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';

import { censor } from './censor.ts';
import { CLIENT_GONE, isClientGone } from '../requests/client-gone.ts';

/** Maximum size of the log lines that are buffered for standard error, in bytes. */
const MAX_WAITING = 1024 * 1024;

/**
 * Makes the log: one JSON object a line, with an ISO 8601 time, `requestId` if it belongs to a request, and nothing
 * that looks like a credential. It goes to standard error by default, since standard output belongs to the command line.
 *
 * @param base members of every line
 */
export function createLog(
  level: LevelWithSilent,
  destination: DestinationStream = standardError(),
  base: Readonly<Record<string, unknown>> | null = null,
): Logger {
  return pino(
    {
      level,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeFault, req: describeRequest, res: () => undefined },
      hooks: { streamWrite: censor },
    },
    destination,
  );
}

/** Fastify's own lines, without those that {@link logRequest} and the error handler write better. */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }

  override incomingRequest(): void {}

  override requestCompleted(): void {}

  override defaultErrorLog(): void {}

  override streamError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    if (isClientGone(error, request.raw)) request.log.debug(CLIENT_GONE);
    else super.streamError(error, request, reply);
  }

  override routeNotFound(): void {}
}

/** Writes the line of an answered request: method, path without query, status, milliseconds, client's address. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { method, path } = describeRequest(request);
  const ms = Math.round(reply.elapsedTime * 10) / 10;
  request.log.info({ method, path, status: reply.statusCode, ms, client: request.ip }, 'request');
}

/** Method and path without query of a request. */
export function describeRequest(request: FastifyRequest): { method: string; path: string } {
  const path = request.url.replace(/[?#].*$/s, '');
  // An address in absolute form may carry a user and a password (RFC 9112, section 3.2.2).
  return { method: request.method, path: path.startsWith('/') ? path : '(not a path)' };
}

/** Type, message and stack of an error; its other properties may hold documents, queries and connection settings. */
function describeFault(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const cause = error.cause === undefined ? {} : { cause: describeFault(error.cause) };
  return { type: error.name, message: error.message, stack: error.stack, ...cause };
}

/**
 * Makes the destination of log lines on standard error. A pipe is written as fast as it is read: a
 * slow reader loses lines beyond 1 MiB, but delays neither answers nor the end of the process.
 */
function standardError(): DestinationStream {
  const file = fstatSync(2);
  if (!file.isFIFO() && !file.isSocket()) return pino.destination(2);
  return {
    write: (line) => {
      if (process.stderr.writableLength < MAX_WAITING) process.stderr.write(line);
    },
  };
}
