import type { GraphQLSchema } from 'graphql';
import { buildSchema } from 'type-graphql';

import { guard } from '../auth/access.ts';

import { AccountResolver } from './account-resolver.ts';
import { DeviceResolver } from './device-resolver.ts';
import { GroupResolver } from './group-resolver.ts';
import { SubscriptionResolver } from './subscription-resolver.ts';

/** The schema of the account REST API: section A of the specification, no field more. */
export async function accountSchema(): Promise<GraphQLSchema> {
  return guard(
    await buildSchema({
      resolvers: [AccountResolver, SubscriptionResolver, DeviceResolver, GroupResolver],
      validate: false,
    }),
  );
}
