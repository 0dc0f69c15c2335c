import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { issueIngestKey, revokeIngestKey } from '../../auth/ingest-keys.ts';
import { ownerIn } from '../../auth/security-events.ts';
import { IngestKeyStore } from '../../models/vehicles/ingest-key.ts';
import { ForwarderKey, IssuedForwarderKey, SecretKeyChange } from '../../schema/account/api-key.ts';
import { Deletion } from '../../schema/deletion.ts';
import { connectionOf, type Page, PageArgs } from '../../schema/page.ts';
import { notFound } from '../../schema/service-error.ts';

import { shownRecord } from '../../models/lookup/shown-record.ts';
import { nameOf, renameKey } from '../../models/account/rename-key.ts';
import { creationPage } from '../../models/lists/creation-page.ts';

const ForwarderKeyConnection = connectionOf(ForwarderKey, 'ForwarderKey');

/** The keys with which servers forward positions of the account's devices. */
@Resolver()
export class ForwarderKeyResolver {
  @Access('owner')
  @Query(() => ForwarderKeyConnection, {
    description: "The account's forwarder keys, without their secrets, in order of creation.",
  })
  forwarderKeys(@Args(() => PageArgs) page: PageArgs, @Ctx() context: RequestContext): Promise<Page<ForwarderKey>> {
    const accessScope = accessScopeOf(context);
    const search = holderIn(context);
    return creationPage(IngestKeyStore, { accessScope, ...page, search, hidden: ['creates_devices'] });
  }

  @Access('owner')
  @Query(() => ForwarderKey, { nullable: true, description: 'One forwarder key, without its secret.' })
  async forwarderKey(
    @Arg('key', () => String, { description: 'The `key` with which it was issued.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<ForwarderKey> {
    const query = { accessScope: accessScopeOf({ service, caller }), filter: { key, device_key: null } };
    return shownRecord(IngestKeyStore, { ...query, hidden: ['creates_devices'] }, 'forwarder key');
  }

  @Access('owner', 'recent-sign-in')
  @Mutation(() => IssuedForwarderKey, {
    description:
      "Issues a key for a server that forwards positions of the account's devices. Its secret is shown only " + 'once.',
  })
  async issueForwarderKey(
    @Arg('creates_devices', () => Boolean, {
      defaultValue: false,
      description: 'True to create unknown devices, each in a new vehicle of the same name.',
    })
    creates_devices: boolean,
    @Arg('name', () => String, { nullable: true, description: 'Display name, 1 to 255 characters.' })
    name: string | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<IssuedForwarderKey> {
    const made = { ...holderIn(context), creates_devices, name: nameOf(name) ?? null };
    const { key, secret } = await issueIngestKey(context.service, made, ownerIn(context));
    return { key, secret };
  }

  @Access('owner', 'recent-sign-in')
  @Mutation(() => ForwarderKey, { description: 'Updates a forwarder key. Omitted fields stay unchanged.' })
  updateForwarderKey(
    @Arg('key', () => String, { description: 'The `key` with which it was issued.' }) key: string,
    @Arg('input', () => SecretKeyChange, { description: 'The fields to change.' }) input: SecretKeyChange,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<ForwarderKey> {
    const which = { accessScope: accessScopeOf({ service, caller }), filter: { key, device_key: null } };
    return renameKey(IngestKeyStore, { ...which, noun: 'forwarder key' }, input);
  }

  @Access('owner')
  @Mutation(() => Deletion, {
    description: 'Revokes a forwarder key immediately: lists show it as revoked. Idempotent.',
  })
  async deleteForwarderKey(
    @Arg('key', () => String, { description: 'The `key` with which it was issued.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    const isThere = await revokeIngestKey(context.service, key, 'forwarder', accessScopeOf(context), ownerIn(context));
    if (!isThere) throw notFound('forwarder key');
    return { key, deleted: true };
  }
}

function holderIn({ service, caller }: RequestContext) {
  return { account_key: accessScopeOf({ service, caller }).account_key, device_key: null };
}
