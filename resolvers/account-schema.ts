import type { GraphQLSchema } from 'graphql';
import { buildSchema } from 'type-graphql';

import { guard } from '../auth/access.ts';

import { AccountResolver } from './account/account-resolver.ts';
import { DeviceResolver } from './devices/device-resolver.ts';
import { GroupResolver } from './groups/group-resolver.ts';
import { IngestResolver } from './ingest/ingest-resolver.ts';
import { SubscriptionResolver } from './subscriptions/subscription-resolver.ts';

const RESOLVERS = [AccountResolver, SubscriptionResolver, DeviceResolver, GroupResolver] as const;

/** The schema of section A of the specification, no field more. */
export async function accountSchema(): Promise<GraphQLSchema> {
  return guard(await buildSchema({ resolvers: [...RESOLVERS], validate: false }));
}

/** The schema of all that is under `{base_url}`: section A, and ingestion, whose keys open nothing in GraphQL. */
export async function accountApiSchema(): Promise<GraphQLSchema> {
  return guard(await buildSchema({ resolvers: [...RESOLVERS, IngestResolver], validate: false }));
}
