import { newKey } from '../../models/key.ts';
import { BillingSubscriptionStore } from '../../models/account/billing-subscription.ts';
import { insertUnique } from '../../models/store/duplicate-key.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { DeviceStore, type StoredDevice } from '../../models/vehicles/device.ts';
import { serialFields } from '../../models/vehicles/serial-grams.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import type { Deletion } from '../../schema/deletion.ts';
import { notFound, ServiceError } from '../../schema/service-error.ts';
import { DeviceStatus } from '../../schema/vehicles/device.ts';
import { GRACE_DAYS } from '../../tracking/retention/delete-record.ts';
import { type GroupMembership, groupMembership } from '../../models/groups/group-membership.ts';
import { checkName, checkChoice } from '../../schema/check-name.ts';
import { unknownKey } from '../../models/lookup/unknown-key.ts';
import { knownVehicle, moveDevice, putBack } from './move-device.ts';
import { existingAccountScope } from '../../models/lookup/any-record.ts';
import type { Service } from '../../models/store/service.ts';

const DAY_MS = 86_400_000;

/** A new device. */
export interface NewDevice {
  /** Unique in the account, ignoring case. */
  readonly serial: string;
  readonly vehicle_key?: string | null | undefined;
  /** By default `installed` in a vehicle, else `pending`. */
  readonly status?: DeviceStatus | undefined;
  /** By default the account's oldest active subscription, if it has one. */
  readonly subscription_key?: string | undefined;
  /** By default the groups of its vehicle. */
  readonly groups?: GroupMembership | undefined;
}

/**
 * Makes a device, in the groups of its vehicle.
 * @throws ServiceError BAD_REQUEST naming a parameter; FORBIDDEN for a user restricted to groups who names no vehicle
 */
export async function createDevice(accessScope: AccessScope, made: NewDevice): Promise<StoredDevice> {
  const serial = checkName('serial', made.serial);
  const { vehicle_key = null, status = vehicle_key === null ? 'pending' : 'installed' } = made;
  if (vehicle_key === null && accessScope.group_keys !== null) {
    throw new ServiceError(
      'FORBIDDEN',
      'A user restricted to groups can create devices only in vehicles of these groups',
    );
  }
  const vehicle = vehicle_key === null ? null : await VehicleStore.findOne(accessScope, { key: vehicle_key });
  if (vehicle_key !== null && !vehicle) throw unknownKey('vehicle_key', 'a vehicle of the account', vehicle_key);
  const { group_keys, group_path } = made.groups ?? vehicle ?? { group_keys: [], group_path: [] };
  const device = {
    key: newKey(),
    ...serialFields(serial),
    status,
    vehicle_key,
    last_transmission: null,
    subscription_status: 'active' as const,
    account_key: accessScope.account_key,
    subscription_key: await subscriptionKey(made.subscription_key, accessScope),
    group_keys: [...group_keys],
    group_path: [...group_path],
  };
  return insertUnique(
    () => DeviceStore.create(accessScope, device),
    () => new ServiceError('BAD_REQUEST', `serial ${JSON.stringify(serial)} is taken by another device of the account`),
  );
}

/** Fields of a device that its account sets; omitted fields stay unchanged. */
export interface DeviceChange {
  readonly subscription_status?: StoredDevice['subscription_status'] | undefined;
  /** Null takes it out of its vehicle. */
  readonly vehicle_key?: string | null | undefined;
}

/**
 * Changes a device.
 * @throws ServiceError NOT_FOUND; BAD_REQUEST naming `vehicle_key`
 */
export async function updateDevice(
  accessScope: AccessScope,
  key: string,
  { subscription_status, vehicle_key }: DeviceChange,
): Promise<void> {
  const device = await movedDevice(accessScope, key);
  if (vehicle_key !== undefined) {
    if (device.status === 'removed')
      throw new ServiceError('BAD_REQUEST', 'vehicle_key has no effect: the device is removed');
    if (vehicle_key !== null) await knownVehicle('vehicle_key', vehicle_key, accessScope);
    await moveDevice(accessScope.service, device, vehicle_key, {
      status: vehicle_key === null ? 'pending' : 'installed',
    });
  }
  if (subscription_status !== undefined) {
    await DeviceStore.updateOne(accessScope, { key }, { subscription_status });
  }
}

/**
 * Removes a device: it is taken out of its vehicle, and what it sends is refused. Idempotent.
 * @throws ServiceError NOT_FOUND
 */
export async function removeDevice(accessScope: AccessScope, key: string): Promise<Deletion> {
  const device = await movedDevice(accessScope, key);
  if (device.deleted_at === null)
    await moveDevice(accessScope.service, device, null, { status: 'removed', deleted_at: new Date() }, true);
  return { key, deleted: true };
}

/**
 * Restores a removed device into the vehicle in which it was, if the caller sees that. Idempotent.
 * @throws ServiceError NOT_FOUND if it was removed too long ago
 */
export async function restoreDevice(accessScope: AccessScope, key: string): Promise<void> {
  const device = await movedDevice(accessScope, key);
  if (device.deleted_at === null) return;
  if (device.deleted_at.getTime() < Date.now() - GRACE_DAYS * DAY_MS) throw notFound('device');
  const { vehicle_key = null } = device.left ?? {};
  const isThere = vehicle_key !== null && (await VehicleStore.countDocuments(accessScope, { key: vehicle_key })) > 0;
  await putBack(accessScope.service, device, isThere ? vehicle_key : null);
}

async function movedDevice(accessScope: AccessScope, key: string) {
  const fields = 'key account_key vehicle_key status deleted_at left';
  const device = await DeviceStore.findOne(accessScope, { key }, fields);
  if (!device) throw notFound('device');
  return device;
}

async function subscriptionKey(key: string | undefined, accessScope: AccessScope): Promise<string | null> {
  const filter = key === undefined ? { status: 'active' as const } : { key };
  const options = { projection: { key: 1 }, sort: { _id: 1 } } as const;
  const found = await BillingSubscriptionStore.findOneStored(accessScope, filter, options);
  if (!found && key !== undefined) throw unknownKey('subscription', 'a subscription of the account', key);
  return found?.key ?? null;
}

/** A new device, as the operator describes it. */
export interface DeviceRequest {
  readonly account: string;
  /** Unique in the account, ignoring case. */
  readonly serial: string;
  readonly vehicle?: string;
  /** By default those of its vehicle. */
  readonly groups: readonly string[];
  /** By default `installed` in a vehicle, else `pending`. */
  readonly status?: string;
  /** By default the account's oldest active subscription, if it has one. */
  readonly subscription?: string;
}

/** Adds a device to an account. Answers the key of the device. */
export async function addDevice(service: Service, request: DeviceRequest): Promise<string> {
  const { serial, vehicle, status, subscription } = request;
  const accessScope = await existingAccountScope(service, request.account);
  const groups = await groupMembership(request.groups, accessScope);
  const { key } = await createDevice(accessScope, {
    serial,
    vehicle_key: vehicle === undefined ? null : await knownVehicle('vehicle', vehicle, accessScope),
    status: status === undefined ? undefined : checkChoice('status', Object.values(DeviceStatus), status),
    subscription_key: subscription,
    groups: groups.group_keys.length > 0 ? groups : undefined,
  });
  return key;
}
