import { ConfigError } from './setting.ts';
import { StartError } from './start-error.ts';

/** Paths that the host answers whatever the addresses are. */
const HOST_PATHS = ['/healthz', '/readyz', '/metrics'];

/**
 * Refuses an address of GraphQL whose path is another thing's. Host names make no difference: all of them share one port
 * and its paths.
 *
 * @throws ConfigError naming GRAPHQL_URL
 */
export function rejectPathInUse({
  graphqlUrl,
  siteUrl,
}: {
  readonly graphqlUrl: string;
  readonly siteUrl: string;
}): void {
  const path = new URL(graphqlUrl).pathname;
  if (HOST_PATHS.includes(path)) {
    throw new ConfigError(`GRAPHQL_URL must have another path than ${HOST_PATHS.join(', ')}; /graphql is free`);
  }
  if (path === `${new URL(siteUrl).pathname.replace(/\/$/, '')}/`) {
    throw new ConfigError('GRAPHQL_URL must have another path than the front page of SITE_URL, such as /graphql');
  }
}

/** The sentence for addresses whose paths were found to collide when the routes were made; null for any other fault. */
export function pathCollisionOf(error: unknown): StartError | null {
  if (!(error instanceof Error && 'code' in error && error.code === 'FST_ERR_DUPLICATED_ROUTE')) return null;
  const path = /route '([^']*)'/.exec(error.message)?.[1] ?? 'of one of them';
  return new StartError(
    `Two addresses lead to the same path ${path}; change the path of GRAPHQL_URL, BASE_URL, AUTH_URL or SITE_URL`,
    { cause: error },
  );
}
