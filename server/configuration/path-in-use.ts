import { ConfigError } from '../../schema/config-error.ts';
import { StartError } from './start-error.ts';

/** Paths that the host serves for every address. */
const HOST_PATHS = ['/healthz', '/readyz', '/metrics'];

/**
 * Rejects a path of GraphQL that is in use, on any host: all share one port.
 *
 * @throws ConfigError naming GRAPHQL_URL
 */
export function rejectPathInUse({ graphqlUrl, siteUrl }: Readonly<Record<'graphqlUrl' | 'siteUrl', string>>): void {
  const path = new URL(graphqlUrl).pathname;
  if (HOST_PATHS.includes(path)) {
    throw new ConfigError(`GRAPHQL_URL must have a path other than ${HOST_PATHS.join(', ')}; /graphql is free`);
  }
  if (path === `${new URL(siteUrl).pathname.replace(/\/$/, '')}/`) {
    throw new ConfigError('GRAPHQL_URL must have a different path from the front page of SITE_URL, such as /graphql');
  }
}

/** The startup error for addresses with the same path; null for any other error of adding routes. */
export function pathCollisionOf(error: unknown): StartError | null {
  if (!(error instanceof Error && 'code' in error && error.code === 'FST_ERR_DUPLICATED_ROUTE')) return null;
  const path = /route '([^']*)'/.exec(error.message)?.[1] ?? 'of one of them';
  return new StartError(
    `Two addresses lead to the same path ${path}; change the path of GRAPHQL_URL, BASE_URL, AUTH_URL or SITE_URL`,
    { cause: error },
  );
}
