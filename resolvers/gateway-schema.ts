import { mergeSchemas } from '@graphql-tools/schema';
import { GraphQLSchema } from 'graphql';
import { buildSchema } from 'type-graphql';

import { guard } from '../auth/access.ts';

import { accountSchema } from './account-schema.ts';
import { ApiKeyResolver } from './account/api-key-resolver.ts';
import { AppGrantResolver } from './apps/app-grant-resolver.ts';
import { AppResolver } from './apps/app-resolver.ts';
import { PrivacyZoneResolver } from './privacy-zones/privacy-zone-resolver.ts';
import { SecurityEventResolver } from './security/security-event-resolver.ts';
import { TripResolver } from './trips/trip-resolver.ts';
import { VehicleResolver } from './vehicles/vehicle-resolver.ts';

/** Resolvers beyond section A of the specification: vehicles, trips, and the owner's keys, apps, zones and security log. */
export const FURTHER_RESOLVERS = [
  VehicleResolver,
  TripResolver,
  ApiKeyResolver,
  AppResolver,
  AppGrantResolver,
  PrivacyZoneResolver,
  SecurityEventResolver,
] as const;

/**
 * The gateway's schema: section A of the specification, and the resolvers beyond it.
 *
 * Its root types are named, and it is described, so that it is printed with them: otherwise merging, and whoever reads
 * the printed schema, takes the record `Subscription` for the root type of subscriptions. A real one gets another name.
 */
export async function gatewaySchema(): Promise<GraphQLSchema> {
  const further = guard(await buildSchema({ resolvers: [...FURTHER_RESOLVERS], validate: false }));
  const merged = mergeSchemas({ schemas: [await accountSchema(), further] });
  const description = 'Vehicle telemetry: an account, its devices and vehicles, and their trips.';
  return new GraphQLSchema({ ...merged.toConfig(), description, subscription: undefined });
}
