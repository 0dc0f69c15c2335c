import type { FastifyInstance } from 'fastify';

/**
 * One interface of the service: `/graphql`, an API, a website. An endpoint registers its routes, hooks, parsers and error
 * handler in a separate Fastify scope, so that endpoints are independent of each other.
 */
export interface Endpoint {
  /** Names the endpoint in messages about a failed start. */
  readonly name: string;
  /** Adds the routes of this endpoint to its own scope of the host. */
  register(app: FastifyInstance): void | Promise<void>;
}
