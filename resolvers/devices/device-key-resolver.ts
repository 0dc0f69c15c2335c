import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { issueIngestKey, revokeIngestKey } from '../../auth/ingest-keys.ts';
import { ownerIn } from '../../auth/security-events.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { IngestKeyModel } from '../../models/vehicles/ingest-key.ts';
import { IngestKey, IssuedDeviceKey } from '../../schema/account/api-key.ts';
import { connectionOf, type Page } from '../../schema/page.ts';
import { notFound } from '../../schema/service-error.ts';

import { creationPage } from '../pages/creation-page.ts';
import { PageArgs } from '../pages/page-args.ts';

const IngestKeyConnection = connectionOf(IngestKey, 'IngestKey');

/** The keys with which devices send their positions. */
@Resolver()
export class DeviceKeyResolver {
  @Access('owner')
  @Query(() => IngestKeyConnection, {
    description: 'The keys of a device, without their secrets, in order of creation.',
  })
  async deviceKeys(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('device_key', () => String, { description: 'Key of the device.' }) device_key: string,
    @Ctx() context: RequestContext,
  ): Promise<Page<IngestKey>> {
    const search = await holderIn(context, device_key);
    return creationPage(IngestKeyModel, { accessScope: accessScopeOf(context.caller), ...page, search });
  }

  @Access('owner')
  @Mutation(() => IssuedDeviceKey, {
    description: 'Issues a key with which a device sends its positions; its secret is shown this once.',
  })
  async issueDeviceKey(
    @Arg('device_key', () => String, { description: 'Key of the device.' }) device_key: string,
    @Ctx() context: RequestContext,
  ): Promise<IssuedDeviceKey> {
    const { key, secret } = await issueIngestKey(await holderIn(context, device_key), ownerIn(context));
    return { key, device_key_secret: secret };
  }

  @Access('owner')
  @Mutation(() => Boolean, { description: 'Revokes a key of a device immediately; repeating it is fine. Always true.' })
  async revokeDeviceKey(
    @Arg('key', () => String, { description: 'The `key` with which it was issued.' }) key: string,
    @Ctx() context: RequestContext,
  ): Promise<boolean> {
    const isThere = await revokeIngestKey(key, 'device', accessScopeOf(context.caller), ownerIn(context));
    if (!isThere) throw notFound('device key');
    return true;
  }
}

/** @throws ServiceError NOT_FOUND for a device that is not in the access scope */
async function holderIn({ caller }: RequestContext, device_key: string) {
  const accessScope = accessScopeOf(caller);
  const isThere = await DeviceModel.countDocuments({ key: device_key }, { accessScope });
  if (isThere === 0) throw notFound('device');
  return { account_key: accessScope.account_key, device_key };
}
