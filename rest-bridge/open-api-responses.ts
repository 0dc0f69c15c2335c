import { type JsonSchema, schemaReference } from './open-api-schemas.ts';
import type { RestRoute } from './rest-table.ts';

/** General part of an API description. */
export interface OpenApiInfo {
  readonly title: string;
  /** Version of the API, not of the program. */
  readonly version: string;
  readonly description: string;
  /** `{base_url}`. */
  readonly server: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly scopes: Readonly<Record<string, string>>;
  /** Sentences about endpoints whose paths begin with the same word, by that word in the singular. */
  readonly tags: Readonly<Record<string, string>>;
}

/** The body of an error that has one. Specification: "HTTP API status codes". */
export const ERRORS: JsonSchema = {
  type: 'object',
  description: 'An error.',
  required: ['errors'],
  properties: { errors: { type: 'string', description: 'Error message, which names the parameter.' } },
};

/** A file of RFC 7946. */
export const GEO_JSON: JsonSchema = {
  type: 'object',
  description: 'A GeoJSON object (RFC 7946).',
  required: ['type'],
  properties: { type: { type: 'string', description: '`Feature` or another type of the RFC.' } },
};

const MESSAGE = { 'application/json': { schema: schemaReference('Errors') } };

const REQUEST_ID = { 'X-Request-Id': header('Id of the request in the log.') };
const RETRY_AFTER = { 'Retry-After': header('Seconds after which to try again.', 'integer') };

/** Error responses of the account API. Specification: "HTTP API status codes"; decisions: "Errors". */
export const RESPONSES: Readonly<Record<string, JsonSchema>> = {
  BadRequest: { description: 'The request is invalid.', headers: REQUEST_ID, content: MESSAGE },
  Unauthorized: {
    description: 'No valid credentials; the body is empty.',
    headers: { ...REQUEST_ID, 'WWW-Authenticate': header('Challenge (RFC 6750).') },
  },
  Forbidden: {
    description: 'Plan, scope or groups do not allow it; the body is empty.',
    headers: {
      ...REQUEST_ID,
      'WWW-Authenticate': header('The missing `scope` (RFC 6750), if only a scope is missing.'),
    },
  },
  MethodNotAllowed: {
    description: 'The path does not support the method. The body is empty.',
    headers: { ...REQUEST_ID, Allow: header('The methods that it supports.') },
  },
  Gone: {
    description: 'The cursor is older than the log of changes: begin without one.',
    headers: REQUEST_ID,
    content: MESSAGE,
  },
  NotFound: { description: 'Not found. The body is empty.', headers: REQUEST_ID },
  Conflict: {
    description:
      'The first request with this `Idempotency-Key`, or another change of the record with `If-Match`, is in progress.',
    headers: REQUEST_ID,
    content: MESSAGE,
  },
  PreconditionFailed: { description: 'The record does not match `If-Match`. The body is empty.', headers: REQUEST_ID },
  Unprocessable: {
    description: 'The `Idempotency-Key` was sent with another request.',
    headers: REQUEST_ID,
    content: MESSAGE,
  },
  Timeout: { description: 'The body took longer than 20 seconds to arrive.', headers: REQUEST_ID, content: MESSAGE },
  TooLarge: { description: 'The body is over 1 MiB.', headers: REQUEST_ID, content: MESSAGE },
  TooManyRequests: {
    description: 'Rate limit exceeded; the body is empty.',
    headers: {
      ...REQUEST_ID,
      ...RETRY_AFTER,
      'RateLimit-Policy': header('The limits: `"caller";q=6000;w=60`.'),
      RateLimit: header('Remaining requests, and seconds until they are renewed.'),
    },
  },
  Fault: { description: 'A fault of the service; the body is empty.', headers: REQUEST_ID },
  Unavailable: {
    description: 'The database cannot be reached, or a device is busy; the body is empty.',
    headers: { ...REQUEST_ID, ...RETRY_AFTER },
  },
};

