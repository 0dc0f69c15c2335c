import type { FastifyInstance } from 'fastify';

/**
 * One way into the service: `/graphql`, an API, a website. A door registers its own routes, hooks, parsers and error
 * handler in a scope of its own, so that doors know nothing of each other.
 */
export interface Door {
  /** Names the door in messages of a failed start. */
  readonly name: string;
  /** Adds the routes of this door to its own scope of the host. */
  register(app: FastifyInstance): void | Promise<void>;
}
