import { DeviceStatus } from '../../schema/vehicles/device.ts';

import { groupMembership } from '../groups/group-membership.ts';
import { checkChoice } from '../../schema/check-name.ts';
import { existingAccountScope } from '../input/any-record.ts';
import { knownVehicle } from './move-device.ts';
import { createDevice } from './write-device.ts';
import type { Service } from '../../models/store/service.ts';

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
  return createDevice(accessScope, {
    serial,
    vehicle_key: vehicle === undefined ? null : await knownVehicle('vehicle', vehicle, accessScope),
    status: status === undefined ? undefined : checkChoice('status', Object.values(DeviceStatus), status),
    subscription_key: subscription,
    groups: groups.group_keys.length > 0 ? groups : undefined,
  });
}
