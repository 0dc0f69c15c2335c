import { mergeSchemas } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { buildSchema } from 'type-graphql';

import { guard } from '../auth/access.ts';

import { accountSchema } from './account-schema.ts';
import { ApiKeyResolver } from './api-key-resolver.ts';
import { AppGrantResolver } from './app-grant-resolver.ts';
import { AppResolver } from './app-resolver.ts';
import { PrivacyZoneResolver } from './privacy-zone-resolver.ts';
import { SecurityEventResolver } from './security-event-resolver.ts';
import { TripResolver } from './trip-resolver.ts';
import { VehicleResolver } from './vehicle-resolver.ts';

/** What only GraphQL clients reach: vehicles, trips and the owner's own keys. */
async function graphqlOnlySchema(): Promise<GraphQLSchema> {
  return guard(
    await buildSchema({
      resolvers: [
        VehicleResolver,
        TripResolver,
        ApiKeyResolver,
        AppResolver,
        AppGrantResolver,
        PrivacyZoneResolver,
        SecurityEventResolver,
      ],
      validate: false,
    }),
  );
}

/** The gateway's schema: the account API's, and what only GraphQL clients reach. */
export async function gatewaySchema(): Promise<GraphQLSchema> {
  return mergeSchemas({ schemas: [await accountSchema(), await graphqlOnlySchema()] });
}
