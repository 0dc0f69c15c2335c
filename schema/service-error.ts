import { GraphQLError } from 'graphql';

/** Every deliberate refusal of the service, and the one map from it to an HTTP status. */
export const HTTP_STATUS = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  TOO_MANY_REQUESTS: 429,
  SERVICE_UNAVAILABLE: 503,
} as const;

/** A code of {@link HTTP_STATUS}. */
export type ErrorCode = keyof typeof HTTP_STATUS;

/**
 * A deliberate refusal: GraphQL shows message and code, Apollo Server and SOFA read `extensions.http.status`. Whatever
 * else is thrown is a fault of the service, logged and masked.
 */
export class ServiceError extends GraphQLError {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message, { extensions: { code, http: { status: HTTP_STATUS[code] } } });
    this.name = 'ServiceError';
    this.code = code;
  }
}

/** Error for an object that is absent or outside the caller's access scope; clients must not be able to tell which. */
export function notFound(kind: string): ServiceError {
  return new ServiceError('NOT_FOUND', `No such ${kind}`);
}