/** Headers of a response that has an entity tag (RFC 9110, section 8.8.3). */
export const ENTITY_TAG: JsonSchema = {
  ETag: header('Names this state of the resource, for `If-None-Match` and `If-Match`.'),
};

/** The response to a GET if the client has the current answer. */
export const NOT_MODIFIED: JsonSchema = {
  description: 'The client has the current response. The body is empty.',
  headers: ENTITY_TAG,
};

/** Error responses of an operation, by status. */
export function errorResponsesOf(operation: {
  readonly takesBody: boolean;
  readonly mayBeAbsent: boolean;
  /** True if it reads a log from a cursor, which may be too old. */
  readonly mayBeGone: boolean;
  /** True if it may have an `Idempotency-Key`. */
  readonly isOnce: boolean;
  /** True if it may have an `If-Match`. */
  readonly isConditional: boolean;
}): JsonSchema {
  return {
    400: reference('BadRequest'),
    401: reference('Unauthorized'),
    403: reference('Forbidden'),
    ...(operation.mayBeAbsent ? { 404: reference('NotFound') } : {}),
    405: reference('MethodNotAllowed'),
    ...(operation.mayBeGone ? { 410: reference('Gone') } : {}),
    ...(operation.takesBody ? { 408: reference('Timeout'), 413: reference('TooLarge') } : {}),
    ...(operation.isOnce || operation.isConditional ? { 409: reference('Conflict') } : {}),
    ...(operation.isOnce ? { 422: reference('Unprocessable') } : {}),
    ...(operation.isConditional ? { 412: reference('PreconditionFailed') } : {}),
    429: reference('TooManyRequests'),
    500: reference('Fault'),
    503: reference('Unavailable'),
  };
}

/** Security requirements of an operation, from its permissions and the other places where it accepts a device's key. */
export function securityOf(access: readonly string[], deviceKey?: RestRoute['deviceKey']): JsonSchema[] {
  if (deviceKey === 'bearer') return [{ deviceKey: [] }];
  if (deviceKey === 'basic') return [{ deviceKeyAsPassword: [] }, { deviceKey: [] }];
  if (deviceKey !== undefined) return [{ deviceKeyAsId: [] }, { deviceKey: [] }];
  if (access.includes('ingest')) return [{ deviceKey: [] }, { forwarderKey: [] }];
  const scopes = access.filter((permission) => permission.includes('.'));
  return scopes.length === 0 ? [{ apiKey: [] }] : [{ apiKey: [] }, { oauth2: scopes }];
}

/** Security schemes of the API. Specification: "Authentication". */
export function securitySchemes(info: OpenApiInfo): JsonSchema {
  return {
    apiKey: { type: 'apiKey', in: 'header', name: 'Service-Api-Key', description: "The account owner's key." },
    oauth2: {
      type: 'oauth2',
      description: 'A third-party app that acts for a user.',
      flows: {
        authorizationCode: {
          authorizationUrl: info.authorizationUrl,
          tokenUrl: info.tokenUrl,
          refreshUrl: info.tokenUrl,
          scopes: info.scopes,
        },
      },
    },
    deviceKey: { type: 'http', scheme: 'bearer', description: "A device's own key, for its own positions." },
    deviceKeyAsPassword: {
      type: 'http',
      scheme: 'basic',
      description: "A device's own key as the password of any user, for apps without support for bearer tokens.",
    },
    deviceKeyAsId: {
      type: 'apiKey',
      in: 'query',
      name: 'id',
      description:
        "A device's own key as its `id`, or as `device_id` of a JSON body, for apps without other authentication.",
    },
    forwarderKey: {
      type: 'http',
      scheme: 'bearer',
      description: "An account's forwarder key, for positions of its devices, which are named by serial.",
    },
  };
}

function header(description: string, type = 'string'): JsonSchema {
  return { description, schema: { type } };
}

function reference(name: string): JsonSchema {
  return { $ref: `#/components/responses/${name}` };
}
