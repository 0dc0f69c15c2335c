import { mergeSchemas } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { buildSchema } from 'type-graphql';

import { guard } from '../auth/access.ts';

import { accountSchema } from './account-schema.ts';
import { IngestResolver } from './ingest/ingest-resolver.ts';

/** The schema of all that is under `{base_url}`: section A, and ingestion, which GraphQL clients have no credentials for. */
export async function accountApiSchema(): Promise<GraphQLSchema> {
  const ingest = guard(await buildSchema({ resolvers: [IngestResolver], validate: false, skipCheck: true }));
  return mergeSchemas({ schemas: [await accountSchema(), ingest] });
}
