import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';

import { HTTP_STATUS, ServiceError } from '../../schema/service-error.ts';

import { isDatabaseUnreachable } from '../../http/answers/database-unreachable.ts';
import { isOutOfDescriptors } from '../../http/answers/file-descriptors.ts';
import { GRAPHQL_LIMITS } from './graphql-limits.ts';

/** GraphQL's and Apollo Server's own codes for a fault of the request. */
const REQUEST_FAULTS = new Set<unknown>([
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

/** Codes that apply to the whole request, wherever they occur in its answer. */
const ENDING_CODES = ['UNAUTHENTICATED', 'TOO_MANY_REQUESTS'] as const;

/** Kind of an error: deliberate, GraphQL's objection to the request, an unreachable dependency, or a fault of the service. */
type ErrorKind = 'rejection' | 'request' | 'unreachable' | 'fault';

/** Classifies an error that graphql-js or Apollo Server reports. */
export function errorKindOf(error: unknown): ErrorKind {
  if (isDatabaseUnreachable(error)) return 'unreachable';
  if (isRejection(error)) return 'rejection';
  if (isRequestFault(error) || isArgumentFault(error)) return 'request';
  return isOutOfDescriptors(originalOf(error)) ? 'unreachable' : 'fault';
}

/** Error of a resolver, which GraphQL wraps without naming it as a cause. */
function originalOf(error: unknown): unknown {
  return (error instanceof GraphQLError && error.originalError) || error;
}

function isRejection(error: unknown): boolean {
  return originalOf(error) instanceof ServiceError;
}

/** Apollo Server's errors of automatic persisted queries have a status, and no code. */
function isRequestFault(error: unknown): boolean {
  if (!(error instanceof GraphQLError)) return false;
  return REQUEST_FAULTS.has(error.extensions.code) || Object(error.extensions.http).status === HTTP_STATUS.BAD_REQUEST;
}

/** An argument that only execution could check: graphql-js reports it like a resolver's error, but with its location. */
function isArgumentFault(error: unknown): boolean {
  const original = error instanceof GraphQLError ? error.originalError : undefined;
  return original instanceof GraphQLError && original.nodes !== undefined && original.message.startsWith('Argument "');
}

/** Formats an error for a client: its message, place and code, or a generic message for a fault of the service. */
export function showError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const { message, extensions, ...place } = formatted;
  switch (errorKindOf(error)) {
    case 'rejection':
      return { ...place, message, extensions: { code: extensions?.code } };
    case 'request':
      return { ...place, message: inOurWords(message), extensions: { code: requestCode(extensions?.code) } };
    case 'unreachable':
      return { ...place, ...graphqlError('SERVICE_UNAVAILABLE', 'The service is unavailable; try again later') };
    case 'fault':
      return { ...place, ...graphqlError('INTERNAL_SERVER_ERROR', 'Internal server error') };
  }
}

/** An error of an answer's `errors`. */
export function graphqlError(code: string, message: string): GraphQLFormattedError {
  return { message, extensions: { code } };
}

/**
 * The HTTP status of an answer with errors; undefined leaves that of Apollo Server. A fault of the service is 500 or 503, rejected
 * credentials are 401, work beyond a budget is 429; else an answer with data is 200, unless all of its root fields failed with one code.
 */
export function statusOf(errors: readonly GraphQLError[], data: ExecutionResult['data']): number | undefined {
  const kinds = new Set(errors.map(errorKindOf));
  if (kinds.has('unreachable')) return 503;
  if (kinds.has('fault')) return 500;
  const codes = new Set(errors.map(({ extensions }) => extensions.code));
  const ending = ENDING_CODES.find((code) => codes.has(code));
  if (ending !== undefined) return HTTP_STATUS[ending];
  if (data && !(codes.size === 1 && isFailed(data, errors))) return 200;
  if (!kinds.has('request') || kinds.has('rejection') || errors.some(isMethodFault)) return undefined;
  return HTTP_STATUS.BAD_REQUEST;
}

/** Apollo Server's error for an operation that GET does not support has a status. */
function isMethodFault({ extensions }: GraphQLError): boolean {
  return Object(extensions.http).status === 405;
}

/** Returns true if an error made each root field null. */
function isFailed(data: Readonly<Record<string, unknown>>, errors: readonly GraphQLError[]): boolean {
  const failed = new Set(errors.map(({ path }) => path?.[0]));
  return Object.entries(data).every(([name, value]) => value === null && failed.has(name));
}

function requestCode(code: unknown): unknown {
  return REQUEST_FAULTS.has(code) ? code : 'BAD_USER_INPUT';
}

function inOurWords(message: string): string {
  if (/^Syntax Error: Document contains more tha[nt] \d+ tokens/.test(message)) {
    return `The document has more than ${GRAPHQL_LIMITS.tokens} tokens, the maximum`;
  }
  return message === 'Validation aborted.' ? 'The operation repeats too many fields to be checked' : message;
}
