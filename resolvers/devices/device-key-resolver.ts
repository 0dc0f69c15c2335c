import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { issueIngestKey, revokeIngestKey } from '../../auth/ingest-keys.ts';
import { ownerIn } from '../../auth/security-events.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { IngestKeyStore } from '../../models/vehicles/ingest-key.ts';
import { IngestKey, IssuedDeviceKey, SecretKeyChange } from '../../schema/account/api-key.ts';
import { Deletion } from '../../schema/deletion.ts';
import { connectionOf, type Page, PageArgs } from '../../schema/page.ts';
import { notFound } from '../../schema/service-error.ts';

import { shownRecord } from '../../models/lookup/shown-record.ts';
import { nameOf, renameKey } from '../../models/account/rename-key.ts';
import { creationPage } from '../../models/lists/creation-page.ts';

const IngestKeyConnection = connectionOf(IngestKey, 'IngestKey');

/** The keys with which devices send their positions. */
@Resolver()
export class DeviceKeyResolver {
  @Access('owner')
  @Query(() => IngestKeyConnection, {
    nullable: true,
    description: 'The keys of a device, without their secrets, in order of creation.',
  })
  async deviceKeys(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('device_key', () => String, { description: 'Key of the device.' }) device_key: string,
    @Ctx() context: RequestContext,
  ): Promise<Page<IngestKey>> {
    const search = await holderIn(context, device_key);
    return creationPage(IngestKeyStore, { accessScope: accessScopeOf(context), ...page, search });
  }

  @Access('owner')
  @Query(() => IngestKey, { nullable: true, description: 'One key of a device, without its secret.' })
  async deviceKey(
    @Arg('key', () => String, { description: 'The `key` with which it was issued.' }) key: string,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<IngestKey> {
    const filter = { key, device_key: { $ne: null } };
    return shownRecord(IngestKeyStore, { accessScope: accessScopeOf({ service, caller }), filter }, 'device key');
  }

  @Access('owner')
  @Mutation(() => IssuedDeviceKey, {
    description: 'Issues a key with which a device sends its positions. Its secret is shown only once.',
  })
  async issueDeviceKey(
    @Arg('device_key', () => String, { description: 'Key of the device.' }) device_key: string,
    @Arg('name', () => String, { nullable: true, description: 'Display name, 1 to 255 characters.' })
    name: string | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<IssuedDeviceKey> {
    const made = { ...(await holderIn(context, device_key)), name: nameOf(name) ?? null };
    const { key, secret } = await issueIngestKey(context.service, made, ownerIn(context));
    return { key, secret };
  }

  @Access('owner')
  @Mutation(() => IngestKey, { description: 'Updates a device key. Omitted fields stay unchanged.' })
  updateDeviceKey(
    @Arg('key', () => String, { description: 'The `key` with which it was issued.' }) key: string,
    @Arg('input', () => SecretKeyChange, { description: 'The fields to change.' }) input: SecretKeyChange,
    @Ctx() { service, caller }: RequestContext,
  ): Promise<IngestKey> {
    const which = { accessScope: accessScopeOf({ service, caller }), filter: { key, device_key: { $ne: null } } };
    return renameKey(IngestKeyStore, { ...which, noun: 'device key' }, input);
  }

  @Access('owner')
  @Mutation(() => Deletion, { description: 'Revokes a device key immediately: lists show it as revoked. Idempotent.' })
  async deleteDeviceKey(
    @Arg('key', () => String, { description: 'The `key` with which it was issued.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    const isThere = await revokeIngestKey(context.service, key, 'device', accessScopeOf(context), ownerIn(context));
    if (!isThere) throw notFound('device key');
    return { key, deleted: true };
  }
}

/** @throws ServiceError NOT_FOUND for a device that is not in the access scope */
async function holderIn({ service, caller }: RequestContext, device_key: string) {
  const accessScope = accessScopeOf({ service, caller });
  const isThere = await DeviceStore.countDocuments(accessScope, { key: device_key });
  if (isThere === 0) throw notFound('device');
  return { account_key: accessScope.account_key, device_key };
}
