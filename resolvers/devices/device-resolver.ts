import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../../auth/access.ts';
import { type Caller, type RequestContext, accessScopeOf } from '../../auth/caller.ts';
import { readOneShown } from '../../models/read-shown.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import {
  Device,
  PRESENT_STATUSES,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from '../../schema/vehicles/device.ts';
import { connectionOf, type Page } from '../../schema/page.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';

import { creationPage } from '../pages/creation-page.ts';
import { type PresentedDevice, presentDevices } from './device-presence.ts';
import { serialSearch } from './serial-search.ts';

const DeviceConnection = connectionOf(Device, 'Device');

/** Hardware in the account's vehicles. */
@Resolver()
export class DeviceResolver {
  @Access('account.read')
  @Query(() => DeviceConnection, { description: 'Pending and installed devices, in order of creation.' })
  async devices(
    @Arg('q', () => String, { nullable: true, description: 'Any part of a serial; letter case does not matter.' })
    q: string | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 50, description: 'Size of the page, 1 to 1000.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The `end_cursor` of the page before.' })
    after: string | undefined,
    @Ctx() { caller }: RequestContext,
  ): Promise<Page<Device>> {
    const { nodes, page_info } = await creationPage(DeviceModel, {
      accessScope: accessScopeOf(caller),
      first: first ?? 50,
      after,
      search: serialSearch(q ?? ''),
      listed: { status: { $in: PRESENT_STATUSES } },
      hidden: ['seen_outside'],
    });
    return { nodes: await presentDevices(caller, nodes), page_info };
  }

  @Access('account.read')
  @Query(() => Device, { description: 'One device.' })
  async device(
    @Arg('key', () => String, { description: 'Key of the device.' }) key: string,
    @Ctx() { caller }: RequestContext,
  ): Promise<Device> {
    const query = { accessScope: accessScopeOf(caller), filter: { key }, hidden: ['seen_outside'] as const };
    return shownTo(caller, await readOneShown(DeviceModel, query));
  }

  @Access('devices.manage')
  @Mutation(() => Device, { description: 'Marks a device Do Not Renew, or takes the mark away. Repeating it is fine.' })
  async updateDevice(
    @Arg('key', () => String, { description: 'Key of the device.' }) key: string,
    @Arg('subscription_status', () => String, { description: '`canceled` marks Do Not Renew, `active` un-cancels.' })
    subscription_status: string,
    @Ctx() { caller }: RequestContext,
  ): Promise<Device> {
    if (!SUBSCRIPTION_STATUSES.includes(subscription_status as SubscriptionStatus)) {
      throw new ServiceError('BAD_REQUEST', 'subscription_status must be active or canceled');
    }
    const device = await DeviceModel.findOneAndUpdate(
      { key },
      { subscription_status: subscription_status as SubscriptionStatus },
      { accessScope: accessScopeOf(caller), returnDocument: 'after' },
    ).lean();
    return shownTo(caller, device);
  }
}

async function shownTo(caller: Caller, found: PresentedDevice | null): Promise<Device> {
  const [device] = await presentDevices(caller, found ? [found] : []);
  if (!device) throw notFound('device');
  return device;
}
