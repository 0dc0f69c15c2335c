import type { FastifyInstance } from 'fastify';

/**
 * One way into the service: `/graphql`, an API, a website. An endpoint registers its own routes, hooks, parsers and error
 * handler in a scope of its own, so that endpoints know nothing of each other.
 */
export interface Endpoint {
  /** Names the endpoint in messages of a failed start. */
  readonly name: string;
  /** Adds the routes of this endpoint to its own scope of the host. */
  register(app: FastifyInstance): void | Promise<void>;
}
