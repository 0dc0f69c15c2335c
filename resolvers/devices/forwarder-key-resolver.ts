import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { issueIngestKey, listIngestKeys, revokeIngestKey } from '../../auth/ingest-keys.ts';
import { ownerIn } from '../../auth/security-events.ts';
import { ForwarderKey, IssuedForwarderKey } from '../../schema/account/api-key.ts';
import { notFound } from '../../schema/service-error.ts';

/** The keys with which servers forward positions of the account's devices. */
@Resolver()
export class ForwarderKeyResolver {
  @Access('owner')
  @Query(() => [ForwarderKey], {
    description: "The account's forwarder keys, without their secrets, in order of creation.",
  })
  forwarderKeys(@Ctx() context: RequestContext): Promise<ForwarderKey[]> {
    return listIngestKeys(holderIn(context));
  }

  @Access('owner')
  @Mutation(() => IssuedForwarderKey, {
    description:
      "Issues a key to a server that forwards positions of the account's devices; its secret is shown this once.",
  })
  async issueForwarderKey(
    @Arg('creates_devices', () => Boolean, {
      defaultValue: false,
      description: 'Whether to make devices that the account does not have, each in a vehicle with its name.',
    })
    creates_devices: boolean,
    @Ctx() context: RequestContext,
  ): Promise<IssuedForwarderKey> {
    const { key, secret } = await issueIngestKey({ ...holderIn(context), creates_devices }, ownerIn(context));
    return { key, forwarder_key_secret: secret };
  }

  @Access('owner')
  @Mutation(() => Boolean, { description: 'Revokes a forwarder key immediately; repeating it is fine. Always true.' })
  async revokeForwarderKey(
    @Arg('key', () => String, { description: 'The `key` with which it was issued.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<boolean> {
    const isThere = await revokeIngestKey(key, 'forwarder', accessScopeOf(context.caller), ownerIn(context));
    if (!isThere) throw notFound('forwarder key');
    return true;
  }
}

function holderIn({ caller }: RequestContext) {
  return { account_key: accessScopeOf(caller).account_key, device_key: null };
}
