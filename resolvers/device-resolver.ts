import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';

import { Access } from '../auth/access.ts';
import { type RequestContext, sightOf } from '../auth/caller.ts';
import { DeviceModel } from '../models/device.ts';
import type { Sight } from '../models/tenancy.ts';
import { Device, SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '../schema/device.ts';
import { connectionOf, type Page, pageOf } from '../schema/page.ts';
import { notFound, ServiceError } from '../schema/service-error.ts';

import { badCursor, checkPageSize } from './page-size.ts';

/** A page of devices. */
export const DeviceConnection = connectionOf(Device, 'Device');

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
    const sight = sightOf(caller);
    const size = checkPageSize(first ?? 50);
    const searched = (q ?? '').toLowerCase();
    const start = after == null ? null : await findStart(after, searched, sight);
    const found = await DeviceModel.find(
      {
        status: { $in: ['pending', 'installed'] },
        ...(start ? { _id: { $gte: start._id } } : {}),
        ...(searched ? { serial_folded: { $regex: literalPattern(searched) } } : {}),
      },
      null,
      { sight },
    )
      .sort({ _id: 1 })
      .limit(size + 1)
      .lean();
    return pageOf(found, size, (device) => device.key);
  }

  @Access('account.read')
  @Query(() => Device, { description: 'One device.' })
  async device(
    @Arg('key', () => String, { description: 'Key of the device.' }) key: string,
    @Ctx() { caller }: RequestContext,
  ): Promise<Device> {
    const device = await DeviceModel.findOne({ key }, null, { sight: sightOf(caller) }).lean();
    if (!device) throw notFound('device');
    return device;
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
      { sight: sightOf(caller), returnDocument: 'after' },
    ).lean();
    if (!device) throw notFound('device');
    return device;
  }
}

/** Where a page begins: at a device in sight that the search finds, even if it has been removed since. */
async function findStart(cursor: string, searched: string, sight: Sight) {
  const start = await DeviceModel.findOne({ key: cursor }, { serial_folded: 1 }, { sight }).lean();
  if (!start?.serial_folded.includes(searched)) throw badCursor();
  return start;
}

/** A regular expression that finds a text as it stands. */
function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');
}
