import type { GraphQLSchema } from 'graphql';
import { buildSchema } from 'type-graphql';

import { guard } from '../auth/access.ts';
import { PublicKeyResolver } from './tokens/public-key-resolver.ts';
import { TripTokenResolver } from './tokens/trip-token-resolver.ts';

/** The schema of the special-purpose token endpoint and of its public keys; it stays out of the gateway, for its secrets are not for pages. */
export async function tokenSchema(): Promise<GraphQLSchema> {
  return guard(await buildSchema({ resolvers: [TripTokenResolver, PublicKeyResolver], validate: false }));
}
