import type { GraphQLSchema } from 'graphql';
import { buildSchema } from 'type-graphql';

import { guard } from '../auth/access.ts';

import { AccountResolver } from './account/account-resolver.ts';
import { DeviceResolver } from './devices/device-resolver.ts';
import { GroupResolver } from './groups/group-resolver.ts';
import { SubscriptionResolver } from './subscriptions/subscription-resolver.ts';

/** Resolvers of section A of the specification. */
export const ACCOUNT_RESOLVERS = [AccountResolver, SubscriptionResolver, DeviceResolver, GroupResolver] as const;

/** The schema of section A of the specification, no field more. */
export async function accountSchema(): Promise<GraphQLSchema> {
  return guard(await buildSchema({ resolvers: [...ACCOUNT_RESOLVERS], validate: false }));
}
