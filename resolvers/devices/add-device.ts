import { DeviceModel } from '../../models/vehicles/device.ts';
import { newKey } from '../../models/key.ts';
import { SubscriptionModel } from '../../models/account/subscription.ts';
import type { AccessScope } from '../../models/tenancy.ts';
import { serialFields } from '../../models/vehicles/serial-grams.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';
import { DEVICE_STATUSES } from '../../schema/vehicles/device.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { checkChoice, checkName } from '../input/check-name.ts';
import { existingAccountScope } from '../input/any-record.ts';
import { groupMembership } from '../groups/group-membership.ts';
import { insertUnique } from '../../models/duplicate-key.ts';
import { unknownKey } from '../input/unknown-key.ts';

/** A new device, as the operator describes it. */
export interface DeviceRequest {
  readonly account: string;
  /** Unique in the account, ignoring case. */
  readonly serial: string;
  readonly vehicle?: string;
  readonly groups: readonly string[];
  /** By default `installed` in a vehicle, else `pending`. */
  readonly status?: string;
  /** By default the account's oldest active subscription, if it has one. */
  readonly subscription?: string;
}

/** Adds a device to an account. Answers the key of the device. */
export async function addDevice(request: DeviceRequest): Promise<string> {
  const serial = checkName('serial', request.serial);
  const defaultStatus = request.vehicle === undefined ? 'pending' : 'installed';
  const status = checkChoice('status', DEVICE_STATUSES, request.status ?? defaultStatus);
  const accessScope = await existingAccountScope(request.account);
  const groups = await groupMembership(request.groups, accessScope);
  const device = {
    key: newKey(),
    ...serialFields(serial),
    status,
    vehicle_key: await vehicleKeyOf(request, accessScope),
    last_transmission: null,
    subscription_status: 'active' as const,
    account_key: accessScope.account_key,
    subscription_key: await subscriptionKeyOf(request, accessScope),
    ...groups,
  };
  await insertUnique(
    () => DeviceModel.create([device]),
    () => new ServiceError('BAD_REQUEST', `serial ${JSON.stringify(serial)} is taken by another device of the account`),
  );
  return device.key;
}

async function vehicleKeyOf({ vehicle: key }: DeviceRequest, accessScope: AccessScope): Promise<string | null> {
  if (key === undefined) return null;
  if ((await VehicleModel.countDocuments({ key }, { accessScope })) === 0) {
    throw unknownKey('vehicle', 'a vehicle of the account', key);
  }
  return key;
}

async function subscriptionKeyOf(
  { subscription: key }: DeviceRequest,
  accessScope: AccessScope,
): Promise<string | null> {
  const filter = key === undefined ? { status: 'active' } : { key };
  const found = await SubscriptionModel.findOne(filter, { key: 1 }, { accessScope }).sort({ _id: 1 }).lean();
  if (!found && key !== undefined) throw unknownKey('subscription', 'a subscription of the account', key);
  return found?.key ?? null;
}
