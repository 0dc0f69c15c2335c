import type { GraphQLSchema } from 'graphql';
import { buildSchema } from 'type-graphql';

import { guard } from '../auth/access.ts';

import { ACCOUNT_RESOLVERS } from './account-schema.ts';
import { FURTHER_RESOLVERS } from './gateway-schema.ts';
import { IngestResolver } from './ingest/ingest-resolver.ts';
import { TripExportResolver } from './trip-export/trip-export-resolver.ts';

/**
 * The schema of all that may have a path under `{base_url}`: the resolvers of the gateway, and those that have no place in
 * GraphQL: ingestion, whose keys open nothing there, and trips as files.
 */
export async function restSchema(): Promise<GraphQLSchema> {
  const resolvers = [...ACCOUNT_RESOLVERS, ...FURTHER_RESOLVERS, IngestResolver, TripExportResolver] as const;
  return guard(await buildSchema({ resolvers, validate: false }));
}
